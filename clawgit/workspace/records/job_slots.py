"""The jobs' slots, among the records: each attempt is noted before its process begins, and again when it has ended."""

from __future__ import annotations

from datetime import date, datetime
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3

TABLES = (
    "CREATE TABLE job_slots (job TEXT NOT NULL, day TEXT NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL,"
    " due TEXT NOT NULL, started TEXT NOT NULL, ended TEXT, outcome TEXT NOT NULL, reason TEXT NOT NULL,"
    " tip TEXT NOT NULL, PRIMARY KEY (job, day))",
)


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
        rows = [
            (
                *(note.job, note.day.isoformat(), note.state.value, note.attempt, utc_text(note.due)),
                *(utc_text(note.started), note.ended and utc_text(note.ended)),
                *(note.outcome, note.reason, note.tip),
            )
            for note in notes
        ]
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO job_slots VALUES (?,?,?,?,?,?,?,?,?,?)", rows)

    def is_any(self) -> bool:
        """Say whether a runner was ever here."""
        return self._db.execute("SELECT 1 FROM job_slots LIMIT 1").fetchone() is not None

    def of(self, job: str, *, most: int = 400) -> dict[date, SlotNote]:
        """Return the newest slots of a job, by their dates, the newest first."""
        rows = self._db.execute(
            "SELECT job, day, state, due, started, attempt, ended, outcome, reason, tip FROM job_slots"
            " WHERE job = :job ORDER BY day DESC LIMIT :most",
            {"job": job, "most": most},
        )
        return {note.day: note for note in map(_note, rows)}


def _note(row: tuple[str, str, str, str, str, int, str | None, str, str, str]) -> SlotNote:
    job, day, state, due, started, attempt, ended, *said = row
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
