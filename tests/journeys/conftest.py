"""The home of a person whom git knows, and commands that begin with everything imported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ONCE = [
    ["init"],
    ["memory", "add", "The review is on Wednesday.", "--to", "MEMORY.md"],
    ["chat", "add", "No, the review is on Thursday."],
    ["chat", "add", "I prefer tea over coffee."],
    ["run", "recall-validator"],
    ["run", "memory-miner"],
    ["memory", "search", "when is the review"],
    ["memory", "list"],
]


@pytest.fixture
def ada(own_home: Path) -> Path:
    """Return the test's home, in which git knows Ada."""
    (own_home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    return own_home


@pytest.fixture(scope="session")
def done_once() -> list[str]:
    """Return what this process has done already."""
    return []


@pytest.fixture
def ready(ada: Path, tmp_path: Path, done_once: list[str]) -> None:
    """Do an agent's work once in this process: forks of it have imported and compiled what takes most of a start."""
    if done_once:
        return
    for words in ONCE:
        assert run(["-w", str(tmp_path / "warm"), *words], {"CLAWGIT_NOW": "2026-03-19T12:00"}) == 0
        done_once.extend(words)


@pytest.fixture
def told(forked, ready) -> Callable[..., Any]:
    """Return a function that runs a command in a process of its own and returns what it says in JSON."""

    def call(root: Path, *words: str, now: str) -> Any:
        done = forked(root, *words, "--json", CLAWGIT_NOW=now)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return call
