"""How far an agent has read, among the records: the commit up to which its last run looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

TABLES = ("CREATE TABLE agent_cursors (agent TEXT PRIMARY KEY, cursor TEXT NOT NULL, at TEXT NOT NULL)",)


class AgentCursors:
    """The cursors in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def of(self, agent: str) -> str:
        """Return how far an agent has read, empty where it never did."""
        row = self._db.execute("SELECT cursor FROM agent_cursors WHERE agent = ?", (agent,)).fetchone()
        return "" if row is None else str(row[0])

    def note(self, agent: str, cursor: str, at: datetime) -> None:
        """Note how far an agent has read."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(
                "INSERT OR REPLACE INTO agent_cursors VALUES (?, ?, ?)", (agent, cursor, utc_text(at))
            )
