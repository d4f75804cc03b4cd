"""Receipts of contexts, among the records: what was injected when, and for which session. The same part is kept once."""

from __future__ import annotations

import hashlib
import json
import zlib
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

TABLES = (
    "CREATE TABLE receipts (receipt_id TEXT PRIMARY KEY, made_at TEXT NOT NULL, session TEXT NOT NULL,"
    " query TEXT NOT NULL, tokens INTEGER NOT NULL, facts TEXT NOT NULL, stable TEXT NOT NULL, recall TEXT NOT NULL)",
    "CREATE TABLE receipt_parts (hash TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
    "CREATE INDEX receipts_by_session ON receipts (session, made_at)",
    "CREATE INDEX receipts_by_time ON receipts (made_at)",
)
EVERY = 64  # receipts, after which the oldest make room
MOST_ASKED = 2000  # of one session, the latest
_COLUMNS = "receipt_id, made_at, session, query, tokens, facts, stable, recall"


class ReceiptNote(NamedTuple):
    """One context as it was injected: ``facts`` is what is said of all of it, the parts are what each is made of."""

    receipt_id: str
    made_at: datetime
    session: str
    query: str
    tokens: int
    facts: dict[str, Any]
    stable: dict[str, Any]
    recall: dict[str, Any]


class ReceiptStore:
    """The receipts in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def put(self, note: ReceiptNote, *, forget_before: datetime | None) -> None:
        """Keep a receipt; now and then those that are older than that are forgotten."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            parts = [self._put_part(part) for part in (note.stable, note.recall)]
            row = (note.receipt_id, utc_text(note.made_at), note.session, note.query, note.tokens)
            made = self._db.execute(
                "INSERT OR REPLACE INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, json.dumps(note.facts), *parts),
            )
            if forget_before is not None and (made.lastrowid or 0) % EVERY == 0:
                self._forget(forget_before)

    def get(self, receipt_id: str) -> ReceiptNote | None:
        """Return the receipt of that id."""
        rows = self._select("receipt_id = ?", (receipt_id,), 1)
        return rows[0] if rows else None

    def newest(self, *, limit: int, session: str = "") -> list[ReceiptNote]:
        """Return the newest receipts first, maybe of one session only."""
        return self._select("session = ? OR ? = ''", (session, session), limit)

    def parts_around(self, session: str, first: datetime, last: datetime) -> list[dict[str, Any]]:
        """Return each part once that was injected into a session, or within a time into one that nobody named.

        Without a session, all of that time.
        """
        rows = self._db.execute(
            """
            SELECT stable, recall FROM receipts
             WHERE (session = :session AND :session <> '')
                OR (made_at >= :first AND made_at < :last AND (session = '' OR :session = ''))
             ORDER BY made_at DESC, rowid DESC LIMIT :most
            """,
            {"session": session, "first": utc_text(first), "last": utc_text(last), "most": MOST_ASKED},
        )
        return [self._part(name) for name in dict.fromkeys(name for row in rows for name in row)]

    def _select(self, wanted: str, values: Sequence[str], limit: int) -> list[ReceiptNote]:
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM receipts WHERE {wanted} ORDER BY made_at DESC, rowid DESC LIMIT ?",
            (*values, limit),
        ).fetchall()
        return [
            ReceiptNote(
                name,
                datetime.fromisoformat(made_at),
                session,
                query,
                tokens,
                json.loads(facts),
                self._part(stable),
                self._part(recall),
            )
            for name, made_at, session, query, tokens, facts, stable, recall in rows
        ]

    def _put_part(self, part: dict[str, Any]) -> str:
        content = json.dumps(part, sort_keys=True, ensure_ascii=True).encode()
        name = hashlib.sha256(content).hexdigest()
        self._db.execute("INSERT OR IGNORE INTO receipt_parts VALUES (?, ?)", (name, zlib.compress(content)))
        return name

    def _part(self, name: str) -> dict[str, Any]:
        row = self._db.execute("SELECT content FROM receipt_parts WHERE hash = ?", (name,)).fetchone()
        found: dict[str, Any] = {} if row is None else json.loads(zlib.decompress(row[0]))
        return found

    def _forget(self, before: datetime) -> None:
        self._db.execute("DELETE FROM receipts WHERE made_at < ?", (utc_text(before),))
        self._db.execute(
            "DELETE FROM receipt_parts WHERE hash NOT IN"
            " (SELECT stable FROM receipts UNION SELECT recall FROM receipts)"
        )
