"""Connections that stay open between readings: one reader each, one file each, none behind a fork."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from clawgit.workspace.records.sqlite_files import leaving, taken

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store that says 1."""
    return _made(tmp_path / "store.db", 1)


def _made(path: Path, value: int) -> Path:
    db = _connected(path)
    db.execute("CREATE TABLE said (value)")
    db.execute("INSERT INTO said VALUES (?)", (value,))
    db.close()
    return path


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def _read(path: Path) -> tuple[int, sqlite3.Connection]:
    with leaving(taken(path, partial(_connected, path))) as db:
        db.execute("BEGIN")
        (value,) = db.execute("SELECT value FROM said").fetchone()
    return int(value), db


def test_the_next_reading_has_the_same_connection_and_sees_what_others_wrote_meanwhile(store) -> None:
    _, first = _read(store)
    other = _connected(store)
    other.execute("UPDATE said SET value = 2")
    other.close()

    value, second = _read(store)

    assert value == 2
    assert second is first


def test_two_readers_at_once_have_a_connection_each(store) -> None:
    connect = partial(_connected, store)

    with leaving(taken(store, connect)) as one, leaving(taken(store, connect)) as another:
        assert one is not another


def test_a_file_that_was_put_in_the_place_of_another_is_opened_anew(store) -> None:
    _read(store)
    _made(store.with_name("new.db"), 2).rename(store)

    assert _read(store)[0] == 2


def test_what_is_written_after_somebody_took_the_log_away_is_kept(store) -> None:
    """Mutant: SQLite goes on writing into the log that is gone, and all of it is lost in the end."""
    db = _connected(store)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    for value in (2, 3):
        with leaving(taken(store, partial(_connected, store))) as db:
            db.execute("UPDATE said SET value = ?", (value,))
        for ending in ("-wal", "-shm"):
            store.with_name(store.name + ending).unlink()
    with leaving(taken(store, partial(_connected, store))) as db:
        db.execute("INSERT INTO said VALUES (4)")

    read = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT value FROM said').fetchall())"
    elsewhere = subprocess.run(
        [sys.executable, "-c", read, store], capture_output=True, text=True, check=True
    )
    assert elsewhere.stdout == "[(3,), (4,)]\n"


def test_a_reading_that_fails_leaves_no_connection(store) -> None:
    kept = taken(store, partial(_connected, store))

    with pytest.raises(RuntimeError), leaving(kept):
        raise RuntimeError

    with pytest.raises(sqlite3.ProgrammingError):
        kept.db.execute("SELECT 1")
    assert _read(store)[1] is not kept.db


def test_a_fork_opens_its_own(store) -> None:
    _, before = _read(store)
    child = os.fork()
    if child == 0:
        value, mine = _read(store)
        os._exit(0 if value == 1 and mine is not before else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
