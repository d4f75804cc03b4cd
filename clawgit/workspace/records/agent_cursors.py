"""Up to which commit an agent has read the workspace, among the records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

TABLES = ("CREATE TABLE agent_cursors (agent TEXT PRIMARY KEY, commit_id TEXT NOT NULL, at TEXT NOT NULL)",)


class AgentCursors:
    """The cursors in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def of(self, agent: str) -> str:
        """Return the commit up to which an agent has read, empty where it has read nothing."""
        row = self._db.execute("SELECT commit_id FROM agent_cursors WHERE agent = ?", (agent,)).fetchone()
        return "" if row is None else str(row[0])

    def note(self, agent: str, commit_id: str, at: datetime) -> None:
        """Note that an agent has read up to a commit."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(
                "INSERT OR REPLACE INTO agent_cursors VALUES (?, ?, ?)", (agent, commit_id, utc_text(at))
            )
