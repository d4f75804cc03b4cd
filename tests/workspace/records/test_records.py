"""records.db: migrated once whoever opens it first, private, and never taken for new when it is damaged.

Mutants that these tests caught: transactions that begin by reading, no second look at the number inside the
transaction, a lock that is waited for without end.
"""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bad_input import DAMAGES
from processes_at_once import run_at_once
from rounds import some

from clawgit.workspace.records.records import MIGRATIONS, BackupNote, open_records
from clawgit.workspace.records.sqlite_files import (
    MOST_LOG_BYTES,
    BusyStoreError,
    DamagedStoreError,
    RecordsError,
    connect,
    copy_store,
)

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
FORK = multiprocessing.get_context("fork")
COMMIT = "1" * 40


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(connect(path)) as db:
        return db.execute(query).fetchall()


def test_a_tip_is_noted_when_it_differs_from_the_last_one(path) -> None:
    with open_records(path, NOW) as records:
        noted = [
            records.note_tip("refs/heads/main", COMMIT, NOW),
            records.note_tip("refs/heads/main", COMMIT, NOW + timedelta(hours=1)),
            records.note_tip("refs/heads/other", COMMIT, NOW + timedelta(hours=2)),
            records.note_tip("refs/heads/main", COMMIT, NOW + timedelta(hours=3)),
        ]

    assert noted == [True, False, True, True]
    assert rows(path, "SELECT seen_at, branch FROM tips ORDER BY rowid") == [
        ("2026-03-19T10:22:00+00:00", "refs/heads/main"),
        ("2026-03-19T12:22:00+00:00", "refs/heads/other"),
        ("2026-03-19T13:22:00+00:00", "refs/heads/main"),
    ]


def test_the_last_backup_is_the_one_made_last(path) -> None:
    first = BackupNote(NOW, "/mnt/a", 10)
    second = BackupNote(NOW + timedelta(days=1), "/mnt/b", 20)
    with open_records(path, NOW) as records:
        assert records.last_backup() is None
        for note in (second, first, first):
            records.note_backup(note)

        assert records.last_backup() == second
    assert rows(path, "SELECT COUNT(*) FROM backups") == [(2,)]


def test_names_that_are_no_utf8_can_be_noted(path) -> None:
    with open_records(path, NOW) as records:
        assert records.note_tip(os.fsdecode(b"refs/heads/\xff"), COMMIT, NOW)
        assert not records.note_tip(os.fsdecode(b"refs/heads/\xff"), COMMIT, NOW)


def test_only_the_owner_reads_it_and_what_stands_beside_it(path) -> None:
    old = os.umask(0)
    try:
        with open_records(path, NOW) as records:
            records.note_tip("refs/heads/main", COMMIT, NOW)
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(old)

    assert modes == {"records.db": 0o600, "records.db-wal": 0o600, "records.db-shm": 0o600}


def test_nothing_is_left_beside_it_after_closing(path) -> None:
    with open_records(path, NOW):
        pass

    assert [file.name for file in path.parent.iterdir()] == ["records.db"]
    assert rows(path, "PRAGMA journal_mode") == [("wal",)]


def test_what_may_get_lost_is_left_in_the_log_and_merged_by_the_next(path) -> None:
    with open_records(path, NOW) as records:
        records.note_tip("refs/heads/main", COMMIT, NOW)
    with open_records(path, NOW, may_get_lost=True) as records:
        records.note_tip("refs/heads/other", COMMIT, NOW)
    log = path.with_name("records.db-wal")
    assert log.stat().st_size > 0

    with open_records(path, NOW) as records:
        assert records.tips_around(NOW, NOW)[0] == COMMIT

    assert not log.exists()
    assert rows(path, "SELECT branch FROM tips ORDER BY rowid") == [
        ("refs/heads/main",),
        ("refs/heads/other",),
    ]


def test_a_log_that_has_grown_is_merged_by_the_next_although_that_may_get_lost(path) -> None:
    log = path.with_name("records.db-wal")
    with open_records(path, NOW, may_get_lost=True) as records:
        records.note_tip("x" * MOST_LOG_BYTES, COMMIT, NOW)
    assert log.stat().st_size > MOST_LOG_BYTES

    with open_records(path, NOW, may_get_lost=True) as records:
        records.note_tip("refs/heads/other", COMMIT, NOW)

    assert not log.exists()


def test_a_new_store_gets_nothing_of_the_log_of_one_that_was_removed(path) -> None:
    with open_records(path, NOW, may_get_lost=True) as records:
        records.note_tip("refs/heads/gone", COMMIT, NOW)
    path.unlink()

    with open_records(path, NOW) as records:
        assert records.tips_since() is None

    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


def open_at_once(path: Path, number: int, start: object) -> None:
    start.wait()  # type: ignore[attr-defined]
    with open_records(path, NOW) as records:
        records.note_tip(f"refs/heads/{number}", COMMIT, NOW)


@pytest.mark.rest
@pytest.mark.parametrize("there", [False, True], ids=["no file yet", "a file without tables"])
@pytest.mark.parametrize("attempt", some(range(5), each=5))
def test_eight_processes_at_once_apply_each_migration_once(path, there, attempt) -> None:
    if there:
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
    start = FORK.Barrier(8)

    ended = run_at_once(open_at_once, ((path, n, start) for n in range(8)))

    assert ended == [0] * 8
    assert rows(path, "SELECT number FROM migrations") == [(n + 1,) for n in range(len(MIGRATIONS))]
    assert len(rows(path, "SELECT * FROM tips")) == 8
    assert not list(path.parent.glob(".clawgit-new-*"))


def test_a_newer_one_is_refused_and_left_untouched(path) -> None:
    with open_records(path, NOW):
        pass
    with closing(connect(path)) as db:
        db.execute("INSERT INTO migrations VALUES (99, '2027-01-01')")
    before = path.read_bytes()

    with pytest.raises(RecordsError, match="newer clawgit"), open_records(path, NOW):
        pass

    assert path.read_bytes() == before


@pytest.mark.parametrize("damaged", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_one_is_refused_and_left_untouched(path, damaged) -> None:
    with open_records(path, NOW) as records:
        records.note_tip("refs/heads/main", COMMIT, NOW)
    path.write_bytes(data := damaged(path.read_bytes()))

    with pytest.raises(DamagedStoreError, match="--restore"), open_records(path, NOW) as records:
        records.tips_since()

    assert path.read_bytes() == data


def test_a_migration_that_was_killed_left_nothing(path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        db.execute(MIGRATIONS[0][0])  # and then it died: the transaction never ended

    with open_records(path, NOW) as records:
        assert records.note_tip("refs/heads/main", COMMIT, NOW)


def test_a_missing_folder_is_a_sentence(tmp_path) -> None:
    with (
        pytest.raises(RecordsError, match="cannot be made"),
        open_records(tmp_path / "x" / "records.db", NOW),
    ):
        pass


def note_many(path: Path, count: int) -> None:
    for number in range(count):
        with open_records(path, NOW) as records:
            records.note_backup(BackupNote(NOW, str((os.getpid(), number)), number))


@pytest.mark.rest
def test_no_note_of_many_writers_is_lost(path) -> None:
    ended = run_at_once(note_many, [(path, 25)] * 6)

    assert ended == [0] * 6
    assert rows(path, "SELECT COUNT(*) FROM backups") == [(150,)]


def test_a_copy_of_a_store_that_stays_locked_is_refused(tmp_path) -> None:
    path = tmp_path / "messages.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE said (words TEXT)")
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("INSERT INTO said VALUES ('x')")

        with pytest.raises(BusyStoreError, match="busy"):
            copy_store(path, tmp_path / "copy.db", wait_seconds=0.1)


def test_a_log_that_another_process_merges_at_that_moment_is_no_error(path, monkeypatch) -> None:
    """Mutant: it is looked for, and then measured."""
    with open_records(path, NOW):
        pass
    log = path.with_name("records.db-wal")
    log.touch()
    exists = Path.exists

    def merged_then(asked: Path) -> bool:
        is_there = exists(asked)
        if asked == log:
            log.unlink(missing_ok=True)
        return is_there

    monkeypatch.setattr(Path, "exists", merged_then)
    with open_records(path, NOW, may_get_lost=True) as records:
        assert records.note_tip("refs/heads/main", COMMIT, NOW)
