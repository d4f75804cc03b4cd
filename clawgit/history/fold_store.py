"""fold.db: what the fold over history gave so far. A cache: thrown away, it comes back the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from clawgit.memory.fold import Folded, Origin, Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

VERSION = 2
WAIT_SECONDS = 5
_TABLES = f"""
    CREATE TABLE origins (words TEXT PRIMARY KEY, commit_id TEXT, at TEXT, actor TEXT, trust TEXT) WITHOUT ROWID;
    CREATE TABLE seen (entry_id TEXT, kind TEXT, commit_id TEXT, at TEXT, said TEXT);
    CREATE INDEX seen_by_entry ON seen (entry_id);
    CREATE TABLE tips (commit_id TEXT PRIMARY KEY, newest INTEGER) WITHOUT ROWID;
    CREATE TABLE claims (commit_id TEXT PRIMARY KEY) WITHOUT ROWID;
    PRAGMA user_version = {VERSION};
"""


class FoldStore:
    """The origins of words and what was said about entries, up to the tips it has read."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def tips(self) -> frozenset[str]:
        """Return the commits up to which the history has been read."""
        return frozenset(row[0] for row in self._db.execute("SELECT commit_id FROM tips"))

    def origin(self, words: str, /) -> Origin | None:
        """Return who brought ``words`` first; a commit that the operator claimed is the operator's."""
        row = self._db.execute(
            """
            SELECT o.commit_id, o.at,
                   CASE WHEN c.commit_id IS NULL THEN o.actor ELSE 'operator' END,
                   CASE WHEN c.commit_id IS NULL THEN o.trust ELSE 'operator' END
              FROM origins o LEFT JOIN claims c ON c.commit_id = o.commit_id
             WHERE o.words = :words
            """,
            {"words": _plain(words)},
        ).fetchone()
        return None if row is None else Origin(*row)

    def words_like(self, words: str) -> list[str]:
        """Return remembered words that are ``words`` or contain them, the shortest first, a few of them."""
        rows = self._db.execute(
            """
            SELECT words FROM origins
             WHERE instr(lower(words), lower(:part)) > 0
             ORDER BY length(words), words LIMIT 5
            """,
            {"part": _plain(words)},
        )
        return [row[0] for row in rows] if words else []

    def seen(self, entry_id: str) -> list[Seen]:
        """Return what the history says about an entry, oldest first."""
        rows = self._db.execute(
            "SELECT entry_id, kind, commit_id, at, said FROM seen WHERE entry_id = :id ORDER BY rowid",
            {"id": entry_id},
        )
        return [Seen(*row) for row in rows]

    def take(self, folded: Folded) -> None:
        """Add what one commit gave."""
        self._db.executemany(
            "INSERT INTO origins VALUES (?, ?, ?, ?, ?)",
            (
                (_plain(words), origin.commit_id, origin.at, origin.actor, origin.trust)
                for words, origin in folded.origins.items()
            ),
        )
        self._db.executemany(
            "INSERT INTO seen VALUES (?, ?, ?, ?, ?)",
            ((s.entry_id, s.kind, s.commit_id, s.at, _plain(s.said)) for s in folded.seen),
        )

    def claim(self, commit_ids: Iterable[str]) -> None:
        """Note that the operator claimed these commits."""
        self._db.executemany("INSERT OR IGNORE INTO claims VALUES (?)", ((name,) for name in commit_ids))

    def clear(self) -> None:
        """Forget everything, so that the history is read from its beginning."""
        for table in ("origins", "seen", "tips", "claims"):
            self._db.execute(f"DELETE FROM {table}")

    def newest(self) -> int:
        """Return the date of the newest commit that was read."""
        (found,) = self._db.execute("SELECT MAX(newest) FROM tips").fetchone()
        return int(found or 0)

    def finish(self, tips: Iterable[str], newest: int) -> None:
        """Note up to where the history has been read, in the same transaction as what it gave."""
        self._db.execute("DELETE FROM tips")
        self._db.executemany("INSERT INTO tips VALUES (?, ?)", ((name, newest) for name in tips))


def _plain(text: str) -> str:
    """Return text as SQLite can keep it: bytes that are no UTF-8 become marks, the same ones every time."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@contextmanager
def open_fold(folder: Path) -> Iterator[FoldStore]:
    """Open the cache for one reading or renewing, as one transaction.

    A damaged one is made anew; where there is no place for it, it lives in memory for this once.
    """
    with closing(_opened_somehow(folder)) as db, db:
        yield FoldStore(db)


def _opened_somehow(folder: Path) -> sqlite3.Connection:
    path = folder / "fold.db"
    try:
        return _opened(path)
    except sqlite3.OperationalError:  # busy for long, or no place: this reader goes without it
        return _opened(":memory:")
    except sqlite3.DatabaseError:
        pass
    try:
        for name in ("fold.db", "fold.db-journal"):
            (folder / name).unlink(missing_ok=True)
        return _opened(path)
    except (sqlite3.DatabaseError, OSError):
        return _opened(":memory:")


def _opened(path: Path | str) -> sqlite3.Connection:
    """Connect, with the tables of this version, and begin; others wait."""
    db = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("BEGIN IMMEDIATE")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            _remake(db)
        db.execute("SELECT COUNT(*) FROM tips").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _remake(db: sqlite3.Connection) -> None:
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        db.execute(f'DROP TABLE "{name}"')
    for statement in _TABLES.split(";"):
        if statement.strip():
            db.execute(statement)
