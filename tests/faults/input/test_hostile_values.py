"""Values that nobody means, for every parameter of every command: a sentence and 1, 2 or 4, never a crash report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from clawgit.cli.main import cli
from clawgit.errors import ExitCode
from clawgit.workspace.user.user_file import cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

VALUES = (
    "~nouser/x",
    "a\0b",
    "0000-01-01",
    "99999-12-31T00:00",
    "0001-01-01T00:00+14:00",
    "9999-12-31T23:59-14:00",
    "nan",
    "1e999",
    "9" * 30,
    "-1",
    "\udcff",
    "chat:NaN",
)
GO_ON = {("up",), ("mcp",)}  # until they are ended
NEED_A_HOST = {("connect",), ("runner", "install")}  # each looks for a program, or has its timer made, first


def commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command below one, with its words."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    if command.invoke_without_command:
        yield path, command
    for name in command.list_commands(click.Context(command)):
        found = command.get_command(click.Context(command), name)
        assert found is not None
        yield from commands(found, (*path, name))


def is_tried(path: tuple[str, ...], parameter: click.Parameter) -> bool:
    if isinstance(parameter, click.Option) and (parameter.is_flag or parameter.hidden or parameter.is_eager):
        return False
    if path in GO_ON | NEED_A_HOST:
        return isinstance(parameter.type, (click.types.IntParamType, click.types.FloatParamType))
    return not isinstance(parameter.type, click.Choice)


def plain(parameter: click.Parameter) -> str:
    """Return a value that the parameter takes."""
    if isinstance(parameter.type, click.Choice):
        return str(parameter.type.choices[0])
    is_number = isinstance(parameter.type, (click.types.IntParamType, click.types.FloatParamType))
    return "5" if is_number else "x"


def words_for(path: tuple[str, ...], command: click.Command, tried: click.Parameter, value: str) -> list[str]:
    """Return a command line in which one parameter has a value, and the others what they need."""
    options, arguments = [], []
    is_behind = False
    for each in command.params:
        text = value if each is tried else plain(each)
        if isinstance(each, click.Argument):
            if each is tried or each.required or (isinstance(tried, click.Argument) and not is_behind):
                arguments.append(text)
            is_behind |= each is tried
        elif each is tried or each.required:
            options += (
                [f"{each.opts[-1]}={text}"] if each.nargs == 1 else [each.opts[-1], *[text] * each.nargs]
            )
    return [*path, *options, "--", *arguments]


TRIED = [
    pytest.param(path, command, id=" ".join(path))
    for path, command in commands(cli)
    if any(is_tried(path, each) for each in command.params)
]


@pytest.mark.parametrize(("path", "command"), TRIED)
def test_no_value_of_a_parameter_is_a_crash(clawgit, room, monkeypatch, path, command) -> None:
    """Mutants: a path is expanded where it is used; a time is taken to another zone before it is looked at."""
    monkeypatch.chdir(room.root)
    for tried in (each for each in command.params if is_tried(path, each)):
        for value in VALUES:
            words = words_for(path, command, tried, value)
            done = clawgit(*words)
            assert done.code != ExitCode.BUG, (words, done.err)
    assert not list(cache_folder().glob("crash-*"))


@pytest.mark.smoke
@pytest.mark.parametrize("option", ["--workspace", "--now", "--op"])
@pytest.mark.parametrize(
    "path", [("status",), ("memory", "add"), ("session", "due"), ("keep",)], ids=" ".join
)
def test_no_value_of_an_option_of_all_commands_is_a_crash(clawgit, room, monkeypatch, option, path) -> None:
    monkeypatch.chdir(room.root)
    for value in (*VALUES, "x" * 5000):
        done = clawgit(*path, f"{option}={value}", *(["--", "The vet is in Bath."] if "add" in path else []))
        assert done.code != ExitCode.BUG, (value, done.err)
