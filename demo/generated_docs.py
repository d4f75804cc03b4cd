"""The lists in the documents that are made from the code: commands, exit codes, settings, rooms.

`python -m demo.generated_docs FILE...` renews them between their markers.
"""

from __future__ import annotations

import ast
import re
import sys
from copy import copy
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

import clawgit
from clawgit.cli.main import cli
from clawgit.errors import ExitCode
from clawgit.history.guards.finding import RULES
from clawgit.workspace.layout import MANIFEST
from clawgit.workspace.settings.config_file import quote_of, write_value
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.workspace.settings.setting_types import Setting

_MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.REFUSED: "refused; the message says why and what to do",
    ExitCode.USAGE: "the command's words do not fit",
    ExitCode.BUG: "a bug; the message names a file that says more",
    ExitCode.CONFIGURATION: "something is wrong with the configuration",
    ExitCode.BUSY: "another process holds the workspace; try again",
    ExitCode.INTERRUPTED: "interrupted",
    ExitCode.CLOSED_PIPE: "the reader of the output went away",
}


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with the words that call it."""
    context = click.Context(cli, info_name="clawgit")
    yield from _below(cli, context, "clawgit")


def _below(group: click.Group, context: click.Context, words: str) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            if command.invoke_without_command:
                yield f"{words} {name}", command
            yield from _below(command, context, f"{words} {name}")
        elif command is not None:
            yield f"{words} {name}", command


def command_list() -> str:
    """Return the commands, each with the first sentence of its help."""
    return "\n".join(f"- `{words}`: {command.get_short_help_str(200)}" for words, command in all_commands())


def exit_code_table() -> str:
    """Return the table of exit codes for the README."""
    rows = [f"| {code.value} | {_MEANINGS[code]} |" for code in ExitCode]
    return "\n".join(["| exit code | meaning |", "| --- | --- |", *rows])


def command_pages() -> str:
    """Return the help of every command, for docs/commands.md: of two names for one command, once."""
    pages: dict[str, str] = {}
    named: dict[str, str] = {}
    for words, command in all_commands():
        usage, body = _help_of(words, command)
        if body in named:
            pages[words] = f"The same as `{named[body]}`."
        else:
            named[body] = words
            pages[words] = f"```text\n{usage}{body}\n```"
    return "\n\n".join(f"## {words}\n\n{page}" for words, page in pages.items())


def _help_of(words: str, command: click.Command) -> tuple[str, str]:
    """Return the line of usage, and the help behind it without the two options that every command has."""
    own = copy(command)
    own.add_help_option = False
    own.params = [each for each in command.params if "--json" not in each.opts]
    usage, _, body = own.get_help(click.Context(own, info_name=words, terminal_width=100)).partition("\n")
    return usage + "\n", body


def manifest_table() -> str:
    """Return the table of a workspace's files, each with its owner and its purpose."""
    rows = [f"| `{entry.path}` | {entry.owner} | {entry.purpose} |" for entry in MANIFEST]
    return "\n".join(["| file | owner | what it is for |", "| --- | --- | --- |", *rows])


def guard_table() -> str:
    """Return the table of the guards' rules: what becomes of a finding, by who makes the change."""
    rows = [
        f"| `{name}` | {rule.says} | {rule.agent.value} | {rule.host.value} | {rule.unknown.value} | "
        f"{rule.operator.value} | {'yes' if rule.can_override else ''} |"
        for name, rule in RULES.items()
    ]
    head = "| rule | what it finds | agent | host | unknown | operator | can be overridden |"
    return "\n".join([head, "| --- | --- | --- | --- | --- | --- | --- |", *rows])


def settings_table() -> str:
    """Return a Markdown table of all settings, section by section."""
    parts = []
    for title, settings in groupby(SETTINGS.values(), key=lambda setting: setting.section):
        rows = "\n".join(map(_row, settings))
        head = "| setting | default | takes | what it does |\n|---|---|---|---|"
        parts.append(f"### {title}\n\n{head}\n{rows}\n")
    return "\n".join(parts)


_SHORTER = (
    ("a whole number from ", ""),
    ("a number from ", ""),
    (" with at most two decimals", ""),
    ("one of ", ""),
    ('a time such as "02:30" or "Sunday 03:00", or "off"', "a time, or off"),
    (" of at most 200", " of"),
    (", as in [one, two]", ""),
    (" of at most 1000 characters", ""),
)


def _row(setting: Setting) -> str:
    takes, says = setting.accepts, setting.says
    for long, short in _SHORTER:
        takes = takes.replace(long, short)
    if setting.executes:
        says += " A program needs `clawgit approve`."
    elif not setting.guarded:
        says += " Not guarded."
    default = write_value(setting.default, quote_of(setting))
    return "| " + " | ".join((f"`{setting.name}`", f"`{default}`", takes, says)) + " |"


def public_modules(folder: Path) -> tuple[str, ...]:
    """Return the modules of a folder that other packages may import, as its docstring names them."""
    found = re.search(r"^Public: ([^.]+)\.$", _docstring(folder), re.MULTILINE)
    return tuple(re.split(r",\s+", found[1])) if found else ()


def _docstring(folder: Path) -> str:
    return ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""


def room_table() -> str:
    """Return the map of the code: every folder, the question it answers, its public modules."""
    package = Path(clawgit.__file__).parent
    rows = [
        f"| `{folder.relative_to(package.parent).as_posix()}/` | {_docstring(folder).partition(chr(10))[0]} | "
        f"{', '.join(f'`{name}`' for name in public_modules(folder))} |"
        for folder in sorted(path.parent for path in package.rglob("*/__init__.py"))
    ]
    return "\n".join(["| folder | question | public modules |", "| --- | --- | --- |", *rows])


LISTS = {
    "rooms": room_table,
    "guards": guard_table,
    "manifest": manifest_table,
    "commands": command_list,
    "exit codes": exit_code_table,
    "command pages": command_pages,
    "settings": settings_table,
}


def renewed(text: str) -> str:
    """Return ``text`` with every list between its markers made again."""
    for name, make in LISTS.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, found, rest = text.partition(start)
        if found:
            text = before + start + make().strip() + "\n" + end + rest.partition(end)[2]
    return text


def main() -> None:
    """Renew the files named on the command line."""
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renewed(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
