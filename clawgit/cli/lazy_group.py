"""A group of commands that are imported on use."""

from __future__ import annotations

import shlex
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click

from clawgit.text.safety.control_characters import is_utf8

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem

    Table = Mapping[str, tuple[str, str]]


# Commands with two names: `remember` is `memory add`, `search` is `memory search`.
REMEMBER = ("memory.memory:add_command", "Remember TEXT as one entry.")
SEARCH = ("memory.search:search_command", "Find the lines that answer a question.")
_NOT_UTF8 = "clawgit.not-utf-8"


TEXT: Final = "TEXT"  # any words that are no command
# Words that people type for a command, at the root and below `memory`.
MEANT: Final = {
    **dict.fromkeys(("remove", "delete", "rm", "erase", "purge"), "forget"),
    **dict.fromkeys(("add", "note"), "remember"),
    "rollback": "undo",
    "blame": "why FILE:LINE",
    "diff": "undo --since today --dry-run",
    **dict.fromkeys(("find", "recall"), "search"),
    **dict.fromkeys(("jobs", "schedule", "time"), "runner status"),
}
_MOST_NEAR: Final = 3  # that are named


class NamingGroup(click.Group):
    """Suggests commands for an unknown word; ``meant``: word → command, `TEXT` → the one for any other words."""

    def __init__(self, *args: Any, meant: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meant = meant or {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown word, name what it means, its namesakes in groups, or similar ones."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = self.near(ctx, args)
            if not near:
                raise
            raise click.UsageError(f"{error.message} {near}", ctx) from error

    def near(self, ctx: click.Context, args: list[str]) -> str:
        """Return the question whether other commands are meant, empty without any."""
        from difflib import get_close_matches

        root = ctx.find_root()
        path = root.command_path
        near = [self.meant[args[0]]] if args[0] in self.meant else []
        called = _commands_called(root, args[0])
        if len(called) <= _MOST_NEAR:
            near += called
        if not near:
            path = ctx.command_path
            near = get_close_matches(args[0], self.list_commands(ctx), n=1)
        if not near and self.meant.get(TEXT):
            near = [f"{self.meant[TEXT]} {shlex.quote(' '.join(args))}"]
            path = root.command_path
        if not near:
            return ""
        named = f"` or `{path} ".join(near[:_MOST_NEAR])
        return f"Did you mean `{path} {named}`?"


def _commands_called(root: click.Context, word: str) -> list[str]:
    called: list[str] = []
    if not isinstance(root.command, click.Group):
        return called
    for name in root.command.list_commands(root):
        command = root.command.get_command(root, name)
        if name == word:
            called.append(name)
        if isinstance(command, click.Group) and word in command.list_commands(root):
            called.append(f"{name} {word}")
    return called


class LazyGroup(NamingGroup):
    """Imports a command's module on use.

    ``table``: name → place of the command, and the first sentence of its help, in the order of the list.
    ``sections``: the same, by section title of the help.
    ``others``: commands that the help leaves out, by title.
    """

    def __init__(
        self,
        *args: Any,
        table: Table,
        sections: Mapping[str, Table] | None = None,
        others: Mapping[str, Table] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        self.sections = sections or {"Commands": table}
        self.others = others or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse words with NUL: requests of other programs come here, too."""
        if any("\0" in word for word in args):
            raise click.UsageError("A word with a NUL character is no text, path, time or id.", ctx)
        ctx.meta[_NOT_UTF8] = any(not is_utf8(word) for word in args) or ctx.meta.get(_NOT_UTF8, False)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; refuse a word that is not UTF-8 unless the command takes it as a path."""
        try:
            return super().invoke(ctx)
        except UnicodeEncodeError as error:
            if not ctx.meta[_NOT_UTF8]:
                raise
            raise click.UsageError(
                "A word has bytes that are no UTF-8: only a path may have them.", ctx
            ) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, _, name = self.table[cmd_name][0].partition(":")
        command = getattr(import_module(f"clawgit.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.write_sections(formatter, self.sections)

    def write_sections(self, formatter: click.HelpFormatter, sections: Mapping[str, Table]) -> None:
        longest = max(map(len, self.table))
        room = formatter.width - 6 - longest
        for title, names in sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(longest), self._shown(name, room)) for name in names])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        commands = [name for name in self.table if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [CompletionItem(name, help=self._shown(name, 45)) for name in commands] + options

    def _shown(self, name: str, room: int) -> str:
        return click.Command(name, help=self.table[name][1]).get_short_help_str(room)
