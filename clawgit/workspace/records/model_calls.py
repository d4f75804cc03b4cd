"""What models were asked, among the records: what it used up, and the answers of the last weeks, so that none is paid twice."""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from datetime import date, datetime

ANSWERS_KEPT = timedelta(days=30)

TABLES = (
    "CREATE TABLE model_calls (call_id INTEGER PRIMARY KEY, at TEXT NOT NULL, day TEXT NOT NULL,"
    " purpose TEXT NOT NULL, model TEXT NOT NULL, input TEXT NOT NULL, tokens INTEGER NOT NULL,"
    " outcome TEXT NOT NULL, answer TEXT NOT NULL)",
    "CREATE INDEX model_calls_by_day ON model_calls (day)",
    "CREATE INDEX model_calls_by_input ON model_calls (input)",
)


class CallOutcome(Enum):
    """What became of a question; one that is still asked counts with what it may use at most."""

    ASKED = "asked"
    ANSWERED = "answered"
    UNUSABLE = "unusable"
    FAILED = "failed"


class ModelCall(NamedTuple):
    """One question to a model: when, for what (an agent's run, a search), and what tells its input from any other."""

    at: datetime
    purpose: str
    model: str
    input_id: str

    @property
    def day(self) -> date:
        """Return the day that it counts for: the one on which it was asked, in the workspace's zone."""
        return self.at.date()


class ModelCalls:
    """The calls in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def begin(self, call: ModelCall, tokens: int, most: int) -> int | None:
        """Set ``tokens`` aside for a question; None where that day would have more than ``most``, and nothing is noted.

        Whoever asks at the same time sees what was set aside.
        """
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if self.tokens_on(call.day) + tokens > most:
                return None
            row = (*_row(call), tokens, CallOutcome.ASKED.value)
            made = self._db.execute(
                "INSERT INTO model_calls (at, day, purpose, model, input, tokens, outcome, answer)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                row,
            )
            outdated = (_oldest(call.at),)
            self._db.execute("UPDATE model_calls SET answer = '' WHERE at < ? AND answer <> ''", outdated)
            return made.lastrowid

    def end(self, call_id: int, outcome: CallOutcome, tokens: int, answer: str = "") -> None:
        """Note what became of a question, and what it used."""
        with self._db:
            self._db.execute(
                "UPDATE model_calls SET outcome = ?, tokens = ?, answer = ? WHERE call_id = ?",
                (outcome.value, tokens, answer, call_id),
            )

    def tokens_on(self, day: date) -> int:
        """Return what a day's questions used, those included that are still asked."""
        found = self._db.execute("SELECT TOTAL(tokens) FROM model_calls WHERE day = ?", (day.isoformat(),))
        return int(found.fetchone()[0])

    def tokens_since(self, moment: datetime) -> int:
        """Return what the questions used that were asked after then."""
        found = self._db.execute("SELECT TOTAL(tokens) FROM model_calls WHERE at > ?", (utc_text(moment),))
        return int(found.fetchone()[0])

    def tokens_for(self, input_id: str, now: datetime) -> int:
        """Return what the same question used, of late, until there was an answer."""
        found = self._db.execute(
            "SELECT TOTAL(tokens) FROM model_calls WHERE input = ? AND at >= ?", (input_id, _oldest(now))
        )
        return int(found.fetchone()[0])

    def answer_to(self, input_id: str, now: datetime) -> str | None:
        """Return the last usable answer to the same question, None if there is none (any more)."""
        row = self._db.execute(
            "SELECT answer FROM model_calls WHERE input = ? AND outcome = ? AND answer <> '' AND at >= ?"
            " ORDER BY call_id DESC LIMIT 1",
            (input_id, CallOutcome.ANSWERED.value, _oldest(now)),
        ).fetchone()
        return None if row is None else str(row[0])


def _row(call: ModelCall) -> tuple[str, ...]:
    return utc_text(call.at), call.day.isoformat(), call.purpose, call.model, call.input_id


def _oldest(now: datetime) -> str:
    return utc_text(now - ANSWERS_KEPT)
