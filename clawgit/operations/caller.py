"""The caller of an operation (workspace, time, actor, output), and the types of request fields."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from clawgit.errors import ClawgitError, ConfigurationError, ExitCode, UsageError
from clawgit.history.authorship.host_signs import (
    BEGUN_BY_HOST,
    acting,
    has_older_terminal,
    host_sign,
    note_host,
    unattended,
)
from clawgit.text.safety.control_characters import one_line
from clawgit.workspace.find_workspace import LOST, TO_RESTORE, find_workspace, lost_workspace
from clawgit.workspace.safe_files import write_private
from clawgit.workspace.user.user_file import cache_folder, user_config_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from zoneinfo import ZoneInfo

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.states import Revision
    from clawgit.recall.questions.question_dates import Days
    from clawgit.text.words.spoken_times import TimeSpan
    from clawgit.workspace.clock_looks import Steady
    from clawgit.workspace.settings.setting_types import Value
    from clawgit.workspace.settings.settings import InForce, Problem


EARLIEST, LATEST = 1971, 2099
BRIEFLY, AT_LENGTH = 0.3, 3.0  # seconds for commits that came meanwhile


class Range(NamedTuple):
    """The smallest and the largest value of a number."""

    least: float
    most: float = float("inf")

    def __str__(self) -> str:
        if self.most < float("inf"):
            return f"{self.least:g}<=x<={self.most:g}"
        return f"x>={self.least:g}"


class Named(NamedTuple):
    """The name of a parameter, if its field cannot have that name (`from`)."""

    name: str


class InWords(NamedTuple):
    """A text that is not blank."""


Count = Annotated[int, Range(0)]
Share = Annotated[float, Range(0, 1)]
Listed = Annotated[int, Range(1, 100_000)]
Sentence = Annotated[str, InWords()]
Scope = Literal["main", "group"]


def _why_to_wait(environment: Mapping[str, str], config: Path, root: Path, paths: Collection[str]) -> str:
    """Return why the operator must approve changes of ``paths`` first: OpenClaw, if not connected, would leave them out."""
    from clawgit.workspace.user.connections import connections_folder, connections_to
    from clawgit.workspace.user.openclaw_ledger import openclaw_state, why_to_wait

    connections = connections_to(connections_folder(config), "openclaw")
    return why_to_wait(openclaw_state(environment, Path.home()), connections, root, paths)


class Caller:
    """The caller of an operation; below the command line, only this reads the environment and the clock."""

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        workspace: str | None = None,
        connection: str = "",
        patience: float = 2.0,
        holder: str = "",
    ) -> None:
        self.environment = environment
        self.workspace = workspace
        self.now_text: str | None = None
        self.op: str | None = None
        self.is_external = False  # the host's turn has read what others wrote: the web, or a tool's answer
        self.rehearse = False
        self.exit_code: int = ExitCode.DONE
        self.met_bug = False
        self.in_force: InForce | None = None
        self.opened: History | None = None
        self.is_awaited: Callable[[], bool] = lambda: True  # False once the answer is too late
        self.connection = connection  # of the host that reports messages and their authors
        self.patience = patience  # seconds for a program, while a request waits
        self.remarks: dict[str, None] = {}  # printed at the end, unless the command is refused
        self.notes: list[str] = []
        self._holder = holder

    @property
    def holder(self) -> str:
        return self._holder

    def say(self, text: str) -> None:
        self.notes.append(redacted(text))

    def say_each(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.say(text)

    @property
    def trust_file(self) -> Path:
        from clawgit.workspace.user.trusted_settings import trust_file

        return trust_file(user_config_dir(self.environment, Path.home()))

    @property
    def registry_file(self) -> Path:
        from clawgit.workspace.user.workspace_registry import registry_file

        return registry_file(user_config_dir(self.environment, Path.home()))

    @property
    def held_settings(self) -> dict[str, Value]:
        if self.in_force:
            return dict(self.in_force.waiting)
        return {}

    @property
    def actor(self) -> str:
        """Return the actor: the operator, unless CLAWGIT_ACTOR or a host's sign says otherwise."""
        from clawgit.history.authorship.actors import check_actor

        return check_actor(acting(self.environment, has_older_terminal))

    @property
    def types_himself(self) -> bool:
        """Say whether there is no sign of a host: an edit may then be the operator's (`edits_here`)."""
        if host_sign(self.environment) or self.environment.get(BEGUN_BY_HOST):
            return False
        return self.actor not in ("host", "unknown")

    def only_operator(self, what: str, hint: str = "Run it yourself, in a terminal of your own.") -> None:
        if self.actor != "operator":
            from clawgit.history.authorship.actors import in_words

            who = in_words(self.actor)
            sign = host_sign(self.environment)
            if sign:
                who = f"{who} ({sign} is set)"
            raise ClawgitError(f"This runs for {who}; only you can {what}.", hint=hint)

    def root(self) -> Path:
        """Return the workspace's folder: the one named, or the nearest one at or above the current folder."""
        folder = find_workspace(self.workspace or self.environment.get("CLAWGIT_WORKSPACE") or "")
        if folder:
            return Path(folder)
        lost = lost_workspace(str(Path.cwd()))
        if lost:
            raise _lost(lost)
        roots = self._registered_roots()
        hint = "`clawgit init PATH` makes one, or takes up a clone of one, and overwrites nothing. `cd` into it, or name it with -w PATH."
        if roots:
            hint = f"`cd` into one, or name it: {', '.join(map('`clawgit -w {} …`'.format, map(quote, map(str, roots))))}."
        raise ClawgitError(f"There is no clawgit workspace in {Path.cwd()} or above it.", hint=hint)

    def take_only_one(self) -> None:
        """Take the only registered workspace where none is named and none is here or above; say so."""
        roots = self._registered_roots()
        named = self.workspace or self.environment.get("CLAWGIT_WORKSPACE") or ""
        if len(roots) == 1 and not (find_workspace(named) or lost_workspace(str(Path.cwd()))):
            self.workspace = str(roots[0])
            self.say(f"There is no workspace here. This is {roots[0]}, the only one that is registered.")

    def _registered_roots(self) -> list[Path]:
        from clawgit.workspace.user.workspace_registry import read_registry

        registered = read_registry(self.registry_file).workspaces.values()
        return [each.root for each in registered if each.root.exists()]

    def unconfigured(self, root: Path | None = None) -> History:
        """Open the workspace (or the one at ``root``) with default settings, without reading its history."""
        from clawgit.history.git.repository import open_history

        _ = self.actor  # asked for its refusal
        root = root or self.root()
        history = open_history(root, holder=self.holder)
        if not (history.state / "format").exists():
            if lost_workspace(str(root)) == str(root):
                raise _lost(str(root))
            sentence = f"{root} is not a clawgit workspace."
            raise ClawgitError(sentence, hint=f"`clawgit init {quote(str(root))}` makes it one.")
        return history

    def history(self, at: Path | None = None) -> History:
        """Open the workspace (or the one at ``at``) with the settings in force, after a look at new commits."""
        from clawgit.operations.wiring.open_settings import bring_into_force, off_any_branch

        history = self._opened(bring_into_force, at)
        self.remarks |= dict.fromkeys(off_any_branch(history))
        return history

    def history_for_talk(self) -> History:
        """Open the workspace for messages: they are kept whatever git is in the middle of."""
        from clawgit.operations.wiring.open_settings import bring_any_into_force

        return self._opened(bring_any_into_force)

    def _opened(
        self, settings: Callable[[History, Path], tuple[InForce, tuple[Problem, ...]]], at: Path | None = None
    ) -> History:
        history = self.unconfigured(at)
        note_host(history.state, self.environment)
        self.in_force, problems = settings(history, self.trust_file)
        for problem in problems:
            self.say(str(problem))
        history.why_to_wait = partial(_why_to_wait, self.environment, self.registry_file.parent, history.root)
        if self.types_himself:
            from clawgit.history.authorship.actors import edits_are_his

            history.is_his_edit = lambda opened, _path, _content: edits_are_his(opened)
        self.catch_up(history)
        self.opened = history
        return history

    def settle(self) -> None:
        """Print the remarks, and look at new commits if this command locked the workspace."""
        self.say_each(filter(None, (*self.remarks, self.unread())))
        if self.opened is not None and self.opened.was_locked:
            self.catch_up(self.opened)

    def unread(self) -> str:
        """Return the warning for every answer while old objects of the repository are lost, else an empty text."""
        if self.opened is None or not self.opened.objects.unread:
            return ""
        why = self.opened.objects.unread.partition("\n")[0].partition(", so nothing")[0].rstrip(".")
        return (
            f"The history cannot be read to its beginning ({why}): the last good settings hold, and of some words"
            " it is not known whose they are. `clawgit doctor` says what is lost."
        )

    def catch_up(self, history: History, *, seconds: float = BRIEFLY) -> None:
        """Look at new commits; a refusal does not stop the command, a bug sets its exit status."""
        from clawgit.history.review.arrivals import nothing_arrived

        try:
            if nothing_arrived(history):  # nearly always; what looks at commits takes long to load
                return
            from clawgit.history.reconcile import reconcile

            self.say_each(reconcile(history, self.now(history), seconds=seconds).notes)
        except ClawgitError:
            return  # busy, full or damaged: a writing command reports it, and the next one looks again
        except Exception as error:  # noqa: BLE001 - a commit that somebody made must not break every command
            self.met_bug = True
            self.say(f"New commits could not be looked at. {bug_report(error)}")

    def note_tip(self, history: History) -> None:
        from clawgit.history.workspace_status import reconcile_tips

        try:
            reconcile_tips(history, self.now(history))
        except ClawgitError as error:
            self.say(str(error))

    def now(self, history: History | None = None) -> datetime:
        """Return the time in the workspace's zone: --now, CLAWGIT_NOW or the clock."""
        if time_text := self.now_text or self.environment.get("CLAWGIT_NOW"):
            moment = self.moment(time_text, history)
            rehearsed = self.rehearse or self.environment.get("CLAWGIT_REHEARSE") == "1"
            if moment > datetime.now(UTC) and not rehearsed:
                sentence = f"{time_text} is ahead of the clock, and no later commit could be dated before it."
                hint = "In a copy of the workspace, --rehearse (or CLAWGIT_REHEARSE=1) allows it."
                raise UsageError(sentence, hint=hint)
            return moment
        return datetime.now(UTC).astimezone(_zone(history))

    def steady(self) -> Steady | None:
        if self.now_text or self.environment.get("CLAWGIT_NOW"):
            return None
        from clawgit.workspace.clock_looks import read_steady

        return read_steady()

    def moment(self, time_text: str, history: History | None = None) -> datetime:
        try:
            moment = datetime.fromisoformat(time_text)
        except ValueError as error:
            sentence = f"{time_text!r} is not a time."
            raise UsageError(sentence, hint="Write it as 2026-03-19 or 2026-03-19T10:22.") from error
        _refuse_out_of_reach(time_text, moment)
        zone = _zone(history)
        if zone is None and moment.tzinfo is not None:
            return moment
        return moment.replace(tzinfo=moment.tzinfo or zone).astimezone(zone)

    def revision(self, history: History, words: str) -> Revision:
        """Return the commit that ``words`` name: a snapshot, a commit, or the last one on a day."""
        from clawgit.history.states import RevisionError, find_revision
        from clawgit.text.words.spoken_times import time_meant

        now = self.now(history)
        try:
            return find_revision(history, words, now)
        except RevisionError:
            days = _days_meant(words, now, _zone(history))
            if days is None or time_meant(words, now, _zone(history)) is not None:
                raise
            return find_revision(history, days.last.isoformat(), now)

    def time_asked(self, words: str, history: History | None = None) -> TimeSpan:
        from clawgit.text.words.spoken_times import EXAMPLES, days_of, time_meant

        now = self.now(history)
        zone = _zone(history)
        span = time_meant(words, now, zone)
        if span is None:
            days = _days_meant(words, now, zone)
            span = None if days is None else days_of(days.first, days.last, zone)
        if span is None:
            raise UsageError(f"{words!r} is no day or time.", hint=f"Write it as {EXAMPLES}.")
        _refuse_out_of_reach(words, span.first)
        return span

    def last_day_asked(self, words: str, history: History) -> date:
        """Return the last day of a period; a weekday, or a day without a year, is the next one."""
        from clawgit.recall.questions.question_dates import days_to_come

        days = days_to_come(words, self.now(history).astimezone(_zone(history)).date())
        if days is None:
            return self.time_asked(words, history).last.date()
        return days.last

    def first_of(self, words: str | None, history: History | None = None) -> datetime | None:
        if words is None:
            return None
        return self.time_asked(words, history).first

    def intent(self, history: History, *, kind: str = "op", actor: str | None = None) -> Intent:
        from clawgit.history.authorship.actors import HOST, OPERATOR
        from clawgit.history.authorship.commit_messages import new_op
        from clawgit.history.authorship.intent import Intent
        from clawgit.workspace.user.workspace_registry import refuse_all_but_orchestrator

        if self.actor != OPERATOR:
            refuse_all_but_orchestrator(self.registry_file, self.root())
        op = self.op or new_op(kind)
        if op != one_line(op) or len(op) > 200 or not op.strip():
            raise ConfigurationError("An op id is one line of at most 200 plain characters.")
        actor = actor or self.actor
        by = unattended(self.environment, actor)
        trust = ""
        if self.is_external and actor == HOST:
            from clawgit.memory.trust import EXTERNAL

            trust = EXTERNAL
        return Intent(op, actor, self.now(history), trust=trust, given=self.op is not None, unattended=by)


def _lost(root: str) -> ClawgitError:
    again = f"`clawgit init {quote(root)}` makes it a workspace again; then {TO_RESTORE}."
    return ClawgitError(f"{root} {LOST}", hint=again)


def _refuse_out_of_reach(time_text: str, moment: datetime) -> None:
    if not EARLIEST <= moment.year <= LATEST:
        raise UsageError(f"{time_text} is out of git's reach.", hint=f"Years go from {EARLIEST} to {LATEST}.")


def _days_meant(words: str, now: datetime, zone: ZoneInfo | None) -> Days | None:
    from clawgit.recall.questions.question_dates import days_meant

    return days_meant(words, now.astimezone(zone).date())


def _zone(history: History | None) -> ZoneInfo | None:
    if history is None:
        return None
    return history.settings.time_zone


def redacted(text: str) -> str:
    """Return a text without secrets; what finds them is loaded on use, since the list of commands needs none of it."""
    from clawgit.text.safety.secrets import redact

    return redact(text)


def bug_report(error: Exception) -> str:
    """Write the traceback, without secrets, into the user's cache folder; return a sentence with its path."""
    import traceback  # slow to import

    folder = cache_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"crash-{os.getpid()}.txt"
    text = redacted("".join(traceback.format_exception(error)))
    write_private(path, text)
    return f"This is a bug in clawgit ({type(error).__name__}); what happened is in {path}."


class Saying(NamedTuple):
    """Prints a refusal with what ``failed`` of a message, and goes on: the message is stored already."""

    caller: Caller
    failed: str

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        if isinstance(error, ClawgitError):
            self.caller.say(f"The message is stored, but {self.failed}: {error}")
        return isinstance(error, ClawgitError)
