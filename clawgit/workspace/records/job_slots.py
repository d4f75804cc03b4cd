"""The jobs' slots, among the records: each attempt is noted before its process begins, and again when it has ended."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

TABLES = (
    "CREATE TABLE job_slots (job TEXT NOT NULL, day TEXT NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL,"
    " due TEXT NOT NULL, started TEXT NOT NULL, ended TEXT, outcome TEXT NOT NULL, reason TEXT NOT NULL,"
    " tip TEXT NOT NULL, PRIMARY KEY (job, day))",
)


_COLUMNS = "s.job, s.day, s.state, s.attempt, s.due, s.started, s.ended, s.outcome, s.reason, s.tip"
_GOOD = 5  # that have begun: another zone, or a moved time, makes three of them slots to come at most

Row = tuple[str, str, str, int, str, str, str | None, str, str, str]


class SlotState(Enum):
    """How far a slot has come."""

    BEFORE = "before"  # it had begun when the runner first saw the job: not this runner's
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"  # the last attempt did
    SKIPPED = "skipped"


class SlotNote(NamedTuple):
    """One slot of a job: its date, the last attempt and what came of it; ``tip`` is the commit that it ended at."""

    job: str
    day: date
    state: SlotState
    due: datetime
    started: datetime
    attempt: int = 0
    ended: datetime | None = None
    outcome: str = ""
    reason: str = ""
    tip: str = ""


class JobSlots:
    """The slots in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def note(self, *notes: SlotNote) -> None:
        """Note how far slots have come, in the place of what was noted of them before."""
        rows = list(map(row_of, notes))
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO job_slots VALUES (?,?,?,?,?,?,?,?,?,?)", rows)

    def is_any(self) -> bool:
        """Say whether a runner was ever here."""
        return self._db.execute("SELECT 1 FROM job_slots LIMIT 1").fetchone() is not None

    def of(self, job: str, *, most: int = 400) -> dict[date, SlotNote]:
        """Return the newest slots of a job, by their dates, the newest first."""
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM job_slots AS s WHERE job = :job ORDER BY day DESC LIMIT :most",
            {"job": job, "most": most},
        )
        return {note.day: note for note in map(note_of, rows)}

    def newest(self, jobs: Iterable[str], now: datetime) -> dict[str, dict[date, SlotNote]]:
        """Return of each job what says how it is ``now``: its slots from the last few on that went well."""
        found: dict[str, dict[date, SlotNote]] = {job: {} for job in jobs}
        rows = self._db.execute(
            f"""
            SELECT {_COLUMNS}
              FROM json_each(:jobs) AS wanted JOIN job_slots AS s ON s.job = wanted.value
               AND s.day >= ifnull((SELECT good.day FROM job_slots AS good
                                     WHERE good.job = wanted.value AND good.state IN ('done', 'before')
                                       AND good.day <= :day AND good.started <= :now
                                     ORDER BY good.day DESC LIMIT 1 OFFSET :good), '')
             ORDER BY s.job, s.day DESC
            """,
            {
                "jobs": json.dumps(list(found)),
                "now": utc_text(now),
                "good": _GOOD - 1,
                "day": (now + timedelta(days=1)).date().isoformat(),
            },
        )
        for note in map(note_of, rows):
            found[note.job][note.day] = note
        return found


def row_of(note: SlotNote) -> Row:
    """Return a slot as it is kept."""
    return (
        *(note.job, note.day.isoformat(), note.state.value, note.attempt, utc_text(note.due)),
        *(utc_text(note.started), None if note.ended is None else utc_text(note.ended)),
        *(note.outcome, note.reason, note.tip),
    )


def note_of(row: Row) -> SlotNote:
    """Return a slot as it was noted."""
    job, day, state, attempt, due, started, ended, *said = row
    return SlotNote(
        job,
        date.fromisoformat(day),
        SlotState(state),
        datetime.fromisoformat(due),
        datetime.fromisoformat(started),
        attempt,
        None if ended is None else datetime.fromisoformat(ended),
        *said,
    )
