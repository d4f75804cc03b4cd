"""Tables of records.db with a class each: jobs' slots, model calls, digests, questions, receipts, flags, cursors."""

from __future__ import annotations

import hashlib
import json
import zlib
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence


_SLOT_COLUMNS = "s.job, s.day, s.state, s.attempt, s.due, s.started, s.ended, s.outcome, s.reason, s.tip"
_GOOD = 5  # begun slots: a new zone or time adds at most three future ones

Row = tuple[str, str, str, int, str, str, str | None, str, str, str]
ANSWERS_KEPT = timedelta(days=30)
_DIGEST_COLUMNS = "day, at, tip, waiting, channel, state, text"
EVERY_RECEIPTS = 64  # receipts, after which the oldest are deleted
_RECEIPT_COLUMNS = "receipt_id, made_at, session, query, tokens, facts, stable, recall"


class Table:
    """One table of an open records.db, or two that belong together."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the write lock to the end; a transaction that began with a read could not get it."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield


class SlotState(Enum):
    """The progress of a slot."""

    BEFORE = "before"  # begun before the runner first saw the job: not this runner's
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"  # in the last attempt
    SKIPPED = "skipped"


class SlotNote(NamedTuple):
    """One slot of a job: its date, last attempt and result; ``tip`` is the commit at its end."""

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


class JobSlots(Table):
    """The slots in an open records.db."""

    def note(self, *notes: SlotNote) -> None:
        rows = []
        for each in notes:
            slot = (each.job, each.day.isoformat(), each.state.value, each.attempt)
            times = (utc_text(each.due), utc_text(each.started), each.ended and utc_text(each.ended))
            rows.append((*slot, *times, each.outcome, each.reason, each.tip))
        with self._writing():
            self._db.executemany("INSERT OR REPLACE INTO job_slots VALUES (?,?,?,?,?,?,?,?,?,?)", rows)

    def is_any(self) -> bool:
        """Say whether a runner was ever here."""
        return self._db.execute("SELECT 1 FROM job_slots LIMIT 1").fetchone() is not None

    def of(self, job: str, *, most: int = 400) -> dict[date, SlotNote]:
        query = f"SELECT {_SLOT_COLUMNS} FROM job_slots AS s WHERE job = :job ORDER BY day DESC LIMIT :most"
        rows = self._db.execute(query, {"job": job, "most": most})
        return {note.day: note for note in map(_slot_note, rows)}

    def newest(self, jobs: Iterable[str], now: datetime) -> dict[str, dict[date, SlotNote]]:
        """Return for each job the slots that show its present state: from the last few that succeeded on."""
        notes: dict[str, dict[date, SlotNote]] = {job: {} for job in jobs}
        rows = self._db.execute(
            f"""
            SELECT {_SLOT_COLUMNS}
              FROM json_each(:jobs) AS wanted JOIN job_slots AS s ON s.job = wanted.value
               AND s.day >= ifnull((SELECT good.day FROM job_slots AS good
                                     WHERE good.job = wanted.value AND good.state IN ('done', 'before')
                                       AND good.day <= :day AND good.started <= :now
                                     ORDER BY good.day DESC LIMIT 1 OFFSET :good), '')
             ORDER BY s.job, s.day DESC
            """,
            {
                "jobs": json.dumps(list(notes)),
                "now": utc_text(now),
                "good": _GOOD - 1,
                "day": (now + timedelta(days=1)).date().isoformat(),
            },
        )
        for note in map(_slot_note, rows):
            notes[note.job][note.day] = note
        return notes


def _slot_note(row: Row) -> SlotNote:
    job, day, state, attempt, due, started, ended, outcome, reason, tip = row
    return SlotNote(
        job,
        date.fromisoformat(day),
        SlotState(state),
        due=datetime.fromisoformat(due),
        started=datetime.fromisoformat(started),
        attempt=attempt,
        ended=None if ended is None else datetime.fromisoformat(ended),
        outcome=outcome,
        reason=reason,
        tip=tip,
    )


class CallOutcome(Enum):
    """The result of a model call; an unanswered one counts with its possible tokens."""

    ASKED = "asked"
    ANSWERED = "answered"
    UNUSABLE = "unusable"
    FAILED = "failed"


class ModelCall(NamedTuple):
    """One question to a model: its time, its purpose (an agent's run, a search), and a key of its input."""

    at: datetime
    purpose: str
    model: str
    input_id: str

    @property
    def day(self) -> date:
        """Return the day it counts for: when it was asked, in the workspace's zone."""
        return self.at.date()


class ModelCalls(Table):
    """The model calls in an open records.db."""

    def begin(self, call: ModelCall, tokens: int, most: int) -> int | None:
        """Reserve ``tokens`` for a question, visible to other processes at once; None if the day would exceed ``most``."""
        with self._writing():
            if self.tokens_on(call.day) + tokens > most:
                return None
            values = (utc_text(call.at), call.day.isoformat(), call.purpose, call.model, call.input_id)
            columns = "at, day, purpose, model, input, tokens, outcome, answer"
            query = f"INSERT INTO model_calls ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, '')"
            made = self._db.execute(query, (*values, tokens, CallOutcome.ASKED.value))
            outdated = (_oldest(call.at),)
            self._db.execute("UPDATE model_calls SET answer = '' WHERE at < ? AND answer <> ''", outdated)
            return made.lastrowid

    def end(self, call_id: int, outcome: CallOutcome, tokens: int, answer: str = "") -> None:
        with self._db:
            query = "UPDATE model_calls SET outcome = ?, tokens = ?, answer = ? WHERE call_id = ?"
            self._db.execute(query, (outcome.value, tokens, answer, call_id))

    def tokens_on(self, day: date) -> int:
        """Return the tokens of a day's questions, also of those without an answer yet."""
        return self._tokens("day = ?", day.isoformat())

    def tokens_since(self, moment: datetime) -> int:
        return self._tokens("at > ?", utc_text(moment))

    def tokens_for(self, input_id: str, now: datetime) -> int:
        """Return the recent tokens of the same question, until there was an answer."""
        return self._tokens("input = ? AND at >= ?", input_id, _oldest(now))

    def _tokens(self, which: str, *values: str) -> int:
        row = self._db.execute(f"SELECT TOTAL(tokens) FROM model_calls WHERE {which}", values)
        return int(row.fetchone()[0])

    def answer_to(self, input_id: str, now: datetime) -> str | None:
        """Return the last usable answer to the same question, None if there is none or it is too old."""
        usable = "input = ? AND outcome = ? AND answer <> '' AND at >= ?"
        query = f"SELECT answer FROM model_calls WHERE {usable} ORDER BY call_id DESC LIMIT 1"
        row = self._db.execute(query, (input_id, CallOutcome.ANSWERED.value, _oldest(now))).fetchone()
        return None if row is None else str(row[0])


def _oldest(now: datetime) -> str:
    return utc_text(now - ANSWERS_KEPT)


class DigestState(Enum):
    """The progress of a digest."""

    SILENT = "silent"  # nothing had changed, so none was sent
    SENDING = "sending"  # it may have arrived
    FAILED = "failed"  # it did not arrive
    SENT = "sent"


class DigestNote(NamedTuple):
    """The digest of one day: the last commit in it, the items pending then (a line each), and its target."""

    day: date
    at: datetime
    tip: str
    waiting: tuple[str, ...]
    channel: str
    state: DigestState
    text: str = ""


class Digests(Table):
    """The digests in an open records.db."""

    def begin(self, note: DigestNote, *, before: DigestNote | None) -> bool:
        """Note that a digest is being sent; False if another process began since ``before`` was read."""
        with self._writing():
            if self.of(note.day) != before:
                return False
            self._put(note)
        return True

    def note(self, note: DigestNote) -> None:
        with self._writing():
            self._put(note)

    def of(self, day: date) -> DigestNote | None:
        rows = self._db.execute(f"SELECT {_DIGEST_COLUMNS} FROM digests WHERE day = ?", (day.isoformat(),))
        return next(map(_digest_note, rows), None)

    def last_told(self, *, before: date) -> DigestNote | None:
        """Return the newest digest before a day that arrived or had nothing to send."""
        query = f"SELECT {_DIGEST_COLUMNS} FROM digests WHERE day < ? AND state IN ('sent', 'silent') ORDER BY day DESC"
        return next(map(_digest_note, self._db.execute(query, (before.isoformat(),))), None)

    def _put(self, note: DigestNote) -> None:
        waiting = "\n".join(note.waiting)
        row = (
            *(note.day.isoformat(), utc_text(note.at), note.tip, waiting),
            *(note.channel, note.state.value, note.text),
        )
        self._db.execute("INSERT OR REPLACE INTO digests VALUES (?,?,?,?,?,?,?)", row)


def _digest_note(row: tuple[str, ...]) -> DigestNote:
    day, at, tip, waiting, channel, state, text = row
    lines = tuple(waiting.split("\n")) if waiting else ()
    on = date.fromisoformat(day)
    return DigestNote(on, datetime.fromisoformat(at), tip, lines, channel, DigestState(state), text)


class ShownNote(NamedTuple):
    """One displayed question: its id (`x:…`) and its numbered line; ``in_talk``: not only in a digest."""

    day: date
    number: int
    question: str
    line: str
    in_talk: bool


class ShownQuestions(Table):
    """The displayed questions in an open records.db."""

    def since(self, day: date) -> list[ShownNote]:
        columns = "day, number, question, line, in_talk"
        query = f"SELECT {columns} FROM shown_questions WHERE day >= ? ORDER BY day, number"
        rows = self._db.execute(query, (day.isoformat(),))
        notes = []
        for at, number, question, line, in_talk in rows:
            notes.append(ShownNote(date.fromisoformat(at), number, question, line, bool(in_talk)))
        return notes

    def note(self, notes: Iterable[ShownNote], *, forget_before: date) -> None:
        """Note displayed questions, and delete older ones; a number keeps its first question for the day."""
        rows = [(each.day.isoformat(), *each[1:4], int(each.in_talk)) for each in notes]
        with self._writing():
            self._db.execute("DELETE FROM shown_questions WHERE day < ?", (forget_before.isoformat(),))
            self._db.executemany(
                """
                INSERT INTO shown_questions VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (day, number) DO UPDATE SET in_talk = MAX(in_talk, excluded.in_talk)
                 WHERE question = excluded.question
                """,
                rows,
            )


class ReceiptNote(NamedTuple):
    """One injected context: ``facts`` is about all of it, ``stable`` and ``recall`` about its parts."""

    receipt_id: str
    made_at: datetime
    session: str
    query: str
    tokens: int
    facts: dict[str, Any]
    stable: dict[str, Any]
    recall: dict[str, Any]


class ReceiptStore(Table):
    """The receipts in an open records.db."""

    def put(self, note: ReceiptNote, *, forget_before: datetime | None) -> None:
        """Store a receipt, and from time to time delete those older than ``forget_before``."""
        with self._writing():
            row = [note.receipt_id, utc_text(note.made_at), note.session, note.query, note.tokens]
            row.append(json.dumps(note.facts))
            for part in (note.stable, note.recall):
                content = json.dumps(part, sort_keys=True, ensure_ascii=True).encode()
                row.append(hashlib.sha256(content).hexdigest())
                is_kept = self._db.execute("SELECT 1 FROM receipt_parts WHERE hash = ?", (row[-1],))
                if is_kept.fetchone() is None:  # the stable part is nearly always the same
                    packed = row[-1], zlib.compress(content)
                    self._db.execute("INSERT INTO receipt_parts VALUES (?, ?)", packed)
            made = self._db.execute("INSERT OR REPLACE INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            if forget_before is not None and (made.lastrowid or 0) % EVERY_RECEIPTS == 0:
                self._db.execute("DELETE FROM receipts WHERE made_at < ?", (utc_text(forget_before),))
                in_use = "SELECT stable FROM receipts UNION SELECT recall FROM receipts"
                self._db.execute(f"DELETE FROM receipt_parts WHERE hash NOT IN ({in_use})")

    def get(self, receipt_id: str) -> ReceiptNote | None:
        rows = self._select("receipt_id = ?", (receipt_id,), 1)
        return next(iter(rows), None)

    def newest(self, *, limit: int, session: str = "") -> list[ReceiptNote]:
        return self._select("session = ? OR ? = ''", (session, session), limit)

    def _select(self, condition: str, values: Sequence[str], limit: int) -> list[ReceiptNote]:
        query = f"SELECT {_RECEIPT_COLUMNS} FROM receipts WHERE {condition} ORDER BY made_at DESC, rowid DESC LIMIT ?"
        rows = self._db.execute(query, (*values, limit)).fetchall()
        notes = []
        for name, made_at, session, query, tokens, facts, *hashes in rows:
            parts = []
            for part in hashes:
                row = self._db.execute("SELECT content FROM receipt_parts WHERE hash = ?", (part,)).fetchone()
                parts.append(json.loads(zlib.decompress(row[0])) if row else {})
            made = datetime.fromisoformat(made_at)
            notes.append(ReceiptNote(name, made, session, query, tokens, json.loads(facts), *parts))
        return notes


class VectorFlags(Table):
    """The flags in an open records.db."""

    def all(self) -> dict[bytes, date]:
        rows = self._db.execute("SELECT hash, flagged_on FROM vector_flags")
        return {bytes(text): date.fromisoformat(day) for text, day in rows}

    def change(self, on: date, *, flagged: Iterable[bytes], gone: Iterable[bytes]) -> None:
        with self._writing():
            self._db.executemany("DELETE FROM vector_flags WHERE hash = ?", [(text,) for text in gone])
            rows = [(text, on.isoformat()) for text in flagged]
            self._db.executemany("INSERT OR IGNORE INTO vector_flags VALUES (?, ?)", rows)


class AgentCursors(Table):
    """The cursors in an open records.db."""

    def of(self, agent: str) -> str:
        rows = self._db.execute("SELECT cursor FROM agent_cursors WHERE agent = ?", (agent,))
        return str(next(rows, ("",))[0])

    def note(self, agent: str, cursor: str, at: datetime) -> None:
        with self._writing():
            row = agent, cursor, utc_text(at)
            self._db.execute("INSERT OR REPLACE INTO agent_cursors VALUES (?, ?, ?)", row)
