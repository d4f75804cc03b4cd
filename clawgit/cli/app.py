"""What every command shares: how it is parsed, and how it speaks in a terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit.operations.caller import Caller
from clawgit.text.safety.control_characters import folded, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.errors import ClawgitError


class App(Caller):
    """One run of the command line: what is said and reported is printed."""

    def __init__(self, environment: Mapping[str, str], words: tuple[str, ...] = ()) -> None:
        super().__init__(environment)
        self.words = words
        self.as_json = self.has_spoken = False

    @property
    def holder(self) -> str:
        """Return the words of this command."""
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
            if isinstance(data, dict) and self.unread():
                data = {**data, "note": self.unread()}
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

    def print_text(self, data: bytes) -> None:
        """Print a file's bytes as this output may have them: unchanged in a pipe, harmless on a terminal."""
        click.echo(shown(data.decode("utf-8", "replace")) if sys.stdout.isatty() else data, nl=False)


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


def text_argument(name: str, *, required: bool = True, **told: Any) -> Callable[[Any], Any]:
    """Return the decorator of an argument that takes all words as one text: who forgets the quotes means all of them."""
    return click.argument(name, nargs=-1, required=required, callback=_joined, **told)


def _joined(_context: click.Context, _argument: click.Parameter, words: tuple[str, ...]) -> str | None:
    return " ".join(words) if words else None


def in_words(_context: click.Context, option: click.Parameter, text: str | None) -> str | None:
    """Refuse a reason that is none."""
    if text is not None and not folded(text):
        raise click.BadParameter("Say it in a few words.", param=option)
    return text
