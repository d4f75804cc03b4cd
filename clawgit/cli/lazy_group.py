"""A group of commands that are imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem

    Table = Mapping[str, tuple[str, str]]


# Commands with two names: `remember` is `memory add`, `search` is `memory search`.
REMEMBER = ("memory.memory:add_command", "Remember TEXT as one entry.")
SEARCH = ("memory.search:search_command", "Find the lines that answer a question.")
_ID = lazy_pattern(r"[mxk]:\w|[lpqurt]-\w")
_NOT_UTF8 = "clawgit.not-utf-8"


def is_utf8(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


# Words that people type for a command, tried where a group has none of that name.
_SAME: Final = {
    **dict.fromkeys(("ls", "all", "get", "view", "print", "open", "read"), ("show", "list", "log", "get")),
    "list": ("show", "log", "status", "due"),
    "show": ("list", "log", "status"),
    **dict.fromkeys(("edit", "change", "fix", "update", "unset", "reset"), ("set", "propose", "correct")),
    **dict.fromkeys(
        ("remove", "delete", "rm", "drop", "disable", "off"), ("remove", "forget", "uninstall", "set")
    ),
    **dict.fromkeys(("new", "create", "register", "enable", "on"), ("add", "install")),
    **dict.fromkeys(("add", "set"), ("add", "install", "set")),
    **dict.fromkeys(("stop", "close", "finish", "kill"), ("end", "down")),
    **dict.fromkeys(("begin", "run"), ("start", "once")),
    "start": ("up",),
    **dict.fromkeys(("test", "validate", "lint"), ("check", "verify")),
    **dict.fromkeys(("history", "changes"), ("log",)),
    **dict.fromkeys(("yes", "accept", "ok", "apply", "confirm"), ("approve",)),
    **dict.fromkeys(("no", "decline", "deny", "dismiss"), ("reject",)),
    **dict.fromkeys(("find", "query", "grep"), ("search",)),
    **dict.fromkeys(("state", "info"), ("status", "show", "list")),
}


_MOST_NEAR: Final = 3  # that are named


class NamingGroup(click.Group):
    """Names the command that is meant by a word that is none; ``meant``: such a word → the command, of this group or of the root."""

    def __init__(self, *args: Any, meant: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meant = meant or {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a word that is none, name what it means here or at the root, else what is near."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            path = ctx.command_path
            near = self.meant_by(ctx, args[0])
            root = ctx.find_root()
            if near == [self.meant.get(args[0])] and near[0] not in self.list_commands(ctx):
                path = root.command_path
            if not near and root is not ctx and isinstance(root.command, NamingGroup):
                path = root.command_path
                near = root.command.meant_by(root, args[0])
            if not near:
                path = ctx.command_path
                near = get_close_matches(args[0], self.list_commands(ctx), n=1)
            if not near:
                raise
            named = f"` or `{path} ".join(near[:_MOST_NEAR]).rstrip()
            raise click.UsageError(
                f"{error.message} Did you mean `{f'{path} {named}'.rstrip()}`?", ctx
            ) from error

    def meant_by(self, ctx: click.Context, word: str) -> list[str]:
        """Return the command that has this name or is meant by it; with the commands of that name in its groups."""
        commands = self.list_commands(ctx)
        if word in commands:
            return [word]
        if self.invoke_without_command and word in ("list", "ls", "all"):
            return [""]  # the group lists by itself
        if " " in word and any(option.name == "query" for option in self.params):
            return [f'--query "{word}"']
        if "show" in commands and _ID.match(word):
            return [f"show {word}"]
        near = [self.meant[word]] if word in self.meant else []
        near += [each for each in _SAME.get(word, ()) if each in commands][: 1 - len(near)]
        for each in commands:
            command = self.get_command(ctx, each)
            if isinstance(command, click.Group) and word in command.list_commands(ctx):
                near.append(f"{each} {word}")
        return near


class LazyGroup(NamingGroup):
    """Imports a command's module when the command is asked for.

    ``table``: name → where the command is, and the first sentence of its help, in the order of the list.
    ``sections``: the same, by the title below which the help shows it.
    ``others``: those of the table that the help leaves out, by their titles.
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
        """Refuse what no command line has and no file, time or id: requests of other programs come here, too."""
        if any("\0" in word for word in args):
            raise click.UsageError("A word with a NUL character is no text, path, time or id.", ctx)
        ctx.meta[_NOT_UTF8] = any(not is_utf8(word) for word in args) or ctx.meta.get(_NOT_UTF8, False)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; where it cannot take a word whose bytes are no UTF-8, say so: a path may have such bytes."""
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
