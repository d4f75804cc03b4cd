"""records.db: what clawgit noted beside the history, and the one list of migrations of its tables.

Records are neither in git nor derived from it: a backup holds them, nothing brings them back.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING

from clawgit.workspace.stores import RecordsError, connect, create_store, refuse_empty, store_errors

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

RECORDS = "records.db"

# The first migration has number 1. What was released is never changed; the next one goes to the end.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE migrations (number INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)",
        "CREATE TABLE tips (seen_at TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL)",
        "CREATE TABLE backups (made_at TEXT NOT NULL, path TEXT NOT NULL, bytes INTEGER NOT NULL)",
    ),
    (
        "CREATE TABLE runs (run_id TEXT NOT NULL, agent TEXT NOT NULL, at TEXT NOT NULL, outcome TEXT NOT NULL,"
        " slot TEXT NOT NULL, op TEXT NOT NULL, commit_id TEXT NOT NULL, edits INTEGER NOT NULL,"
        " tokens INTEGER NOT NULL, reason TEXT NOT NULL)",
        "CREATE INDEX runs_by_time ON runs (at)",
    ),
)


@dataclass(frozen=True, slots=True)
class BackupNote:
    """A backup that was made: when, where, how large."""

    made_at: datetime
    path: str
    size: int


class RunOutcome(Enum):
    """How a run ended."""

    APPLIED = "applied"
    NOTHING = "nothing"
    PROPOSED = "proposed"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunNote:
    """One run of an agent, whether or not it changed anything; ``reason`` is a sentence where one is needed."""

    run_id: str
    agent: str
    at: datetime
    outcome: RunOutcome
    slot: str = ""
    op: str = ""
    commit_id: str = ""
    edits: int = 0
    tokens: int = 0
    reason: str = ""


class Records:
    """The tables of an open records.db; times are kept in UTC, so that they sort as text."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def note_tip(self, branch: str, commit_id: str, seen_at: datetime) -> bool:
        """Note that ``branch`` was checked out at ``commit_id``; False if that is what was noted last."""
        seen = _plain(branch), commit_id
        if self._last_tip() == seen:
            return False
        with self._writing():
            if self._last_tip() == seen:
                return False
            self._db.execute("INSERT INTO tips VALUES (?, ?, ?)", (_utc(seen_at), *seen))
        return True

    def tips_since(self) -> datetime | None:
        """Return when the first tip was seen, None before that."""
        (found,) = self._db.execute("SELECT MIN(seen_at) FROM tips").fetchone()
        return None if found is None else datetime.fromisoformat(found)

    def note_backup(self, note: BackupNote) -> None:
        """Note a backup, once."""
        row = {"made_at": _utc(note.made_at), "path": _plain(note.path), "bytes": note.size}
        with self._writing():
            self._db.execute("DELETE FROM backups WHERE made_at = :made_at AND path = :path", row)
            self._db.execute("INSERT INTO backups VALUES (:made_at, :path, :bytes)", row)

    def last_backup(self) -> BackupNote | None:
        """Return the backup that was made last, None without one."""
        row = self._db.execute(
            "SELECT made_at, path, bytes FROM backups ORDER BY made_at DESC, rowid DESC LIMIT 1"
        ).fetchone()
        return None if row is None else BackupNote(datetime.fromisoformat(row[0]), row[1], row[2])

    def note_run(self, note: RunNote) -> None:
        """Note a run that ended."""
        row = (
            *(note.run_id, note.agent, _utc(note.at), note.outcome.value, note.slot, note.op),
            *(note.commit_id, note.edits, note.tokens, _plain(note.reason)),
        )
        with self._writing():
            self._db.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def runs(self, *, limit: int, agent: str = "") -> list[RunNote]:
        """Return the runs that ended last, the newest first, maybe those of one agent only."""
        rows = self._db.execute(
            """
            SELECT run_id, agent, at, outcome, slot, op, commit_id, edits, tokens, reason
              FROM runs WHERE agent = :agent OR :agent = ''
             ORDER BY at DESC, rowid DESC LIMIT :limit
            """,
            {"agent": agent, "limit": limit},
        )
        return [
            RunNote(run_id, name, datetime.fromisoformat(at), RunOutcome(outcome), *rest)
            for run_id, name, at, outcome, *rest in rows
        ]

    def _last_tip(self) -> tuple[str, str] | None:
        found: tuple[str, str] | None = self._db.execute(
            "SELECT branch, commit_id FROM tips ORDER BY rowid DESC LIMIT 1"
        ).fetchone()
        return found

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Be the only writer until the end; a transaction that began by reading could not become one."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield


@contextmanager
def open_records(path: Path, now: datetime) -> Iterator[Records]:
    """Open the records at ``path`` for a moment, made and migrated if need be; many processes may.

    Raises:
        RecordsError: A newer clawgit wrote it (left untouched), it is damaged, or it cannot be written.
    """
    if not path.exists():
        _create(path)
    refuse_empty(path)
    with store_errors(path), closing(connect(path)) as db:
        db.execute("PRAGMA synchronous = FULL")
        _migrate(db, now)
        yield Records(db)


def refuse_newer(path: Path) -> None:
    """Refuse records that a newer clawgit has written; nothing is changed."""
    refuse_empty(path)
    with store_errors(path), closing(connect(path)) as db:
        _number(db)


def _create(path: Path) -> None:
    try:
        create_store(path)
    except OSError as error:
        raise RecordsError(
            f"{path.name} cannot be made in .git/clawgit ({error.strerror}).",
            hint="Check the free space, who owns the folder and its permissions.",
        ) from error


def _migrate(db: sqlite3.Connection, now: datetime) -> None:
    """Apply what is missing, each migration and its record in one transaction."""
    while _number(db) < len(MIGRATIONS):
        with db:
            db.execute("BEGIN IMMEDIATE")
            number = _number(db) + 1  # again: another process may have been faster
            if number > len(MIGRATIONS):
                return
            for statement in MIGRATIONS[number - 1]:
                db.execute(statement)
            db.execute("INSERT INTO migrations VALUES (?, ?)", (number, _utc(now)))


def _number(db: sqlite3.Connection) -> int:
    """Return the number of the last migration that was applied."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone() is None:
        return 0
    number = int(db.execute("SELECT MAX(number) FROM migrations").fetchone()[0] or 0)
    if number > len(MIGRATIONS):
        raise RecordsError(
            f"{RECORDS} was written by a newer clawgit (it is at step {number}; this one knows {len(MIGRATIONS)}).",
            hint="Install a newer clawgit; nothing was changed.",
        )
    return number


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _plain(text: str) -> str:
    """Return a name as SQLite can keep it: bytes that are no UTF-8 become marks."""
    return os.fsencode(text).decode("utf-8", "replace")
