"""What every command shares: the workspace, the time, the actor, and how it speaks."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.crash_report import bug_report
from clawgit.errors import ClawgitError, ConfigurationError, ExitCode, UsageError
from clawgit.text.safety.control_characters import one_line, shown
from clawgit.workspace.find_workspace import find_workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from zoneinfo import ZoneInfo

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.workspace.clock_looks import Steady
    from clawgit.workspace.settings.setting_authority import InForce
    from clawgit.workspace.settings.settings import Problem

EARLIEST, LATEST = 1971, 2099
BRIEFLY, AT_LENGTH = 0.3, 3.0  # seconds for commits that came meanwhile


class App:
    """One run of the command line; the only place that reads the environment and the clock."""

    def __init__(self, environment: Mapping[str, str], words: tuple[str, ...] = ()) -> None:
        self.environment = environment
        self.words = words
        self.workspace: str | None = None
        self.now_text: str | None = None
        self.op: str | None = None
        self.as_json = self.rehearse = False
        self.exit_code: int = ExitCode.DONE
        self.met_bug = self.has_spoken = False
        self.in_force: InForce | None = None
        self.opened: History | None = None
        self.connection = ""  # of the host that reports what was said, and by whom
        self.patience = 2.0  # seconds for a program on which the answer waits
        self.remarks: dict[str, None] = {}  # said in the end, where nothing was refused

    def take(
        self,
        *,
        workspace: str | None = None,
        now: str | None = None,
        op: str | None = None,
        as_json: bool = False,
        rehearse: bool = False,
    ) -> None:
        """Take over the global options, given before the command or after it."""
        self.workspace = workspace or self.workspace
        self.now_text = now or self.now_text
        self.op = op or self.op
        self.as_json = as_json or self.as_json
        self.rehearse = rehearse or self.rehearse

    def say(self, text: str) -> None:
        """Talk to the person: on stderr; nothing in it can command the terminal or gives a secret away."""
        from clawgit.text.safety.secrets import redact

        self.has_spoken = True
        self._echo(shown(redact(text)), err=True)

    def print(self, text: str) -> None:
        """Put data on stdout, safe for a terminal."""
        self._echo(shown(text))

    def _echo(self, text: str, *, err: bool = False) -> None:
        if os.isatty(2 if err else 1) and not self.environment.get("NO_COLOR"):
            from clawgit.cli.terminal import coloured

            text = coloured(text)
        click.echo(text, err=err)

    def report(self, data: Any, lines: Callable[[], list[str]]) -> None:
        """Print ``data`` as JSON if that was asked for, else the lines."""
        if self.as_json:
            if isinstance(data, dict) and self._unread():
                data = {**data, "note": self._unread()}
            click.echo(json.dumps(data, ensure_ascii=True, indent=2))
        else:
            for line in lines():
                self.print(line)

    def refuse(self, error: ClawgitError) -> None:
        """Say why it was refused and what to do; with --json as an object on stdout, too."""
        from clawgit.text.safety.secrets import redact

        if self.as_json:
            said = {"error": redact(error.message), "hint": error.hint, "exit": int(error.exit_code)}
            click.echo(json.dumps(said))
        self.say(f"clawgit: {error}")

    @property
    def trust_file(self) -> Path:
        """Return the place of the trust store, outside every workspace."""
        from clawgit.workspace.user.trusted_settings import trust_file
        from clawgit.workspace.user.user_file import user_config_dir

        return trust_file(user_config_dir(self.environment, Path.home()))

    @property
    def registry_file(self) -> Path:
        """Return the place where the user's workspaces are registered."""
        from clawgit.workspace.user.user_file import user_config_dir
        from clawgit.workspace.user.workspace_registry import registry_file

        return registry_file(user_config_dir(self.environment, Path.home()))

    @property
    def actor(self) -> str:
        """Return who runs this command: the operator, unless CLAWGIT_ACTOR or a host's sign says otherwise."""
        from clawgit.history.authorship.actors import check_actor
        from clawgit.history.authorship.host_signs import acting, has_older_terminal

        return check_actor(acting(self.environment, has_older_terminal))

    def only_operator(self, what: str, hint: str = "Run it yourself, in a terminal of your own.") -> None:
        """Refuse that a host or an agent does what only the operator may."""
        if self.actor != "operator":
            from clawgit.history.authorship.host_signs import host_sign

            who = f"{self.actor} ({sign} is set)" if (sign := host_sign(self.environment)) else self.actor
            raise ClawgitError(f"This runs for the {who}; only the operator can {what}.", hint=hint)

    def root(self) -> Path:
        """Return the workspace's folder: as told, or the nearest one upwards from here."""
        found = find_workspace(self.workspace or self.environment.get("CLAWGIT_WORKSPACE") or "")
        if found:
            return Path(found)
        raise ClawgitError(
            f"There is no clawgit workspace in {Path.cwd()} or above it.",
            hint="`clawgit init PATH` makes one. `cd` into it, or name it with -w PATH.",
        )

    def unconfigured(self, root: Path | None = None) -> History:
        """Open the workspace (or the one at ``root``) with default settings: nothing of its history is read.

        Raises:
            ConfigurationError: The environment names nobody as the actor, also where the command would not ask.
        """
        from clawgit.history.git.repository import NotAWorkspaceError, open_history

        _ = self.actor  # asked for its refusal
        root = root or self.root()
        history = open_history(root, holder=" ".join(click.get_current_context().command_path.split()[1:]))
        if not (history.state / "format").exists():
            raise NotAWorkspaceError(
                f"{root} is not a clawgit workspace.", hint=f"`clawgit init {root}` makes it one."
            )
        return history

    def history(self, at: Path | None = None) -> History:
        """Open the workspace (or the one at ``at``) with the settings in force, caught up with what git did meanwhile."""
        from clawgit.cli.open_settings import bring_into_force, off_any_branch

        history = self._opened(bring_into_force, at)
        self.remarks |= dict.fromkeys(off_any_branch(history))
        return history

    def history_for_talk(self) -> History:
        """Open the workspace for what is said: that is kept whatever git is in the middle of."""
        from clawgit.cli.open_settings import bring_any_into_force

        return self._opened(bring_any_into_force)

    def _opened(
        self, settings: Callable[[History, Path], tuple[InForce, tuple[Problem, ...]]], at: Path | None = None
    ) -> History:
        from clawgit.history.authorship.host_signs import note_host

        history = self.unconfigured(at)
        note_host(history.state, self.environment)
        self.in_force, problems = settings(history, self.trust_file)
        for problem in problems:
            self.say(str(problem))
        self.catch_up(history)
        self.opened = history
        return history

    def settle(self) -> None:
        """Say what is left to say, and look at what was committed while what looks at commits is loaded."""
        for sentence in filter(None, (*self.remarks, self._unread())):
            self.say(sentence)
        if self.opened is not None and "clawgit.history.apply_plan" in sys.modules:
            self.catch_up(self.opened)

    def _unread(self) -> str:
        """Return what is missing in every answer while old objects of the repository are lost."""
        if self.opened is None or not self.opened.objects.unread:
            return ""
        why = self.opened.objects.unread.partition("\n")[0].partition(", so nothing")[0].rstrip(".")
        return (
            f"The history cannot be read to its beginning ({why}): the last good settings hold, and of some words"
            " it is not known whose they are. `clawgit doctor` says what is lost."
        )

    def catch_up(self, history: History, *, seconds: float = BRIEFLY) -> None:
        """Look at what git did meanwhile; what is against that stops no command, and a bug is its exit status."""
        from clawgit.history.review.unchecked_arrivals import nothing_arrived

        try:
            if nothing_arrived(history):  # nearly always; what looks at commits takes long to load
                return
            from clawgit.history.reconcile import reconcile

            for note in reconcile(history, self.now(history), seconds=seconds).notes:
                self.say(note)
        except ClawgitError:
            return  # busy, full or damaged: whoever writes says so, and the next command goes on
        except Exception as error:  # noqa: BLE001 - a commit that somebody made must not break every command
            self.met_bug = True
            self.say(f"New commits could not be looked at. {bug_report(error)}")

    def note_tip(self, history: History) -> None:
        """Note the present tip among the records; a failure is said, and stops nobody."""
        from clawgit.history.backup.records_status import reconcile_tips

        try:
            reconcile_tips(history, self.now(history))
        except ClawgitError as error:
            self.say(str(error))

    def now(self, history: History | None = None) -> datetime:
        """Return the time in the workspace's zone: --now, CLAWGIT_NOW or the clock.

        Raises:
            UsageError: It is no time, or ahead of the clock although nobody says that this is a rehearsal.
        """
        if told := self.now_text or self.environment.get("CLAWGIT_NOW"):
            moment = self.moment(told, history)
            rehearsed = self.rehearse or self.environment.get("CLAWGIT_REHEARSE") == "1"
            if moment > datetime.now(UTC) and not rehearsed:
                raise UsageError(
                    f"{told} is ahead of the clock, and no later commit could be dated before it.",
                    hint="In a copy of the workspace, --rehearse (or CLAWGIT_REHEARSE=1) allows it.",
                )
            return moment
        return datetime.now(UTC).astimezone(_zone(history))

    def steady(self) -> Steady | None:
        """Return what the machine's steady clock shows, None in a rehearsal."""
        if self.now_text or self.environment.get("CLAWGIT_NOW"):
            return None
        from clawgit.workspace.clock_looks import read_steady

        return read_steady()

    def moment(self, told: str, history: History | None = None) -> datetime:
        """Return the time that ``told`` means in the workspace's zone."""
        try:
            moment = datetime.fromisoformat(told)
        except ValueError as error:
            raise UsageError(
                f"{told!r} is not a time.", hint="Write it as 2026-03-19 or 2026-03-19T10:22."
            ) from error
        if not EARLIEST <= moment.year <= LATEST:
            raise UsageError(f"{told} is out of git's reach.", hint=f"Years go from {EARLIEST} to {LATEST}.")
        zone = _zone(history)
        if zone is None and moment.tzinfo is not None:
            return moment
        return moment.replace(tzinfo=moment.tzinfo or zone).astimezone(zone)

    def print_text(self, data: bytes) -> None:
        """Print a file's bytes as this output may have them: unchanged in a pipe, harmless on a terminal."""
        click.echo(shown(data.decode("utf-8", "replace")) if sys.stdout.isatty() else data, nl=False)

    def intent(self, history: History, *, kind: str = "op", actor: str | None = None) -> Intent:
        """Return the intent of this command: its op, its actor, its time."""
        from clawgit.history.authorship.actors import OPERATOR
        from clawgit.history.authorship.host_signs import unattended
        from clawgit.history.authorship.intent import Intent
        from clawgit.history.authorship.op_lookup import new_op
        from clawgit.workspace.user.workspace_registry import refuse_all_but_orchestrator

        if self.actor != OPERATOR:
            refuse_all_but_orchestrator(self.registry_file, self.root())
        op = self.op or new_op(kind)
        if op != one_line(op) or len(op) > 200 or not op.strip():
            raise ConfigurationError("An op id is one line of at most 200 plain characters.")
        actor = actor or self.actor
        by = unattended(self.environment, actor)
        return Intent(op, actor, self.now(history), given=self.op is not None, unattended=by)


def _zone(history: History | None) -> ZoneInfo | None:
    return None if history is None else history.settings.time_zone


class Command(click.Command):
    """A command that also takes the global options after its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        taken: dict[str, Any] = {"expose_value": False, "callback": _taken}
        self.params += [
            click.Option(["-w", "--workspace"], metavar="PATH", hidden=True, **taken),
            click.Option(["--now"], metavar="ISO", hidden=True, **taken),
            click.Option(["--op"], metavar="ID", hidden=True, **taken),
            click.Option(["--rehearse"], is_flag=True, hidden=True, **taken),
            click.Option(["--json", "as_json"], is_flag=True, help="Report as JSON on stdout.", **taken),
        ]


def _taken(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    app = ctx.find_object(App)
    if app is not None and value and param.name is not None:
        app.take(**{param.name: value})
