"""Statements whose vectors are stale, among the records: since when each is flagged. They are known by their texts' hashes."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

TABLES = ("CREATE TABLE vector_flags (hash BLOB PRIMARY KEY, flagged_on TEXT NOT NULL) WITHOUT ROWID",)


class VectorFlags:
    """The flags in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def all(self) -> dict[bytes, date]:
        """Return every flag."""
        rows = self._db.execute("SELECT hash, flagged_on FROM vector_flags")
        return {bytes(text): date.fromisoformat(day) for text, day in rows}

    def change(self, on: date, *, flagged: Iterable[bytes], gone: Iterable[bytes]) -> None:
        """Flag some texts, and take the flags of others away."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("DELETE FROM vector_flags WHERE hash = ?", [(text,) for text in gone])
            rows = [(text, on.isoformat()) for text in flagged]
            self._db.executemany("INSERT OR IGNORE INTO vector_flags VALUES (?, ?)", rows)
