"""Every command in the documents, typed as written and in order, each document in a fresh home.

A block that cannot run here has a line `<!-- not run: REASON -->` above it; there are no more of them than before.
"""

from __future__ import annotations

import inspect
import json
import re
import shlex
import shutil
from importlib import import_module
from typing import TYPE_CHECKING

import click
import pytest
from documents_world import BEFORE, ENDS_WITH, WORLD, files_of_ada
from tests_folder import TESTS
from typed_commands import Typist, blocks_of

from clawgit.cli.app import App
from clawgit.cli.main import cli

if TYPE_CHECKING:
    from pathlib import Path

DOCS = TESTS.parent / "docs"
OWN_TEST = {"moving.md"}  # two machines: test_moving
GENERATED = {"commands.md"}
PAGES = [
    page
    for page in sorted(DOCS.glob("*.md"))
    if page.name not in OWN_TEST | GENERATED and any(block.is_run for block in blocks_of(page))
]
PROGRAMS = (DOCS / "programs.md").read_text("utf-8")
MOST_NOT_RUN = 20
NOW = "2026-03-20T09:00:00+00:00"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """Return where the home of somebody who has used clawgit for a fortnight is made, once."""
    return {"at": tmp_path_factory.mktemp("world") / "home"}


@pytest.fixture
def home(ada: Path, world: dict[str, object], tmp_path: Path) -> Typist:
    made = world["at"]
    if "said" not in world:
        made.mkdir()
        files_of_ada(made)
        typist = Typist(made, NOW)
        for at, command in WORLD:
            code, said = typist.type(command, now=at)
            assert code == 0, f"{command}: {said}"
        world["said"] = typist.said
    shutil.copytree(made, tmp_path / "home", symlinks=True)
    return Typist(tmp_path / "home", NOW, str(world["said"]))


@pytest.mark.rest
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_document_works_as_written(page: Path, home: Typist) -> None:
    home.type("cd ~/agent")
    commands = [command for block in blocks_of(page) if block.is_run for command in block.commands]
    wrong = []
    for command in commands:
        for prepared in next((BEFORE[start] for start in BEFORE if command.startswith(start)), ()):
            code, said = home.type(prepared)
            assert code == 0, f"{prepared}: {said}"
        code, said = home.type(command)
        if code != ENDS_WITH.get(command, 0):
            wrong.append(f"{command}\n  ended with {code}: {said}")
    assert not wrong, "\n".join(wrong)


def test_few_blocks_of_the_documents_are_not_run() -> None:
    pages = [*DOCS.glob("*.md"), TESTS.parent / "README.md"]
    left_out = [block for page in pages for block in blocks_of(page) if not block.is_run]

    assert len(left_out) <= MOST_NOT_RUN


def test_the_examples_of_every_command_fit_its_words() -> None:
    """They are parsed, not run: a command's help has no story in which they follow each other."""
    text = (DOCS / "commands.md").read_text("utf-8")
    examples = re.findall(r"^ {4}(?:\w+=\w+ )*(?:.*\| )?clawgit (.+)$", text, re.MULTILINE)

    assert len(examples) > 150
    for example in examples:
        parse(shlex.split(re.split(r" [|<>] ", example)[0], comments=True))


def parse(words: list[str]) -> None:
    """Read words as the command line does, without doing what they say."""
    context = cli.make_context("clawgit", words, obj=App({}, words=tuple(words)))
    while isinstance(context.command, click.Group):
        rest = [*context._protected_args, *context.args]
        if not rest:
            return
        name, command, rest = context.command.resolve_command(context, rest)
        assert command is not None
        context = command.make_context(name, rest, parent=context)


@pytest.mark.rest
def test_the_json_of_every_command_is_as_the_page_for_programs_says(home: Typist) -> None:
    rows = re.findall(r"^\| `(clawgit .+)` \| `([\[{].*)` \|$", PROGRAMS, re.MULTILINE)

    assert len(rows) > 50
    home.type("cd ~/agent")
    wrong = [(command, said) for command, shape in rows if (said := json_shape(home, command)) != shape]
    assert not wrong


def json_shape(home: Typist, command: str) -> str:
    """Return the keys of what a command prints as JSON, in brackets if it is a list."""
    code, said = home.type(f"{command} --json")
    assert code == ("runner status" in command), f"{command}: {said}"  # days without a runner
    data = json.JSONDecoder().raw_decode(said[re.search(r"^[\[{]", said, re.MULTILINE).start() :])[0]
    keys = data[0] if data and isinstance(data, list) else data
    shape = f"{{{', '.join(keys)}}}" if isinstance(keys, dict) else ""
    return f"[{shape}]" if isinstance(data, list) else shape


@pytest.mark.rest
def test_the_stable_functions_are_there_and_the_python_of_the_page_works(
    home: Typist, monkeypatch, capsys
) -> None:
    for module, name, words in re.findall(r"\| `([\w.]+)\.(\w+)\(([\w, ]*)\)` \|", PROGRAMS):
        assert ", ".join(inspect.signature(getattr(import_module(module), name)).parameters) == words
    (code,) = re.findall(r"```python\n(.*?)```", PROGRAMS, re.DOTALL)
    monkeypatch.chdir(home.home)

    exec(code, {})

    assert "The office address is Harbour Street 4." in capsys.readouterr().out
