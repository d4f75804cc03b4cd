"""What a command loads: counts and names of modules, since times are the machine's."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest
from forked_program import TELLS_MODULES, told_modules

from clawgit.cli.main import COMMANDS, cli
from clawgit.cli.memory.memory import memory_group
from clawgit.history.authorship.commit_messages import FIRST_MOVES_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.cli.lazy_group import LazyGroup

TAB = {"_CLAWGIT_COMPLETE": "bash_complete", "COMP_WORDS": "clawgit mem", "COMP_CWORD": "1"}


@pytest.fixture
def loaded(room) -> Callable[..., set[str]]:
    """Return a function that runs the program in the workspace and returns the modules that it loaded."""

    def call(*words: str, environment: dict[str, str] | None = None) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-P", "-c", TELLS_MODULES, *words],
            capture_output=True,
            check=True,
            cwd=room.root,
            env={**os.environ, **(environment or {})},
            text=True,
        )
        return told_modules(done.stderr)[1]

    return call


def of_clawgit(modules: set[str]) -> set[str]:
    """Return the modules of ours, without the folders that they are in."""
    return {name for name in modules if name.startswith("clawgit.")}


TABLES = [
    (group, name) for group in (cli, memory_group) for name in group.list_commands(click.Context(group))
]


@pytest.mark.parametrize(("group", "name"), TABLES, ids=[f"{group.name} {name}" for group, name in TABLES])
def test_the_table_says_of_a_command_what_its_help_begins_with(group: LazyGroup, name: str) -> None:
    command = group.get_command(click.Context(group), name)

    assert command is not None
    assert {"remember": "add"}.get(name, name) == command.name
    assert not command.hidden
    assert command.get_short_help_str(1000) == group.table[name][1]


@pytest.mark.parametrize(
    ("words", "environment"), [pytest.param(["--help"], {}, id="help"), pytest.param([], TAB, id="TAB")]
)
def test_the_list_of_commands_loads_none_of_them(loaded, words, environment) -> None:
    """Mutant: the list asks each command for its help."""
    modules = loaded(*words, environment=environment)

    places = {place.partition(":")[0] for place, _ in COMMANDS.values()} - {"main"}  # which has the list
    assert not {f"clawgit.cli.{place}" for place in places} & modules
    assert "pygit2" not in modules
    assert len(of_clawgit(modules)) <= 21


def test_the_help_of_a_command_loads_nothing_of_what_it_does(loaded) -> None:
    """Mutant: what remembers and prints entries is loaded with the group, for `remember --help` as well."""
    modules = of_clawgit(loaded("remember", "--help"))

    assert {"clawgit.operations.memory", "clawgit.cli.memory.entry_output"} & modules == set()
    assert len(modules) <= 26


WRITING = (
    "clawgit.history.transaction.",
    "clawgit.history.apply_plan",
    "clawgit.history.guards",
    "clawgit.agents",
)
HEAVY = ("pygit2", "yaml", "rapidfuzz", "markdown_it", "chromadb", "numpy")


def of_kind(modules: set[str], kinds: tuple[str, ...]) -> list[str]:
    return sorted(name for name in modules if name.startswith(kinds))


@pytest.fixture
def used(room, forked):
    """Return a workspace with an entry and a message, in which each store was made and everything is caught up with."""
    room.keep("operator")
    for words in (["memory", "add", "Ada prefers tea.", "--to", "MEMORY.md"], *READING):
        assert forked(room.root, *words).returncode == 0
    return room


READING = {
    ("status",): (120, ()),  # with the news of the last day
    ("soul", "log"): (71, ()),
    ("memory", "get", "MEMORY.md"): (71, ()),  # keys are masked
    ("memory", "list"): (81, ()),
    ("memory", "search", "what does Ada prefer, tea or wontons"): (145, ()),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_command_that_reads_loads_neither_what_writes_nor_what_it_does_not_need(
    used, loaded, words
) -> None:
    """Mutants: the guards are loaded to find that nothing arrived; CONFIG.md is read as YAML again."""
    most, needed = READING[words]

    modules = loaded(*words)

    assert [name for name in of_kind(modules, (*WRITING, *HEAVY)) if not name.startswith(needed)] == []
    assert len(of_clawgit(modules)) <= most


MOST_LOADED = {  # without folders
    ("memory", "search", "when is the review"): 124,
    ("context",): 122,
    ("chat", "add", "Remember: the review is on the 4th."): 187,
    ("undo", "m:"): 111,
}


@pytest.mark.rest
def test_what_is_asked_often_loads_no_more_than_it_did(used, forked, loaded) -> None:
    """Mutant: undoing an entry loads what reads orders to forget, which only `forget` and words need."""
    assert forked(used.root, "chat", "add", "Remember: the review is on the 3rd.").returncode == 0
    entry = re.findall(r"<!-- (m:\w+)", used.read("MEMORY.md"))[-1]
    too_many = {}
    for words, most in MOST_LOADED.items():
        assert forked(used.root, "status").returncode == 0
        modules = of_clawgit(loaded(*(entry if word == "m:" else word for word in words)))
        folders = {name.rpartition(".")[0] for name in modules}
        if len(modules - folders) > most:
            too_many[words] = len(modules - folders)

    assert too_many == {}


@pytest.mark.rest
def test_a_message_that_changes_nothing_loads_nothing_that_writes(used, loaded) -> None:
    """Mutant: the agent that writes links is loaded to say which entry a message may correct."""
    modules = loaded("chat", "add", "The board meets on Monday.")

    assert "clawgit.agents.link_messages" in modules
    assert of_kind(modules, ("clawgit.agents.run_agent", "clawgit.history.undo", *WRITING[:-1], *HEAVY)) == []


@pytest.mark.rest
def test_status_loads_no_agent_for_what_one_would_move_and_no_parser_for_a_correction(
    used, forked, loaded
) -> None:
    """Mutants: a reworded line is looked up among the entries; the waiting agents are loaded to name them."""
    assert forked(used.root, "correct", "Ada prefers tea.", "Ada prefers coffee.").returncode == 0
    waiting = {
        "memory-compactor": {"since": "2026-03-19T10:22:00+00:00", "moves": ["2 notes"], "rejected": False}
    }
    assert forked(used.root, "status").returncode == 0  # what is new of provenance is read once
    (used.root / ".git/clawgit" / FIRST_MOVES_FILE).write_text(json.dumps(waiting))

    modules = loaded("status")

    assert "clawgit.agents.first_rearrangement" in modules
    assert of_kind(modules, ("clawgit.agents.compactor", "clawgit.history.apply_plan", *HEAVY)) == []


@pytest.mark.rest
def test_a_first_move_that_waits_costs_no_walk_over_the_history(used, forked, loaded) -> None:
    """Mutant: git looks through all messages for an answer, once for each agent."""
    waiting = {"organizer": {"since": "2026-03-19T10:22:00+00:00", "moves": ["2 notes"], "rejected": False}}
    (used.root / ".git/clawgit" / FIRST_MOVES_FILE).write_text(json.dumps(waiting))
    assert forked(used.root, "status").returncode == 0

    modules = loaded("pending")

    assert "clawgit.agents.first_rearrangement" in modules
    assert "subprocess" not in modules


def test_pending_loads_no_agent_to_count_links_where_there_is_none(used, forked, loaded) -> None:
    """Mutant: all that corrects is loaded at each call."""
    assert forked(used.root, "pending").returncode == 0

    modules = loaded("pending")

    assert of_kind(modules, ("clawgit.agents.door", "clawgit.history.apply_plan", *HEAVY)) == []


@pytest.mark.rest
def test_all_of_a_long_text_is_printed_before_the_process_ends(room) -> None:
    """Mutant: the process ends with what it printed still in its buffer."""
    text = "- Ada prefers tea.\n" * 20_000
    room.write("MEMORY.md", text)

    done = subprocess.run(
        [sys.executable, "-P", "-m", "clawgit", "memory", "get", "MEMORY.md"],
        capture_output=True,
        check=True,
        cwd=room.root,
        text=True,
    )

    assert done.stdout == text


@pytest.mark.rest
def test_a_command_that_writes_leaves_nothing_to_be_looked_at_by_the_next(room, forked, loaded) -> None:
    """Mutant: the commit waits for the next command, which loads the guards for it."""
    forked(room.root, "memory", "add", "Ada prefers tea.", "--to", "MEMORY.md")

    assert "clawgit.history.reconcile" not in loaded("soul", "log")
