"""What the operator was told, among the records: the digests, by which channel and whether they arrived; questions, and on which day."""

from __future__ import annotations

from datetime import date, datetime
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

TABLES = (
    "CREATE TABLE digests (day TEXT PRIMARY KEY, at TEXT NOT NULL, tip TEXT NOT NULL, waiting TEXT NOT NULL,"
    " channel TEXT NOT NULL, state TEXT NOT NULL, text TEXT NOT NULL)",
)
QUESTION_TABLES = (
    "CREATE TABLE shown_questions (day TEXT NOT NULL, number INTEGER NOT NULL, question TEXT NOT NULL,"
    " line TEXT NOT NULL, in_talk INTEGER NOT NULL, PRIMARY KEY (day, number))",
)
_COLUMNS = "day, at, tip, waiting, channel, state, text"


class DigestState(Enum):
    """How far a digest has come."""

    SILENT = "silent"  # nothing had changed, so nothing was said
    SENDING = "sending"  # it may have arrived, or not
    FAILED = "failed"  # it did not arrive
    SENT = "sent"


class DigestNote(NamedTuple):
    """The digest of one day: up to which commit it tells, what waited then (a line each), and where it went."""

    day: date
    at: datetime
    tip: str
    waiting: tuple[str, ...]
    channel: str
    state: DigestState
    text: str = ""


class Digests:
    """The digests in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def begin(self, note: DigestNote, *, before: DigestNote | None) -> bool:
        """Note that a digest goes out; False where somebody else began since ``before`` was read."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if self.of(note.day) != before:
                return False
            self._put(note)
        return True

    def note(self, note: DigestNote) -> None:
        """Note how far the digest of a day has come."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._put(note)

    def of(self, day: date) -> DigestNote | None:
        """Return the digest of a day."""
        rows = self._db.execute(f"SELECT {_COLUMNS} FROM digests WHERE day = ?", (day.isoformat(),))
        return next(map(_note, rows), None)

    def last_told(self, *, before: date) -> DigestNote | None:
        """Return the newest digest before a day that arrived, or in which nothing was to be said."""
        return self._newest("day < :day AND state IN ('sent', 'silent')", before)

    def last_message(self) -> DigestNote | None:
        """Return the newest digest in which something was said; where none said anything, the newest."""
        return self._newest("day <> :day AND text <> ''", None) or self._newest("day <> :day", None)

    def _newest(self, wanted: str, day: date | None) -> DigestNote | None:
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM digests WHERE {wanted} ORDER BY day DESC LIMIT 1",
            {"day": "" if day is None else day.isoformat()},
        )
        return next(map(_note, rows), None)

    def _put(self, note: DigestNote) -> None:
        row = (
            *(note.day.isoformat(), utc_text(note.at), note.tip, "\n".join(note.waiting)),
            *(note.channel, note.state.value, note.text),
        )
        self._db.execute("INSERT OR REPLACE INTO digests VALUES (?,?,?,?,?,?,?)", row)


def _note(row: tuple[str, ...]) -> DigestNote:
    day, at, tip, waiting, channel, state, text = row
    lines = tuple(waiting.split("\n")) if waiting else ()
    return DigestNote(
        date.fromisoformat(day),
        datetime.fromisoformat(at),
        tip,
        lines,
        channel,
        DigestState(state),
        text,
    )


class ShownNote(NamedTuple):
    """One question as it was shown: its id (`x:…`) and its line with the number; ``in_talk``: not only in a digest."""

    day: date
    number: int
    question: str
    line: str
    in_talk: bool


class ShownQuestions:
    """The shown questions in an open records.db."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def since(self, day: date) -> list[ShownNote]:
        """Return what was shown from a day on, in its order."""
        rows = self._db.execute(
            "SELECT day, number, question, line, in_talk FROM shown_questions WHERE day >= ? ORDER BY day, number",
            (day.isoformat(),),
        )
        return [
            ShownNote(date.fromisoformat(at), number, question, line, bool(in_talk))
            for at, number, question, line, in_talk in rows
        ]

    def note(self, notes: Iterable[ShownNote], *, forget_before: date) -> None:
        """Note what is shown; a number of a day stays that of its first question. What is older is forgotten."""
        rows = [(each.day.isoformat(), *each[1:4], int(each.in_talk)) for each in notes]
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM shown_questions WHERE day < ?", (forget_before.isoformat(),))
            self._db.executemany(
                """
                INSERT INTO shown_questions VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (day, number) DO UPDATE SET in_talk = MAX(in_talk, excluded.in_talk)
                 WHERE question = excluded.question
                """,
                rows,
            )
