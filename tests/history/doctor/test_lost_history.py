"""An old commit, folder or text is lost: memory goes on, and says so.

Mutants that these tests caught: the settings fall back to their defaults; the first commit that is left is taken for the
author of all that it holds; what is older can be pruned.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.trust_lookup import present_fold

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOW = "2026-03-19T12:00"
ANIMALS = ("zebra", "parrot", "otter", "badger", "heron", "lynx")
LOST = {
    "commit": "HEAD~3",
    "tree": "HEAD~3^{tree}",
    "folder": "HEAD~3:memory",
    "text": "HEAD~3:memory/houses.md",
}


def git(root: Path, *words: str, stdin: bytes = b"") -> str:
    done = subprocess.run(["git", "-C", str(root), *words], input=stdin, capture_output=True, check=True)
    return done.stdout.decode()


def without(root: Path, lost: str, *, packed: bool) -> None:
    """Take one object away, from among loose ones or out of a pack."""
    packs = root / ".git/objects/pack"
    every = [
        line.split()[0] for line in git(root, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    ]
    assert lost in every
    data = subprocess.run(
        ["git", "-C", str(root), "pack-objects", "--stdout", "-q", "--window=0"],
        input="".join(f"{each}\n" for each in every if each != lost).encode(),
        capture_output=True,
        check=True,
    ).stdout
    for path in [*packs.iterdir(), *(root / ".git/objects").glob("[0-9a-f][0-9a-f]/*")]:
        path.unlink()
    git(root, *(("index-pack", "--stdin") if packed else ("unpack-objects", "-q")), stdin=data)


@pytest.fixture
def command(room, forked, lived_once) -> Callable[..., Any]:
    """Return what runs a command in a workspace that remembers six animals, in JSON where it succeeds."""

    def run(*words: str, code: int = 0, **extra: str) -> Any:
        done = forked(room.root, *words, "--json", CLAWGIT_NOW=NOW, CLAWGIT_REHEARSE="1", **extra)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None

    def life() -> None:
        run("config", "set", "search_max_results", "5")
        run("config", "set", "soul_policy", "locked")
        for number, animal in enumerate(ANIMALS, 1):
            statement = f"The {animal} lives in the house number {number}."
            run("memory", "add", statement, "--to", "memory/houses.md")

    lived_once("six animals", life)
    return run


def trusts(run: Callable[..., Any]) -> list[str]:
    return [
        str(run("why", f"The {animal} lives in the house number {number}.")["trust"])
        for number, animal in enumerate(ANIMALS, 1)
    ]


def in_force(run: Callable[..., Any]) -> dict[str, Any]:
    wanted = ("search_max_results", "soul_policy")
    return {each["key"]: each["value"] for each in run("config", "show") if each["key"] in wanted}


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "packed", [pytest.param(False, id="loose"), pytest.param(True, id="packed", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("name", LOST.values(), ids=LOST)
def test_memory_goes_on_and_says_what_is_missing(room, command, name: str, packed: bool) -> None:
    lost = git(room.root, "rev-parse", name).strip()
    without(room.root, lost, packed=packed)
    (room.history.state / "fold.db").unlink(missing_ok=True)
    settings = in_force(command)

    found = command("memory", "search", "where does the zebra live")
    context = command("context", "--query", "where does the zebra live")
    added = command("memory", "add", "The crane lives in the house number 7.")
    doctor = command("doctor", code=1)

    assert "zebra" in found["results"][0]["snippet"]
    assert "zebra" in context["text"]
    assert all("history cannot be read to its beginning" in each["note"] for each in (found, context))
    assert added["commit"] == git(room.root, "rev-parse", "HEAD").strip()
    assert settings == in_force(command) == {"search_max_results": 5, "soul_policy": "locked"}
    assert command("status")["branch"] == "main"
    assert any(lost in each["what"] for each in doctor)


@pytest.mark.usefixtures("command")
def test_a_log_of_a_history_with_a_gap_does_not_say_that_nothing_changed(room, forked) -> None:
    without(room.root, git(room.root, "rev-parse", LOST["commit"]).strip(), packed=False)
    (room.history.state / "fold.db").unlink(missing_ok=True)

    said = forked(room.root, "log", CLAWGIT_NOW=NOW, CLAWGIT_REHEARSE="1").stderr

    assert "Nothing changed" not in said
    assert "history cannot be read to its beginning" in said


def test_what_was_half_read_into_memory_is_left(tmp_path) -> None:
    """Mutant: the disk is full and then an object is missing, and half of a history is shown as all of it."""
    with open_fold(tmp_path) as store:
        store.go_on_in_memory()
        store.clear()
        store.finish(["1234"], 1, "")
        store.go_on_in_memory()

        assert store.tips() == frozenset()


@pytest.mark.usefixtures("command")
def test_who_reads_a_history_with_a_gap_holds_up_nobody(room) -> None:
    """Seen: each question waited ten seconds for another reading of its own process."""
    without(room.root, git(room.root, "rev-parse", LOST["commit"]).strip(), packed=False)
    fold = room.history.state / "fold.db"
    fold.unlink(missing_ok=True)

    with present_fold(room.history), closing(sqlite3.connect(fold, timeout=0)) as other:
        other.execute("BEGIN EXCLUSIVE")

        assert room.history.objects.unread


@pytest.mark.rest
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", LOST.values(), ids=LOST)
def test_where_git_is_told_that_the_history_begins_behind_it_everything_goes_on(room, command, name) -> None:
    """The way of docs/recovery.md."""
    lost = git(room.root, "rev-parse", name).strip()
    oldest, before, after = (
        git(room.root, "rev-parse", each).strip() for each in ("HEAD~7", "HEAD~4", "HEAD~2")
    )
    without(room.root, lost, packed=False)
    (room.history.state / "fold.db").unlink(missing_ok=True)

    git(room.root, "update-ref", f"refs/clawgit/past/{before}", before)
    with (room.root / ".git/shallow").open("a") as file:
        file.write(f"{after}\n")

    everything_works(command)
    git(room.root, "reflog", "expire", "--expire=now", "--all")
    git(room.root, "gc", "-q", "--prune=now")
    assert git(room.root, "cat-file", "-t", oldest) == "commit\n"
    assert trusts(command) == [
        *["operator"] * 2,
        *["host"] * 2,
        *["operator"] * 2,
    ]  # what nobody vouches for is at most a host's
    assert in_force(command) == {"search_max_results": 5, "soul_policy": "locked"}
    assert command("doctor") == []


def everything_works(run: Callable[..., Any]) -> None:
    found = run("memory", "search", "where does the zebra live")
    assert "zebra" in found["results"][0]["snippet"]
    assert "note" not in found
    assert "zebra" in run("context", "--query", "where does the zebra live")["text"]
    added = run("memory", "add", "The crane lives in the house number 7.")
    assert run("why", "The crane lives in the house number 7.")
    assert run("why", "The zebra lives in the house number 1.")
    assert run("soul", "log")
    assert run("undo", added["commit"], "--reason", "A crane is no pet.")["commit"]
    assert run("status")["branch"] == "main"
