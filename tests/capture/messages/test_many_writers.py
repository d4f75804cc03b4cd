"""P22: with many writers, late commits and lost connections, every message is kept once and read once.

Mutants that these tests caught: a connection that is not made again, a transaction that begins by reading, a feed in the
order of numbers.
"""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
import threading
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from processes_at_once import run_at_once

from clawgit.capture.messages.message import MessageQuery
from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.synchronize import Event

FORK = multiprocessing.get_context("fork")
NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
WRITERS = 4
HANGS = 120  # seconds


def write(opener: Any, kept: Any, writer: int, count: int, most_delay: float, enough: Event) -> None:
    """Keep messages one by one, each committed only a while after it was written, the last when ``enough`` happened."""
    dice = random.Random(writer)
    store = opener.open()
    for number in range(count):
        if number == count - 1:
            assert enough.wait(HANGS)
        message = kept._replace(message_id=f"{writer}-{number}", text=f"message {number} of writer {writer}")

        def work(message: Any = message) -> None:
            store._add(message, claim=False)
            time.sleep(dice.random() * most_delay)

        store._db.transact(work)
    store.close()


class Reader:
    """Reads the feed until it is told that nothing more comes."""

    def __init__(self, opener: Any) -> None:
        self.store = opener.open()
        self.seen: list[str] = []
        self.cursor = 0

    def read(self) -> int:
        messages, self.cursor = self.store.since(self.cursor, 100)
        self.seen += [each.message_id for each in messages]
        return len(messages)

    def read_while(self, busy: Callable[[], bool]) -> None:
        while busy():
            self.read()
            time.sleep(0.005)
        while self.read():
            pass
        self.store.close()


def kill_connections(url: str, times: int, going_on: Callable[[], bool]) -> int:
    """End somebody's connection again and again; return how many were ended."""
    import psycopg  # noqa: PLC0415

    killed = 0
    with psycopg.connect(url, autocommit=True) as db:
        while killed < times and going_on():
            time.sleep(0.05)
            others = db.execute(
                "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            ).fetchall()
            if others:
                victim = random.choice(others)[0]
                killed += bool(db.execute("SELECT pg_terminate_backend(%s)", (victim,)).fetchone()[0])
    return killed


@pytest.mark.sampled(2)
def test_every_message_is_read_once_whatever_happens_to_connections(opener, said, full_length) -> None:
    count, kills = (500, 20) if full_length else (40, 3)
    kept = said("a")
    opener.open().close()
    enough = FORK.Event()
    processes = [
        FORK.Process(target=write, args=(opener, kept, n, count, 0.01, enough)) for n in range(WRITERS)
    ]
    for process in processes:
        process.start()

    def busy() -> bool:
        return any(process.is_alive() for process in processes)

    killed: list[int] = []

    def hinder() -> None:
        if opener.kind == "postgres":
            killed.append(kill_connections(opener.place, kills, busy))
        enough.set()

    work = threading.Thread(target=hinder)
    work.start()
    reader = Reader(opener)
    reader.read_while(busy)
    for process in processes:
        process.join()

    wanted = {f"{writer}-{number}" for writer in range(WRITERS) for number in range(count)}
    assert [process.exitcode for process in processes] == [0] * WRITERS
    assert set(reader.seen) == wanted
    assert len(reader.seen) == len(wanted)
    work.join()
    assert killed == ([kills] if opener.kind == "postgres" else [])


def read_all(opener: Any, said: Any) -> None:
    reader = Reader(opener)
    reader.read_while(lambda: False)
    said.send(reader.seen)


@pytest.mark.rest
def test_readers_at_once_see_the_same_feed(opener, said) -> None:
    store = opener.open()
    store.add([said("a")._replace(message_id=str(number)) for number in range(300)])
    store.close()
    pipes = [FORK.Pipe() for _ in range(3)]
    processes = [FORK.Process(target=read_all, args=(opener, theirs)) for _, theirs in pipes]
    for process in processes:
        process.start()
    seen = [ours.recv() for ours, _ in pipes]
    for process in processes:
        process.join()

    assert seen[0] == seen[1] == seen[2]
    assert seen[0] == [str(number) for number in range(300)]


def add_one_by_one(path: Any, kept: Any, writer: int, count: int) -> None:
    from clawgit.capture.messages.message_store import MessageStore  # noqa: PLC0415
    from clawgit.capture.messages.sqlite_messages import SqliteMessages  # noqa: PLC0415

    store = MessageStore(SqliteMessages(path, NOW), "ws")
    for number in range(count):
        store.add([kept._replace(message_id=f"{writer}-{number}")])
    store.close()


@pytest.mark.rest
def test_four_processes_at_once_lose_nothing_and_double_nothing(tmp_path, said, full_length) -> None:
    count = 1000 if full_length else 50
    path = tmp_path / "messages.db"
    kept = said("a")

    ended = run_at_once(add_one_by_one, ((path, kept, n, count) for n in range(WRITERS)))

    assert ended == [0] * WRITERS
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT COUNT(*), COUNT(DISTINCT message_id) FROM messages").fetchone() == (
            WRITERS * count,
            WRITERS * count,
        )
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        db.execute("INSERT INTO said (said) VALUES ('integrity-check')")


@pytest.mark.parametrize("way", ["removed", "replaced", "moved aside"])
def test_a_store_that_is_gone_while_it_is_open_takes_nothing(tmp_path, said, way: str) -> None:
    from clawgit.capture.messages.message_store import MessageStore  # noqa: PLC0415
    from clawgit.capture.messages.sqlite_messages import SqliteMessages  # noqa: PLC0415

    path, other = tmp_path / "messages.db", tmp_path / "other.db"
    store = MessageStore(SqliteMessages(path, NOW), "ws")
    store.add([said("a")])
    MessageStore(SqliteMessages(other, NOW), "ws").close()
    for file in tmp_path.glob("messages.db*"):
        if way == "moved aside":
            file.rename(file.with_name(f"old-{file.name}"))
        else:
            file.unlink()
    if way == "replaced":
        other.rename(path)

    with pytest.raises(RecordsError, match="removed or replaced"):
        store.add([said("b")])

    with suppress(Exception):
        store.close()
    again = MessageStore(SqliteMessages(path, NOW), "ws")
    assert again.log(MessageQuery()) == []
    again.close()
