"""What searches showed, among the records: which files and lines came up in how many sessions. Older searches make room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.workspace.records.record_notes import Recalled, RecalledLines
from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

MOST_SEARCHES = 20_000  # of 20 lines each: about 40 MB
EVERY = 256  # searches, after which the oldest make room
FIRST_HITS = 6  # what is below is handed over, and hardly read
_COUNTED = (
    "s.searched_at >= :since AND s.session NOT IN ('', 'unknown') AND (h.place = 1 OR h.score >= :least)"
)


def recalled_files(db: sqlite3.Connection, since: datetime, sessions: int, least: float) -> list[Recalled]:
    """Return the files that were found in at least so many sessions, the most often found first.

    Below the score ``least`` only the first hit of a search counts: the others were guesses.

    A search without a session counts nowhere: such calls cannot add up to several.
    """
    rows = db.execute(
        f"""
        SELECT h.path, COUNT(*) AS hits, COUNT(DISTINCT s.session) AS sessions
          FROM search_hits h JOIN searches s USING (search_id)
         WHERE {_COUNTED}
         GROUP BY h.path HAVING COUNT(DISTINCT s.session) >= :sessions
         ORDER BY sessions DESC, hits DESC, h.path
        """,
        {"since": utc_text(since), "sessions": sessions, "least": least},
    )
    return [Recalled(*row) for row in rows]


def recalled_lines(
    db: sqlite3.Connection, since: datetime, sessions: int, least: float
) -> list[RecalledLines]:
    """Return the lines that were among the first hits in at least so many sessions, the most often found first."""
    rows = db.execute(
        f"""
        SELECT h.path, h.first, h.last, COUNT(*) AS hits, COUNT(DISTINCT s.session) AS sessions
          FROM search_hits h JOIN searches s USING (search_id)
         WHERE {_COUNTED} AND h.place <= :first
         GROUP BY h.path, h.first, h.last HAVING COUNT(DISTINCT s.session) >= :sessions
         ORDER BY sessions DESC, hits DESC, h.path, h.first
        """,
        {"since": utc_text(since), "sessions": sessions, "least": least, "first": FIRST_HITS},
    )
    return [RecalledLines(*row) for row in rows]


def make_room(db: sqlite3.Connection, newest: int, most: int = MOST_SEARCHES) -> None:
    """Forget the searches before the last ``most``, now and then: a search does not wait for it each time."""
    if newest % EVERY == 0 and newest > most:
        db.execute("DELETE FROM search_hits WHERE search_id <= ?", (newest - most,))
        db.execute("DELETE FROM searches WHERE search_id <= ?", (newest - most,))
