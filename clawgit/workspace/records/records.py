"""records.db: clawgit's notes beside the history, and the one list of migrations of its tables.

Records are neither in git nor derived from it: only a backup can restore them.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.workspace.records import record_tables
from clawgit.workspace.records.sqlite_files import (
    LEDGER,
    connect,
    connected,
    ensure_store,
    migrate,
    number_of,
    refuse_empty,
    store_errors,
    utc_text,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator
    from pathlib import Path

RECORDS = "records.db"
MOST_SEARCHES = 20_000  # of 20 lines each: about 40 MB
EVERY = 256  # searches, after which the oldest are deleted
FIRST_HITS = 6  # lower hits are hardly read
CLONE_ID = "clone"  # not in a backup: a restored workspace is another clone
# The first migration has number 1. Released ones never change; append new ones.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        LEDGER,
        "CREATE TABLE tips (seen_at TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL)",
        "CREATE TABLE backups (made_at TEXT NOT NULL, path TEXT NOT NULL, bytes INTEGER NOT NULL)",
    ),
    (
        """CREATE TABLE searches (search_id INTEGER PRIMARY KEY, searched_at TEXT NOT NULL, session TEXT NOT NULL,
            query TEXT NOT NULL)""",
        """CREATE TABLE search_hits (search_id INTEGER NOT NULL, place INTEGER NOT NULL, path TEXT NOT NULL,
            first INTEGER NOT NULL, last INTEGER NOT NULL, entry TEXT NOT NULL, score REAL NOT NULL)""",
        "CREATE INDEX search_hits_by_search ON search_hits (search_id)",
        "CREATE INDEX searches_by_time ON searches (searched_at)",
    ),
    (
        "CREATE TABLE runs (run_id TEXT NOT NULL, agent TEXT NOT NULL, at TEXT NOT NULL, outcome TEXT NOT NULL,"
        " slot TEXT NOT NULL, op TEXT NOT NULL, commit_id TEXT NOT NULL, edits INTEGER NOT NULL,"
        " tokens INTEGER NOT NULL, reason TEXT NOT NULL)",
        "CREATE INDEX runs_by_time ON runs (at)",
    ),
    (
        "CREATE TABLE model_calls (call_id INTEGER PRIMARY KEY, at TEXT NOT NULL, day TEXT NOT NULL,"
        " purpose TEXT NOT NULL, model TEXT NOT NULL, input TEXT NOT NULL, tokens INTEGER NOT NULL,"
        " outcome TEXT NOT NULL, answer TEXT NOT NULL)",
        "CREATE INDEX model_calls_by_day ON model_calls (day)",
        "CREATE INDEX model_calls_by_input ON model_calls (input)",
    ),
    (
        "CREATE TABLE regression_queries (query TEXT NOT NULL, correction TEXT NOT NULL, PRIMARY KEY (query, correction))",
        "CREATE INDEX search_hits_by_entry ON search_hits (entry)",
    ),
    ("CREATE TABLE answered_flushes (flush TEXT PRIMARY KEY, at TEXT NOT NULL)",),
    (
        "CREATE TABLE job_slots (job TEXT NOT NULL, day TEXT NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL,"
        " due TEXT NOT NULL, started TEXT NOT NULL, ended TEXT, outcome TEXT NOT NULL, reason TEXT NOT NULL,"
        " tip TEXT NOT NULL, PRIMARY KEY (job, day))",
    ),
    (
        "CREATE TABLE digests (day TEXT PRIMARY KEY, at TEXT NOT NULL, tip TEXT NOT NULL, waiting TEXT NOT NULL,"
        " channel TEXT NOT NULL, state TEXT NOT NULL, text TEXT NOT NULL)",
    ),
    ("CREATE TABLE agent_cursors (agent TEXT PRIMARY KEY, cursor TEXT NOT NULL, at TEXT NOT NULL)",),
    ("CREATE TABLE vector_flags (hash BLOB PRIMARY KEY, flagged_on TEXT NOT NULL) WITHOUT ROWID",),
    (
        "CREATE TABLE receipts (receipt_id TEXT PRIMARY KEY, made_at TEXT NOT NULL, session TEXT NOT NULL,"
        " query TEXT NOT NULL, tokens INTEGER NOT NULL, facts TEXT NOT NULL, stable TEXT NOT NULL, recall TEXT NOT NULL)",
        "CREATE TABLE receipt_parts (hash TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
        "CREATE INDEX receipts_by_session ON receipts (session, made_at)",
        "CREATE INDEX receipts_by_time ON receipts (made_at)",
    ),
    (
        "CREATE TABLE shown_questions (day TEXT NOT NULL, number INTEGER NOT NULL, question TEXT NOT NULL,"
        " line TEXT NOT NULL, in_talk INTEGER NOT NULL, PRIMARY KEY (day, number))",
    ),
)


class BackupNote(NamedTuple):
    """A backup: when, where, how large."""

    made_at: datetime
    path: str
    size: int


class HitNote(NamedTuple):
    """Lines that a search showed, and their entry (`m:…`), if there is one."""

    path: str
    first: int
    last: int
    entry: str
    score: float


class SearchNote(NamedTuple):
    """A search: its time, session (empty if unknown), query and hits."""

    searched_at: datetime
    session: str
    query: str
    hits: tuple[HitNote, ...]


class Recalled(NamedTuple):
    """A file with its number of hits and of sessions."""

    path: str
    hits: int
    sessions: int


class RecalledLines(NamedTuple):
    """Lines of a file with their number of hits and of sessions."""

    path: str
    first: int
    last: int
    hits: int
    sessions: int


class RunOutcome(Enum):
    """How a run ended."""

    APPLIED = "applied"
    ASKS = "asks"  # a question was written, memory is unchanged
    NOTED = "noted"  # the same, with a correction that no entry contradicts
    LINKED = "linked"  # the operator's words were put beside entries, which are unchanged
    NOTHING = "nothing"
    PROPOSED = "proposed"
    REFUSED = "refused"
    FAILED = "failed"


class RunNote(NamedTuple):
    """One run of an agent, with or without a change; ``reason`` is a sentence if one is needed."""

    run_id: str
    agent: str
    at: datetime
    outcome: RunOutcome
    slot: str = ""
    op: str = ""
    commit_id: str = ""
    edits: int = 0
    tokens: int = 0
    reason: str = ""


class Records(record_tables.Table):
    """The tables of an open records.db; times are in UTC, so that they sort as text."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__(db)
        self.model_calls = record_tables.ModelCalls(db)
        self.job_slots = record_tables.JobSlots(db)
        self.digests = record_tables.Digests(db)
        self.agent_cursors = record_tables.AgentCursors(db)
        self.vector_flags = record_tables.VectorFlags(db)
        self.receipts = record_tables.ReceiptStore(db)
        self.shown_questions = record_tables.ShownQuestions(db)

    def begun(self) -> datetime:
        """Return when the records were made, at clawgit's first look."""
        (first,) = self._db.execute("SELECT MIN(applied_at) FROM migrations").fetchone()
        return datetime.fromisoformat(first)

    def note_tip(self, branch: str, commit_id: str, seen_at: datetime) -> bool:
        """Note that ``branch`` was checked out at ``commit_id``; False if that is the last note."""
        seen = _plain(branch), commit_id
        if self._last_tip() == seen:
            return False
        with self._writing():
            is_new = self._last_tip() != seen
            if is_new:
                self._db.execute("INSERT INTO tips VALUES (?, ?, ?)", (utc_text(seen_at), *seen))
        return is_new

    def tips_since(self) -> datetime | None:
        (first,) = self._db.execute("SELECT MIN(seen_at) FROM tips").fetchone()
        return first and datetime.fromisoformat(first)

    def tips(self) -> set[str]:
        return {commit_id for (commit_id,) in self._db.execute("SELECT DISTINCT commit_id FROM tips")}

    def tips_around(self, moment: datetime, now: datetime) -> tuple[str | None, str | None]:
        """Return the last tip seen up to ``moment``, and the first one after it, without future ones."""
        at = {"moment": utc_text(moment), "now": utc_text(now)}
        before = "WHERE seen_at <= :moment ORDER BY seen_at DESC, rowid DESC LIMIT 1"
        after = "WHERE seen_at > :moment AND seen_at <= :now ORDER BY seen_at, rowid LIMIT 1"
        tips = []
        for which in (before, after):
            row = self._db.execute(f"SELECT commit_id FROM tips {which}", at).fetchone()
            tips.append(row and row[0])
        return tips[0], tips[1]

    def note_backup(self, note: BackupNote) -> None:
        row = {"made_at": utc_text(note.made_at), "path": _plain(note.path), "bytes": note.size}
        with self._writing():
            self._db.execute("DELETE FROM backups WHERE made_at = :made_at AND path = :path", row)
            self._db.execute("INSERT INTO backups VALUES (:made_at, :path, :bytes)", row)

    def last_backup(self) -> BackupNote | None:
        query = "SELECT made_at, path, bytes FROM backups ORDER BY made_at DESC, rowid DESC LIMIT 1"
        row = self._db.execute(query).fetchone()
        return row and BackupNote(datetime.fromisoformat(row[0]), row[1], row[2])

    def note_search(self, note: SearchNote) -> None:
        with self._writing():
            row = utc_text(note.searched_at), _plain(note.session), _plain(note.query)
            query = "INSERT INTO searches (searched_at, session, query) VALUES (?, ?, ?)"
            made = self._db.execute(query, row).lastrowid
            for place, hit in enumerate(note.hits, start=1):
                shown = (made, place, _plain(hit.path), hit.first, hit.last, hit.entry, hit.score)
                self._db.execute("INSERT INTO search_hits VALUES (?, ?, ?, ?, ?, ?, ?)", shown)
            make_room(self._db, made or 0)

    def recalled_since(self, since: datetime, *, sessions: int, least: float) -> list[Recalled]:
        """Return the files with hits in at least so many sessions, the most frequent first.

        Below the score ``least`` only a search's first hit counts, without a session none, so such calls do not add up.
        """
        return list(map(Recalled._make, self._recalled("h.path", "", (since, sessions, least))))

    def recalled_lines(self, since: datetime, *, sessions: int, least: float) -> list[RecalledLines]:
        """Return the lines among the first hits in at least so many sessions, the most frequent first."""
        first_hits = f"AND h.place <= {FIRST_HITS}"
        rows = self._recalled("h.path, h.first, h.last", first_hits, (since, sessions, least))
        return list(map(RecalledLines._make, rows))

    def _recalled(self, what: str, besides: str, counted: tuple[datetime, int, float]) -> sqlite3.Cursor:
        since, sessions, least = counted
        return self._db.execute(
            f"""
            SELECT {what}, COUNT(*) AS hits, COUNT(DISTINCT s.session) AS sessions
              FROM search_hits h JOIN searches s USING (search_id)
             WHERE s.searched_at >= :since AND s.session NOT IN ('', 'unknown')
               AND (h.place = 1 OR h.score >= :least) {besides}
             GROUP BY {what} HAVING COUNT(DISTINCT s.session) >= :sessions
             ORDER BY sessions DESC, hits DESC, {what}
            """,
            {"since": utc_text(since), "sessions": sessions, "least": least},
        )

    def queries_answered_by(self, entry: str, *, most: int) -> list[str]:
        """Return the queries with an entry as first hit, the latest first, each once."""
        rows = self._db.execute(
            """
            SELECT s.query FROM search_hits h JOIN searches s USING (search_id)
             WHERE h.entry = :entry AND h.place = 1 GROUP BY s.query ORDER BY MAX(s.search_id) DESC LIMIT :most
            """,
            {"entry": entry, "most": most},
        )
        return [row[0] for row in rows]

    def keep_queries(self, correction: str, queries: Iterable[str]) -> None:
        """Keep queries for which a correction (`x:…`) must come first from now on."""
        with self._writing():
            query = "INSERT OR IGNORE INTO regression_queries VALUES (?, ?)"
            self._db.executemany(query, [(_plain(query), correction) for query in queries])

    def kept_queries(self, *, most: int) -> list[tuple[str, str]]:
        query = "SELECT query, correction FROM regression_queries ORDER BY rowid DESC LIMIT ?"
        return self._db.execute(query, (most,)).fetchall()

    def note_answered_flush(self, flush: str, at: datetime) -> None:
        """Note that the host answered a flush, whatever the answer led to."""
        with self._writing():
            self._db.execute("INSERT OR IGNORE INTO answered_flushes VALUES (?, ?)", (flush, utc_text(at)))

    def answered_flush(self, flush: str) -> bool:
        return any(self._db.execute("SELECT 1 FROM answered_flushes WHERE flush = ?", (flush,)))

    def note_run(self, note: RunNote) -> None:
        row = (
            *(note.run_id, note.agent, utc_text(note.at), note.outcome.value, note.slot, note.op),
            *(note.commit_id, note.edits, note.tokens, _plain(note.reason)),
        )
        with self._writing():
            self._db.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def runs(self, *, limit: int, agent: str = "", without: str = "") -> list[RunNote]:
        """Return the latest runs, of an ``agent`` if named, and ``without`` those of one outcome."""
        rows = self._db.execute(
            """
            SELECT run_id, agent, at, outcome, slot, op, commit_id, edits, tokens, reason
              FROM runs WHERE :agent IN (agent, '') AND outcome <> :without
             ORDER BY at DESC, rowid DESC LIMIT :limit
            """,
            {"agent": agent, "limit": limit, "without": without},
        )
        return [
            RunNote(run_id, name, datetime.fromisoformat(at), RunOutcome(outcome), *rest)
            for run_id, name, at, outcome, *rest in rows
        ]

    def settled_runs(self) -> frozenset[str]:
        ended = "SELECT DISTINCT run_id FROM runs WHERE outcome NOT IN (:failed, :refused)"
        unsettled = {"failed": RunOutcome.FAILED.value, "refused": RunOutcome.REFUSED.value}
        return frozenset(run_id for (run_id,) in self._db.execute(ended, unsettled))

    def _last_tip(self) -> tuple[str, str] | None:
        rows = self._db.execute("SELECT branch, commit_id FROM tips ORDER BY rowid DESC LIMIT 1")
        return next(rows, None)


@contextmanager
def open_records(
    path: Path, now: datetime, *, fsync: bool = True, may_get_lost: bool = False
) -> Iterator[Records]:
    """Open the records for a moment; a write that ``may_get_lost`` in a power loss is not synced."""
    ensure_store(path)
    with store_errors(path), connected(path, may_get_lost=may_get_lost) as db:
        waiting = "NORMAL" if may_get_lost else "FULL"
        db.execute(f"PRAGMA synchronous = {waiting if fsync else 'OFF'}")
        migrate(db, RECORDS, MIGRATIONS, now)
        yield Records(db)


def refuse_newer(path: Path) -> None:
    refuse_empty(path)
    with store_errors(path), closing(connect(path)) as db:
        number_of(db, RECORDS, len(MIGRATIONS))


def _plain(text: str) -> str:
    """Return a name for SQLite: bytes that are not UTF-8 become marks."""
    return os.fsencode(text).decode("utf-8", "replace")


def make_room(db: sqlite3.Connection, newest: int, most: int = MOST_SEARCHES) -> None:
    """Delete the searches before the last ``most`` from time to time, not at each search."""
    if newest % EVERY == 0 and newest > most:
        db.execute("DELETE FROM search_hits WHERE search_id <= ?", (newest - most,))
        db.execute("DELETE FROM searches WHERE search_id <= ?", (newest - most,))
