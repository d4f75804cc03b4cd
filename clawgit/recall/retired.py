"""What was once in memory and is not any more: every line that the history knows, and when it went."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from clawgit.history.line_steps import LineReader, LineStep, WrittenLine
from clawgit.history.log import git_output
from clawgit.history.refs import PAST
from clawgit.history.tips import remembered_tips
from clawgit.memory.corrections import is_correction_file
from clawgit.memory.marks import mark_of
from clawgit.memory.tiers import date_of
from clawgit.recall.days import own_day
from clawgit.recall.keywords import match_any, seen_in
from clawgit.recall.places import RETIRED, Place, Retirement
from clawgit.recall.ranking import POOL, Line
from clawgit.recall.sealed import Shape, forget, up_to_date
from clawgit.recall.searched import MEMORY, is_searched, tier_found
from clawgit.recall.tables import heading_terms, marks, text_hash
from clawgit.recall.traits import traits_of
from clawgit.recall.written import said_in
from clawgit.text.terms import TOKENIZER, index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.history.log import LoggedChange
    from clawgit.history.repository import History
    from clawgit.recall.index import Index
    from clawgit.recall.limits import Limits

RETIRED_STORE = "retired.db"
PATHS = ("MEMORY.md", "memory.md", "memory", "Archive")
TABLES = (
    "CREATE TABLE tips (commit_id TEXT PRIMARY KEY) WITHOUT ROWID",
    """CREATE TABLE said (said_id INTEGER PRIMARY KEY, hash BLOB UNIQUE, text TEXT, terms TEXT, traits TEXT,
        path TEXT, line INTEGER, entry TEXT, came_at INTEGER, stayed_at INTEGER,
        went_at INTEGER, went_with TEXT, went_by TEXT)""",
    "CREATE INDEX said_by_entry ON said (entry) WHERE entry <> ''",
    f"""CREATE VIRTUAL TABLE words USING fts5 (terms, content='', tokenize="{TOKENIZER}")""",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row)",
)
SHAPE = Shape("retired/1", TABLES)


@contextmanager
def open_retired(history: History) -> Iterator[Retired]:
    """Open what the history knows, up to its present tips.

    Raises:
        ClawgitError: git could not read the history.
    """
    tips = _tips(history)

    def is_done(db: sqlite3.Connection) -> bool:
        return _known(db) == tips

    def fill(db: sqlite3.Connection) -> None:
        _read(history, db, tips)

    path = history.state / RETIRED_STORE
    try:
        with up_to_date(path, SHAPE, fresh=is_done, fill=fill) as db:
            yield Retired(db)
    except sqlite3.DatabaseError:
        forget(path)  # what it said could not be true; the next try makes it anew
        raise


class Retired:
    """The lines of the whole history, open for one reading; what the present index has is no answer here."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def seen(self, words: Iterable[str]) -> dict[str, int]:
        """Return in how many lines each word is."""
        return seen_in(self._db, words)

    def matches(self, index: Index, seen: Mapping[str, int], limits: Limits) -> list[tuple[Line, Place]]:
        """Return the lines that are not in memory any more and fit best by their words, at most `POOL`."""
        match = match_any(seen)
        if not match or limits.days is not None:
            return []
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM words w JOIN said s ON s.said_id = w.rowid WHERE w.words MATCH ?"
            " ORDER BY w.rank, s.hash",
            (match,),
        )
        found: list[tuple[Line, Place]] = []
        for row in rows:
            if index.has_text(row[1]) or index.has(row[3]):
                continue
            place = _place(row)
            if limits.admits(place):
                found.append((_line(row, place), place))
            if len(found) == POOL:
                break
        return found

    def of_texts(self, index: Index, hashes: Sequence[bytes], limits: Limits) -> list[tuple[Line, Place]]:
        """Return the lines of these texts that are not in memory any more."""
        rows = self._db.execute(f"SELECT {_COLUMNS} FROM said s WHERE s.hash IN ({marks(hashes)})", hashes)
        found = []
        for row in rows:
            place = _place(row)
            gone = not index.has_text(row[1]) and not index.has(row[3])
            if gone and limits.days is None and limits.admits(place):
                found.append((_line(row, place), place))
        return found

    def entry(self, name: str) -> Place | None:
        """Return the last wording of an entry (`m:…`) that the history knows."""
        row = self._db.execute(
            f"""
            SELECT {_COLUMNS} FROM said s WHERE entry <> '' AND entry = ?
             ORDER BY MAX(went_at, stayed_at) DESC, said_id DESC
            """,
            (name,),
        ).fetchone()
        return None if row is None else _place(row)


_COLUMNS = "s.said_id, s.hash, s.text, s.terms, s.traits, s.path, s.line, s.entry, s.came_at, s.stayed_at, s.went_at, s.went_with, s.went_by"


@dataclass(slots=True)
class _Said:
    """What steps say about one line: the first and the last time that it came, and the last time that it went."""

    where: WrittenLine
    came_at: int
    stayed_at: int = 0
    went_at: int = 0
    went_with: str = ""
    went_by: str = ""

    def add(self, at: int, where: WrittenLine) -> None:
        """Take in that a commit brought it."""
        self.came_at = min(self.came_at, at)
        if at >= self.stayed_at:
            self.stayed_at = at
            self.where = self.where if self.went_at else where

    def remove(self, change: LoggedChange, where: WrittenLine) -> None:
        """Take in that a commit took it out."""
        at = change.committed_at
        self.came_at = min(self.came_at, at)
        if at >= self.went_at:
            self.went_at, self.went_with, self.went_by = at, change.commit_id, change.actor
            self.where = where


def _tips(history: History) -> frozenset[str]:
    """Return where reading starts: the branch, what was left out of it, and what may be left out by now."""
    found = [history.target("HEAD"), *history.refs(PAST).values(), *remembered_tips(history).values()]
    return frozenset(name for name in found if name is not None)


def _known(db: sqlite3.Connection) -> frozenset[str]:
    return frozenset(row[0] for row in db.execute("SELECT commit_id FROM tips"))


def _read(history: History, db: sqlite3.Connection, tips: frozenset[str]) -> None:
    """Read what the store has not read yet; all of it, where something that was read is gone."""
    known = _known(db)
    gone = known and git_output(
        history, "rev-list", "--max-count=1", *sorted(known), *(f"^{name}" for name in sorted(tips))
    )
    if gone:
        db.execute("DELETE FROM said")
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        known = frozenset()
    found: dict[str, _Said] = {}
    for step in LineReader(history, said_in).steps(tips, known, PATHS) if tips else ():
        _take(found, step)
    _store(db, found)
    db.execute("DELETE FROM tips")
    db.executemany("INSERT INTO tips VALUES (?)", ((name,) for name in tips))


def _take(found: dict[str, _Said], step: LineStep) -> None:
    at = step.change.committed_at
    for text, where in step.added.items():
        if _counts(where.path):
            found.setdefault(text, _Said(where, at)).add(at, where)
    for text, where in step.removed.items():
        if _counts(where.path):
            found.setdefault(text, _Said(where, at)).remove(step.change, where)


def _counts(path: str) -> bool:
    """Say whether lines of ``path`` can be retired: corrections never leave, and are more than lines."""
    return is_searched(path) and not is_correction_file(path)


def _store(db: sqlite3.Connection, found: dict[str, _Said]) -> None:
    for text, said in found.items():
        known = text_hash(text)
        row = db.execute(
            "SELECT said_id, came_at, stayed_at, went_at, went_with, went_by FROM said WHERE hash = ?",
            (known,),
        ).fetchone()
        if row is None:
            _insert(db, known, text, said)
        else:
            _update(db, row, said)


def _insert(db: sqlite3.Connection, known: bytes, text: str, said: _Said) -> None:
    terms, where = index_terms(text), said.where
    made = db.execute(
        "INSERT INTO said (hash, text, terms, traits, path, line, entry, came_at, stayed_at, went_at, went_with,"
        " went_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(known, text, terms, traits_of(text), where.path, where.number, _entry(where)),
            *(said.came_at, said.stayed_at, said.went_at, said.went_with, said.went_by),
        ),
    )
    db.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (made.lastrowid, terms))


def _update(db: sqlite3.Connection, row: tuple[Any, ...], said: _Said) -> None:
    said_id, came_at, stayed_at, went_at, went_with, went_by = row
    moved = said.went_at >= went_at if said.went_at else not went_at and said.stayed_at >= stayed_at
    if said.went_at < went_at:
        said.went_at, said.went_with, said.went_by = went_at, went_with, went_by
    db.execute(
        "UPDATE said SET came_at = ?, stayed_at = ?, went_at = ?, went_with = ?, went_by = ? WHERE said_id = ?",
        (
            *(min(said.came_at, came_at), max(said.stayed_at, stayed_at)),
            *(said.went_at, said.went_with, said.went_by, said_id),
        ),
    )
    if moved:
        where = said.where
        db.execute(
            "UPDATE said SET path = ?, line = ?, entry = ? WHERE said_id = ?",
            (where.path, where.number, _entry(where), said_id),
        )


def _entry(where: WrittenLine) -> str:
    mark = mark_of([where.raw])
    return f"m:{mark}" if mark else ""


def _place(row: tuple[Any, ...]) -> Place:
    said_id, _, text, _, _, path, line, entry, came_at, stayed_at, went_at, went_with, went_by = row
    gone = went_at >= stayed_at
    day = own_day(text) or date_of(path)
    return Place(
        *(-said_id, path, MEMORY, tier_found(path).value, "", line, line, RETIRED, entry, text),
        day=None if day is None else day.isoformat(),
        headings="[]",
        retirement=Retirement(
            datetime.fromtimestamp(came_at, UTC),
            datetime.fromtimestamp(went_at, UTC) if gone else None,
            went_by if gone else "",
            went_with if gone else "",
        ),
    )


def _line(row: tuple[Any, ...], place: Place) -> Line:
    return Line(
        *(place.place_id, place.place_id, 0, row[3], row[4], place.path, heading_terms(place.path)),
        *(place.on, row[1]),
    )
