"""Messages in SQLite: messages.db beside the repository, shared by any number of processes."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from clawgit.capture.messages.message import EARLIER_STEPS, SHARED, TERMS_VERSION, message_terms
from clawgit.text.words.terms import TOKENIZER
from clawgit.workspace.records import sqlite_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

T = TypeVar("T")
MESSAGES = "messages.db"
INCREMENTAL = 2  # SQLite's number for this auto_vacuum mode
FORGOTTEN = 1  # in the file's head while its log may contain forgotten texts
# Steps count from 1. Never change a released one; add the next at the end.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        sqlite_files.LEDGER,
        """
        CREATE TABLE messages (
            number INTEGER PRIMARY KEY AUTOINCREMENT, workspace TEXT NOT NULL, id TEXT NOT NULL, channel TEXT NOT NULL,
            conversation TEXT NOT NULL, message_id TEXT NOT NULL, session TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool', 'system')), sender TEXT NOT NULL,
            is_operator INTEGER NOT NULL, trust TEXT NOT NULL CHECK (trust IN ('operator', 'host', 'external')),
            text TEXT NOT NULL, sent_at TEXT NOT NULL, received_at TEXT NOT NULL, signal TEXT NOT NULL,
            priority INTEGER NOT NULL, validator TEXT,
            UNIQUE (workspace, channel, conversation, message_id), UNIQUE (workspace, id),
            CHECK ((trust = 'operator') = is_operator)
        )
        """,
        """
        CREATE TABLE imports (workspace TEXT NOT NULL, source TEXT NOT NULL, bytes_read INTEGER NOT NULL,
            lines_read INTEGER NOT NULL, mark TEXT NOT NULL, chain TEXT NOT NULL, PRIMARY KEY (workspace, source))
        """,
        f"CREATE VIRTUAL TABLE said USING fts5 (terms, content = '', detail = 'none', tokenize = \"{TOKENIZER}\")",
        "CREATE TABLE said_as (version INTEGER NOT NULL)",
        "INSERT INTO said_as VALUES (0)",
        """
        CREATE TABLE imported (workspace TEXT NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL,
            PRIMARY KEY (workspace, source, id)) WITHOUT ROWID
        """,
        """
        CREATE TABLE marks (number INTEGER NOT NULL, clone TEXT NOT NULL, mined_in TEXT, read_in TEXT,
            validated_in TEXT, PRIMARY KEY (number, clone)) WITHOUT ROWID
        """,
        """
        CREATE TRIGGER forgotten AFTER DELETE ON messages BEGIN
            DELETE FROM imported WHERE workspace = old.workspace AND id = old.id;
            DELETE FROM marks WHERE number = old.number;
        END
        """,
        *SHARED,
    ),
    *((),) * EARLIER_STEPS,
)


class SqliteMessages:
    """An open messages.db.

    Regular processes stay connected (`connected`), so possibly no one is the last to close it, which would empty the
    log. A mark in the file says that the log may contain forgotten texts, until it is emptied.
    """

    here = "+workspace = :workspace"  # `+` avoids an index that would be read from end to end
    with_near = "JOIN messages n ON n.number IN ({near})"
    feed = "number"  # one writer at a time: numbers are in order of commits

    def __init__(self, path: Path, now: datetime, *, fsync: bool = True, wait_seconds: float = 30) -> None:
        self._path = path
        sqlite_files.ensure_store(path)
        with sqlite_files.store_errors(path), ExitStack() as stack:
            self._db = stack.enter_context(sqlite_files.connected(path, may_get_lost=False))
            self._db.execute(f"PRAGMA busy_timeout = {wait_seconds * 1000:.0f}")
            self._db.execute(f"PRAGMA synchronous = {'FULL' if fsync else 'NORMAL'}")
            self._db.execute("PRAGMA secure_delete = ON")  # overwrite deleted texts
            sqlite_files.migrate(self._db, path.name, MIGRATIONS, now)
            self._renew_terms()
            self._inode = path.stat().st_ino
            self._open = stack.pop_all()

    def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        with sqlite_files.store_errors(self._path):
            return self._db.execute(sql, values).fetchall()

    def transact(self, work: Callable[[], T]) -> T:
        """Run ``work`` as the only writer from its start: a read transaction cannot become a writing one."""
        # Refuse to write into a deleted file: SQLite would, and the data would be lost.
        try:
            inode = self._path.stat().st_ino
        except FileNotFoundError:
            inode = -1
        if inode != self._inode:
            sentence = f"{self._path.name} was removed or replaced while it was open, so nothing was written."
            raise sqlite_files.RecordsError(sentence, hint="Try again.")
        with sqlite_files.store_errors(self._path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            return work()

    def number_new(self, workspace: str) -> None:
        """Do nothing: every message has its number."""

    def index(self, number: int, workspace: str, terms: Sequence[str]) -> None:
        self._db.execute("INSERT INTO said (rowid, terms) VALUES (?, ?)", (number, " ".join(terms)))

    def unindex(self, number: int, terms: Sequence[str]) -> None:
        """Undo `index`; the table keeps no texts, so it needs the same terms."""
        self._db.execute(
            "INSERT INTO said (said, rowid, terms) VALUES ('delete', ?, ?)", (number, " ".join(terms))
        )

    def erase_terms(self) -> None:
        """Merge the keyword table; until then it keeps deleted terms, and the fact of their deletion."""
        self._db.execute("INSERT INTO said (said) VALUES ('optimize')")
        self._db.execute(f"PRAGMA user_version = {FORGOTTEN:d}")

    def empty_log(self) -> None:
        """Free pages and empty the log without waiting for readers; a present reader empties it at its end."""
        with sqlite_files.store_errors(self._path):
            ((wait,),) = self._db.execute("PRAGMA busy_timeout").fetchall()
            self._db.execute("PRAGMA busy_timeout = 0")
            ((way,),) = self._db.execute("PRAGMA auto_vacuum").fetchall()
            # No room, or another writer: the pages are empty, and go next time.
            with suppress(sqlite3.OperationalError):
                if way == INCREMENTAL:
                    self._db.executescript("PRAGMA incremental_vacuum")  # `execute` would cut one page only
                else:  # an old file is rewritten once
                    self._db.execute(f"PRAGMA auto_vacuum = {INCREMENTAL:d}")
                    self._db.execute("VACUUM")
            ((is_busy, *_),) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            with suppress(sqlite3.OperationalError):  # another writer clears the mark
                self._db.execute(f"PRAGMA user_version = {FORGOTTEN * is_busy:d}")
            self._db.execute(f"PRAGMA busy_timeout = {wait:d}")

    def holding(self, workspace: str, terms: Sequence[str], limit: int) -> list[int]:
        sql = "SELECT rowid FROM said WHERE said MATCH :match ORDER BY rowid DESC LIMIT :limit"
        match = " AND ".join(f'"{term}"' for term in terms)
        return list(chain.from_iterable(self.rows(sql, {"match": match, "limit": limit})))

    def count(self, workspace: str, limit: int) -> int:
        """Return the approximate number of messages: the file has few deletions and rarely other workspaces."""
        return min(limit, int(self.rows("SELECT COALESCE(MAX(number), 0) FROM messages", {})[0][0]))

    def close(self) -> None:
        with self._open, suppress(sqlite3.Error, sqlite_files.RecordsError):
            if self._db.execute("PRAGMA user_version").fetchone() == (FORGOTTEN,):
                self.empty_log()

    def _renew_terms(self) -> None:
        if self._version() == TERMS_VERSION:
            return
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if self._version() == TERMS_VERSION:
                return
            self._db.execute("INSERT INTO said (said) VALUES ('delete-all')")
            for number, sender, text in self._db.execute("SELECT number, sender, text FROM messages"):
                self.index(number, "", message_terms(sender, text))
            self._db.execute("UPDATE said_as SET version = ?", (TERMS_VERSION,))

    def _version(self) -> int:
        return int(self._db.execute("SELECT version FROM said_as").fetchone()[0])
