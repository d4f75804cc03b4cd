"""messages.db as a file: private, made once whoever is first, never taken for new when it is damaged.

Mutants that these tests caught: a store of no bytes taken for a new one, a keyword table that is not renewed.
"""

from __future__ import annotations

import multiprocessing
import os
import stat
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from bad_input import DAMAGES
from processes_at_once import run_at_once

from clawgit.capture.messages import sqlite_messages
from clawgit.capture.messages.message import MessageQuery
from clawgit.capture.messages.message_store import Clone, MessageStore
from clawgit.capture.messages.sqlite_messages import MIGRATIONS, SqliteMessages
from clawgit.workspace.records.sqlite_files import (
    BusyStoreError,
    DamagedStoreError,
    RecordsError,
)

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
LATE = datetime(2090, 1, 1, tzinfo=UTC)  # nothing is dated ahead of it
FORK = multiprocessing.get_context("fork")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "messages.db"


def opened(path: Path) -> MessageStore:
    return MessageStore(SqliteMessages(path, NOW), "ws")


class Explained(SqliteMessages):
    """A store that remembers how its last question was answered."""

    def rows(self, sql, values):
        self.plan = [row[3] for row in super().rows(f"EXPLAIN QUERY PLAN {sql}", values)]
        return super().rows(sql, values)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(MessageQuery(), id="all"),
        pytest.param(MessageQuery(conversation="home"), id="one conversation"),
        pytest.param(MessageQuery(session="s"), id="one session"),
        pytest.param(MessageQuery(flagged=True), id="flagged"),
        pytest.param(MessageQuery(role="user", since=NOW), id="since then"),
    ],
)
def test_the_latest_messages_are_read_from_the_end_and_not_all_sorted(path, query) -> None:
    """Half a second for a million messages otherwise."""
    database = Explained(path, NOW)
    store = MessageStore(database, "ws")
    store.log(query)
    store.close()

    assert "USE TEMP B-TREE FOR ORDER BY" not in database.plan


def test_only_the_owner_reads_it_and_what_stands_beside_it(path, said) -> None:
    old = os.umask(0)
    try:
        store = opened(path)
        store.add([said("a")])
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        store.close()
    finally:
        os.umask(old)

    assert modes == {"messages.db": 0o600, "messages.db-wal": 0o600, "messages.db-shm": 0o600}


@pytest.mark.parametrize("damaged", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_one_is_refused_and_left_untouched(path, said, damaged) -> None:
    store = opened(path)
    store.add([said("a")])
    store.close()
    path.write_bytes(data := damaged(path.read_bytes()))

    with pytest.raises(DamagedStoreError, match="--restore"):
        opened(path).stats()

    assert path.read_bytes() == data


def test_a_missing_folder_is_a_sentence(tmp_path) -> None:
    with pytest.raises(RecordsError, match="cannot be made"):
        opened(tmp_path / "x" / "messages.db")


def open_at_once(path: Path, kept: object, number: int, start: object) -> None:
    start.wait()  # type: ignore[attr-defined]
    store = opened(path)
    store.add([kept])  # type: ignore[list-item]
    store.close()


@pytest.mark.rest
def test_eight_processes_at_once_make_it_once(path, said) -> None:
    start = FORK.Barrier(8)

    ended = run_at_once(open_at_once, ((path, said(str(n)), n, start) for n in range(8)))

    assert ended == [0] * 8
    store = opened(path)
    assert store.stats().messages == 8
    assert store._db.rows("SELECT number FROM migrations", {}) == [(n + 1,) for n in range(len(MIGRATIONS))]
    store.close()


def test_a_store_keeps_what_was_mined_for_each_clone_that_knows_the_run(path, said) -> None:
    """Mutants: a clone makes the queue anew; the first clone that comes takes the marks away from the next."""
    message, later = said("a"), said("b")

    def store_of(clone: str, *runs: str) -> MessageStore:
        return MessageStore(SqliteMessages(path, NOW), "ws", clone=Clone(clone, lambda: runs))

    store = store_of("of before")
    store.add([message, later])
    assert store.mark_mined([message.chat_id], "run-1") == 1
    store.close()
    waiting = {}
    for clone, runs in {"first": ["run-1"], "second": ["run-1", "run-2"], "stranger": ["run-2"]}.items():
        store = store_of(clone, *runs)
        waiting[clone] = [each.text for each in store.to_mine()]
        assert [each.mined_in for each in store.log(MessageQuery())] == [
            "run-1" if "run-1" in runs else None,
            None,
        ]
        store.close()
    assert waiting == {"first": ["b"], "second": ["b"], "stranger": ["a", "b"]}


def test_who_reads_first_in_a_transaction_is_its_only_writer_from_the_beginning(path, said) -> None:
    """Mutant: a deferred transaction, which fails where somebody else wrote after it had read."""
    database, other = SqliteMessages(path, NOW), SqliteMessages(path, NOW, wait_seconds=0)

    def work() -> str:
        assert database.rows("SELECT COUNT(*) FROM messages", {}) == [(0,)]
        with pytest.raises(BusyStoreError):
            MessageStore(other, "ws").add([said("of another")])
        database.rows("INSERT INTO clones VALUES ('ws', 'one')", {})
        return "done"

    assert database.transact(work) == "done"
    assert MessageStore(other, "ws").add([said("of another")])[0].outcome == "stored"
    for each in (database, other):
        each.close()


def test_when_terms_are_made_in_another_way_they_are_made_anew(path, said, monkeypatch) -> None:
    store = opened(path)
    store.add([said("a zebra")])
    store.close()
    monkeypatch.setattr(sqlite_messages, "TERMS_VERSION", 99)
    monkeypatch.setattr(
        sqlite_messages, "message_terms", lambda sender, text: [word[::-1] for word in text.split()]
    )

    store = opened(path)

    assert [each.text for each in store.candidates(["arbez"]).matches] == ["a zebra"]
    assert store.candidates(["zebra"]).matches == ()
    store.close()


def test_what_is_forgotten_is_not_left_in_the_file(path, said) -> None:
    store = opened(path)
    store.add([said(f"umbrella stand {n} " * 50, message_id=str(n)) for n in range(50)])
    assert store.forget_before(datetime(2027, 1, 1, tzinfo=UTC), LATE) == 50

    assert b"umbrella stand" not in bytes_of(path)
    store.close()
    assert b"umbrella stand" not in bytes_of(path)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("count", [1, 3, 1000, 1001])
def test_the_words_of_what_is_forgotten_leave_the_file_and_its_log(path, said, count: int) -> None:
    store = opened(path)
    old = [
        said(f"zanzibar quagga{n}", message_id=str(n), sent_at=NOW - timedelta(days=9)) for n in range(count)
    ]
    for start in range(0, count, 50):
        store.add(old[start : start + 50])
    store.add([said("a new umbrella", message_id="new")])

    assert store.forget_before(NOW - timedelta(days=1), LATE) == count

    for word in (
        b"zanzibar",
        b"quagga",
        b"anziba",
        b"uagga",
    ):  # an index keeps no letters that two words share
        assert word not in bytes_of(path)
    assert b"umbrella" in bytes_of(path)
    assert [each.text for each in store.candidates(["umbrella"]).matches] == ["a new umbrella"]
    store.close()


@pytest.mark.rest
def test_the_file_gives_back_what_is_forgotten_each_time(path, said) -> None:
    """The first time the file is written anew, as one from before that was known is; then free pages are cut off."""
    store = opened(path)
    for age in (20, 10):
        sent = NOW - timedelta(days=age)
        store.add(
            [said(f"zanzibar quagga{n} " * 99, message_id=f"{age}-{n}", sent_at=sent) for n in range(200)]
        )
    store.close()  # which brings all of it from the log into the file
    store, before = opened(path), path.stat().st_size

    for age, left in ((15, 200), (5, 0)):
        assert store.forget_before(NOW - timedelta(days=age), LATE) == 200
        assert store.stats().messages == left
        assert store._db.rows("PRAGMA freelist_count", {}) == [(0,)]
        assert path.stat().st_size < before
        before = path.stat().st_size

    assert b"zanzibar" not in bytes_of(path)
    assert b"quagga" not in bytes_of(path)
    assert store._db.rows("PRAGMA integrity_check", {}) == [("ok",)]
    store.close()


@pytest.mark.parametrize("times", [0, 20])
def test_forgetting_does_not_wait_for_writers_to_give_back_pages(path, said, times) -> None:
    """Mutant: what is forgotten is not marked in the transaction in which it goes."""
    stay_connected(path, times)
    store, writer = opened(path), opened(path)
    store.add([said("zanzibar", sent_at=NOW - timedelta(days=9))])
    store._db.transact(lambda: store._forget_some("sent_at < :before", {"before": "2027"}))
    writer._db._db.execute("BEGIN IMMEDIATE")

    store._db.empty_log()

    writer.close()
    store.close()
    assert b"zanzibar" not in bytes_of(path)


def test_forgetting_does_not_wait_for_readers(path, said) -> None:
    store, reader = opened(path), opened(path)
    store.add([said("zanzibar", sent_at=NOW - timedelta(days=9))])
    reader._db._db.execute("BEGIN")
    reader._db.rows("SELECT * FROM messages", {})

    assert store.forget_before(NOW, LATE) == 1

    reader.close()
    store.close()
    assert b"zanzibar" not in bytes_of(path)


def stay_connected(path: Path, times: int = 20) -> None:
    """Come so often that this process leaves its connections open."""
    for _ in range(times):
        opened(path).close()


def test_a_process_that_comes_again_and_again_stays_connected_under_the_settings_of_each_time(path) -> None:
    """Mutants: each time a connection of its own; the first time alone says how long to wait and whether to sync."""
    stay_connected(path)
    one = SqliteMessages(path, NOW, fsync=False, wait_seconds=3)
    connection = one._db
    one.close()

    another = SqliteMessages(path, NOW, wait_seconds=1.5)

    assert another._db is connection
    assert another.rows("PRAGMA busy_timeout", {}) == [(1500,)]
    assert another.rows("PRAGMA synchronous", {}) == [(2,)]
    assert another.rows("PRAGMA secure_delete", {}) == [(1,)]
    another.close()


@pytest.mark.parametrize("ends_last", ["reader", "forgetful"])
def test_what_is_forgotten_leaves_the_file_while_processes_stay_connected(path, said, ends_last) -> None:
    """Mutants: nobody marks that the log has forgotten words, or looks for the mark; the mark stays for good."""
    stay_connected(path)
    store, reader = opened(path), opened(path)
    store.add([said("zanzibar", sent_at=NOW - timedelta(days=9))])
    reader._db._db.execute("BEGIN")
    reader._db.rows("SELECT * FROM messages", {})

    assert store.forget_before(NOW, LATE) == 1
    assert b"zanzibar" in bytes_of(path)  # it is being read
    if ends_last == "reader":
        store.close()
    reader._db._db.execute("ROLLBACK")
    reader.close()
    store.close()

    assert b"zanzibar" not in bytes_of(path)
    again = opened(path)
    assert again._db.rows("PRAGMA user_version", {}) == [(0,)]
    again.close()


def test_a_store_that_is_removed_while_a_process_stays_connected_is_made_anew(path, said) -> None:
    """Mutants: a connection to the file that is gone is used again; what it leaves in the end harms the new one."""
    stay_connected(path)
    store = opened(path)
    store.add([said("of before")])
    store.close()
    path.unlink()

    store = opened(path)
    store.add([said("new")])
    store.close()
    for number in range(9):  # and the old connection is closed
        opened(path.with_name(f"{number}.db")).close()
        stay_connected(path.with_name(f"{number}.db"))

    store = opened(path)
    assert [each.text for each in store.log(MessageQuery())] == ["new"]
    assert store._db.rows("PRAGMA integrity_check", {}) == [("ok",)]
    store.close()


def bytes_of(path: Path) -> bytes:
    """Return all that the store keeps on the disk."""
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
