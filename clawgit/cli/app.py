"""Shared by all commands: parsing, and output at a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import date
from enum import Enum
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.lazy_group import TEXT, NamingGroup
from clawgit.history.authorship.host_signs import acting, has_older_terminal
from clawgit.operations.caller import Caller, redacted
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded, shown

if TYPE_CHECKING:
    from clawgit.agents.door.exchanged_lines import SameLine
    from clawgit.errors import ClawgitError
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.guards.finding import Finding
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.review.keep import KeepOutcome

_YOURS = {
    "(the operator said on ": "(you said on ",
    "; the operator said on ": "; you said on ",
    "(the operator's words, ": "(your words, ",
    "(understood from the operator's ": "(understood from your ",
    "needs the operator's approval": "needs your approval",
    " by the host went back": " by your agent went back",
    "nobody but the operator make this": "nobody but you make this",
    "The operator may make it": "You may make it",
    ", or a `git commit` of their own.": ", or a `git commit` of your own.",
    "The operator lets it through: ": "You let it through: ",
    "Only the operator opens it": "Only you open it",
    "The operator opens it": "You open it",
    "need the operator's answer": "need your answer",
    "until the operator trusts it": "until you trust it",
    "does not rest on the operator's word": "does not rest on your word",
    "These are not the operator's own words": "These are not your own words",
    "rests on no words of the operator's.": "rests on no words of yours.",
    "made it on the operator's words": "made it on your words",
    "The operator asked for this more than once.": "You asked for this more than once.",
    "The operator asked for this when he corrected": "You asked for this when you corrected",
    "The operator said this more than once. Only he can say": "You said this more than once. Only you can say",
    "The operator asked for the opposite since.": "You asked for the opposite since.",
    "The operator took this back.": "You took this back.",
    "The operator took it back.": "You took it back.",
    "and this edit is not the operator's.": "and this edit is not yours.",
    "The host's edit of ": "Your agent's edit of ",
    "The host's model ": "Your agent's model ",
}
_HIS = lazy_pattern("|".join(map(re.escape, _YOURS)))


class App(Caller):
    """One run of the command line; it prints its results."""

    def __init__(self, environment: Mapping[str, str], words: tuple[str, ...] = ()) -> None:
        super().__init__(environment)
        self.words = words
        self.as_json = False

    @property
    def holder(self) -> str:
        return " ".join(click.get_current_context().command_path.split()[1:])

    def take(
        self,
        *,
        workspace: str | None = None,
        now: str | None = None,
        op: str | None = None,
        as_json: bool = False,
        rehearse: bool = False,
    ) -> None:
        self.workspace = workspace or self.workspace
        self.now_text = now or self.now_text
        self.op = op or self.op
        self.as_json = as_json or self.as_json
        self.rehearse = rehearse or self.rehearse

    def say(self, text: str) -> None:
        """Print a text for the person on stderr, without control characters and secrets."""
        self._echo(shown(redacted(*self.to_you([text]))), err=True)

    def print(self, text: str) -> None:
        self._echo(shown(text))

    def say_plan(self, text: str) -> None:
        """Print what a rehearsed command would do: it is the result, but beside JSON."""
        if self.as_json:
            self.say(text)
        else:
            self.print(redacted(*self.to_you([text])))

    def _echo(self, text: str, *, err: bool = False) -> None:
        if os.isatty(2 if err else 1) and not self.environment.get("NO_COLOR"):
            from clawgit.cli.terminal import coloured

            text = coloured(text)
        click.echo(text, err=err)

    def report(self, data: Any, lines: Callable[[], list[str]] = list) -> None:
        """Print a result: its data with --json, else its lines; no lines if stderr has said enough."""
        if self.as_json:
            click.echo(json.dumps(self.as_printed(data), ensure_ascii=True, indent=2))
        else:
            for line in self.to_you(lines()):
                self.print(redacted(line))

    @property
    def names(self) -> Mapping[str, str]:
        """Return the names of actors and levels of trust for the operator; empty if a host or a job reads."""
        from clawgit.history.authorship.actors import OPERATOR, WHOSE

        return WHOSE if acting(self.environment, has_older_terminal) == OPERATOR else {}

    def to_you(self, lines: list[str]) -> list[str]:
        """Return lines in which clawgit's sentences about the operator say `you`, if the operator reads."""
        if not self.names:
            return lines
        return [_HIS.sub(lambda match: _YOURS[match[0]], line) for line in lines]

    def as_printed(self, data: Any) -> Any:
        """Return ``data`` as JSON values, with a note if the history cannot be read to its beginning."""
        data = plain(data)
        if isinstance(data, dict) and self.unread():
            return {**data, "note": self.unread()}
        return data

    def refuse(self, error: ClawgitError) -> None:
        if self.as_json:
            report = {"error": redacted(error.message), "hint": error.hint, "exit": int(error.exit_code)}
            click.echo(json.dumps(report))
        self.say(f"clawgit: {error}")

    def would_refuse(self, error: ClawgitError) -> None:
        """Say in a dry run what the command would refuse, and exit as it would."""
        self.say(str(error))
        self.exit_code = error.exit_code

    def asks(self, question: str) -> bool:
        """Ask the person, who may answer in their language; without a terminal the answer is no."""
        from clawgit.understanding.forms.numbered_answers import NO, YES

        while sys.stdin.isatty():
            answer = (
                click.prompt(f"{question} [y/N]", default="", show_default=False, err=True).strip().lower()
            )
            if answer in (*YES, "y", "s", "j", "o"):
                return True
            if answer in (*NO, "", "n"):
                return False
            click.echo("Type y for yes or n for no.", err=True)
        return False


def global_options(*, hidden: bool = False) -> list[click.Parameter]:
    """Return the options that each command takes, also before its name; ``hidden`` from help, but for --json."""
    taken: dict[str, Any] = {"expose_value": False, "callback": _taken}
    quiet = taken | {"hidden": hidden}
    where = "The workspace. Default: CLAWGIT_WORKSPACE, then the folder above."
    rehearse = "Allow --now in the future. It writes as ever: run it in a copy of the workspace."
    op = "The change's id; one id is applied at most once."
    return [
        click.Option(["-w", "--workspace"], metavar="PATH", help=where, **quiet),
        click.Option(["--now"], metavar="ISO", help="Use this time as now; it dates the commits.", **quiet),
        click.Option(["--rehearse"], is_flag=True, help=rehearse, **quiet),
        click.Option(["--op"], metavar="ID", help=op, **quiet),
        click.Option(["--json", "as_json"], is_flag=True, help="Report as JSON on stdout.", **taken),
    ]


class Command(click.Command):
    """A command that also takes the global options after its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += global_options(hidden=True)


def _taken(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    app = ctx.find_object(App)
    if app is not None and value and param.name is not None:
        app.take(**{param.name: value})


def text_argument(name: str, *, required: bool = True, **options: Any) -> Callable[[Any], Any]:
    """Return the decorator of an argument that joins all words to one text, in case the quotes are missing."""
    return click.argument(name, nargs=-1, required=required, callback=_joined, **options)


def _joined(_context: click.Context, _argument: click.Parameter, words: tuple[str, ...]) -> str | None:
    if words:
        return " ".join(words)
    return None


def text_given(argument: str) -> str:
    if argument == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    return argument


def command(name: str, group: click.Group | None = None) -> Callable[[Callable[..., None]], click.Command]:
    """Declare a command, in a group or alone; its function gets the `App` first."""
    made_by = click.command if group is None else group.command

    def declared(function: Callable[..., None]) -> click.Command:
        return made_by(name, cls=Command)(click.pass_obj(function))

    return declared


class ListingGroup(Command, NamingGroup):
    """A group that is itself a command, if no subcommand follows."""


def listing(name: str, text: str = "") -> Callable[[Callable[..., None]], click.Group]:
    """Declare a `ListingGroup`; its function gets the `App` first, if no subcommand follows; ``text`` is the command for other words."""

    def declared(function: Callable[..., None]) -> click.Group:
        def called(context: click.Context, /, **options: Any) -> None:
            if context.invoked_subcommand is None:
                function(context.obj, **options)

        group = click.group(name, cls=ListingGroup, invoke_without_command=True, meant={TEXT: text})
        return group(click.pass_context(update_wrapper(called, function)))

    return declared


limit_option = click.option(
    "-n", "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most so many."
)
any_limit_option = click.option("-n", "--limit", type=click.IntRange(1, 100_000), help="At most so many.")


def picked(value: object, keys: str) -> dict[str, Any]:
    """Return attributes of a value by name for a report; ``commit=commit_id`` renames one."""
    pairs = (key.split("=") for key in keys.split())
    return {names[0]: getattr(value, names[-1]) for names in pairs}


def plain(value: Any) -> Any:
    """Return a value for JSON: records by their fields, days and times as ISO 8601."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    elif is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {key: each if type(each) in _PLAIN else plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [each if type(each) in _PLAIN else plain(each) for each in value]
    return value


_PLAIN = (str, int, bool, float, type(None))  # most values: a list of entries has ten thousands


def in_words(_context: click.Context, option: click.Parameter, text: str | None) -> str | None:
    if text is not None and not folded(text):
        raise click.BadParameter("Say it in a few words.", param=option)
    return text


def logged_data(change: LoggedChange) -> dict[str, Any]:
    data = picked(change, "commit=commit_id op at actor summary=subject reason evidence")
    if change.committed_by:
        data["committed_by"] = change.committed_by
    return data | {"summary": redacted(change.subject), "snapshot": change.snapshot is not None}


def commit_lines(*commits: str | None) -> list[str]:
    """Return short names of commits; none at a terminal, where a sentence on stderr says it."""
    if sys.stdout.isatty():
        return []
    return [commit_id[:12] for commit_id in commits if commit_id]


def change_data(done: Recorded) -> dict[str, Any]:
    data = picked(done, "outcome op commit=commit_id")
    if done.proposal:
        data["proposal"] = done.proposal
    return data


def same_data(same: Sequence[SameLine]) -> dict[str, Any]:
    """Return the other lines that still say what was corrected; no key if there are none."""
    rows = []
    for each in same:
        about: dict[str, Any] = {"text": redacted(each.line.statement.words), "place": each.line.place}
        rows.append(about | {"id": each.line.mark or None, "command": each.command or None})
    return {"same": rows} if rows else {}


def finding_data(finding: Finding) -> dict[str, Any]:
    return picked(finding, "rule path line sentence way_out severity")


def kept_data(outcome: KeepOutcome) -> dict[str, Any]:
    data = picked(outcome, "commits paths held remarks proposals recovered")
    return data | {name: list(map(finding_data, data[name])) for name in ("held", "remarks")}


class FormatChoice(click.Choice[str]):
    """The formats of transcripts that clawgit reads or, with ``written``, also writes."""

    def __init__(self, *, written: bool = False) -> None:
        self.case_sensitive = True
        self._is_written = written

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        from clawgit.capture.transcripts.importing import FORMATS

        return tuple(
            each.name for each in FORMATS.values() if not self._is_written or each.prompt is not None
        )
