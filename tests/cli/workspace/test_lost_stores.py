"""A store that somebody deletes is made anew, empty: doctor says what history cites of it and it does not hold.

Mutants seen to fail here: nobody looks; only whether the file is there is looked at.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

IN_ORDER = "Everything is in order.\n"


@pytest.fixture
def learned(clawgit, room) -> Path:
    """Return the state folder of a workspace that learned something from a message."""
    for number, words in enumerate(("my flight to Oslo is on 12 March", "my sister lives in Bergen")):
        stored = clawgit("chat", "add", f"Please remember that {words}.")
        mined = clawgit("--now", f"2026-03-19T1{number + 1}:00:00+00:00", "run", "memory-miner")
        assert (stored.code, mined.code) == (0, 0), mined.err
    assert clawgit("doctor").out == IN_ORDER
    return room.history.state


def remove(state: Path, *names: str) -> None:
    for name in names:
        (state / name).unlink(missing_ok=True)


def all_of(name: str) -> tuple[str, ...]:
    return (name, f"{name}-wal", f"{name}-shm")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "what"),
    [("messages.db", "2 of 2 messages"), ("records.db", "2 of 2 runs")],
    ids=["messages", "records"],
)
@pytest.mark.parametrize(
    "then", [(), ("chat", "add", "Hello again.")], ids=["at once", "after more was said"]
)
def test_a_store_that_is_gone_is_named(clawgit, learned, name, what, then) -> None:
    remove(learned, *all_of(name))
    if then:
        assert clawgit(*then).code == 0

    done = clawgit("doctor")

    assert done.code == 1
    assert f"{what} that changes of this workspace cite are not in {name}" in done.out
    assert "clawgit backup --restore FILE" in done.out


def test_a_log_of_sqlites_that_is_gone_with_its_messages_is_named(clawgit, learned, room) -> None:
    store = learned / "messages.db"
    with closing(sqlite3.connect(store)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(sqlite3.connect(store)) as left:  # as the service keeps it open
        left.execute("SELECT 1 FROM messages").fetchone()
        assert clawgit("chat", "add", "Please remember that my dog is called Ole.").code == 0
        assert clawgit("--now", "2026-03-19T14:00:00+00:00", "run", "memory-miner").code == 0
        copy = store.read_bytes()
    store.write_bytes(copy)
    remove(learned, "messages.db-wal", "messages.db-shm")

    # Another process: this one is connected still, and the log that is gone is its own.
    elsewhere = [sys.executable, "-m", "clawgit", "-w", str(room.root), "doctor"]
    done = subprocess.run(elsewhere, capture_output=True, text=True, check=False)

    assert "1 of 3 messages that changes of this workspace cite are not in messages.db" in done.stdout


def test_a_clone_that_never_had_the_records_is_in_order(clawgit, learned, room, tmp_path) -> None:
    room.git("clone", "-q", ".", str(tmp_path / "clone"))
    assert clawgit("init", str(tmp_path / "clone")).code == 0

    assert "that changes of this workspace cite" not in clawgit("-w", str(tmp_path / "clone"), "doctor").out


@pytest.mark.rest
def test_what_he_had_forgotten_is_not_told_as_lost(clawgit, room) -> None:
    """Mutant: a message that an order to forget deleted, or the order, counts as lost."""
    assert clawgit("chat", "add", "Remember: Paul's phone number is 0171 5550199.").code == 0
    assert clawgit("chat", "add", "Please forget Paul's phone number.").code == 0
    later = "2026-03-22T04:00:00+00:00"
    assert clawgit("--now", later, "runner", "once").code == 0

    assert "5550199" not in clawgit("--now", later, "chat", "log").out
    assert "that changes of this workspace cite" not in clawgit("--now", later, "doctor").out


@pytest.mark.usefixtures("learned")
def test_a_workspace_whose_state_is_gone_is_named_and_comes_back(
    clawgit, room, tmp_path, monkeypatch
) -> None:
    """Seen: "There is no clawgit workspace", and `init` moved the files that clawgit had rendered to Archive/Adopted/."""
    monkeypatch.chdir(room.root)
    backup = str(tmp_path / "records.bak")
    assert clawgit("backup", backup).code == 0
    shutil.rmtree(room.history.state)

    told = clawgit("status").err
    assert "was a workspace, and its .git/clawgit is gone" in told
    assert "backup --restore FILE" in told
    made = clawgit("init", ".")

    assert "was a workspace, and its .git/clawgit is gone" in made.out
    assert not (room.root / "Archive/Adopted").exists()
    assert clawgit("backup", "--restore", backup).code == 0
    assert "Bergen" in clawgit("chat", "log").out
