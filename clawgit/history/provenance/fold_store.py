"""fold.db: the results of the fold over history. A cache: deleted, it comes back the same."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from itertools import chain, starmap
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.memory.notes import is_agents_turn
from clawgit.memory.provenance.pieces import CORRECTION, ENTRY, TAKEN_OUT, Origin, Seen, storable, traces
from clawgit.memory.trust import LOWEST
from clawgit.workspace.records.sqlite_files import leaving, taken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from clawgit.history.authorship.actors import Authorship

VERSION = 39
WAIT_SECONDS = 5
MOST_ALIKE = 50
AT_ONCE = 500
AS_MANY = 32  # placeholders, or twice or three times as many: few statements, each prepared once
_TABLES = f"""
    CREATE TABLE origins (key TEXT PRIMARY KEY, commit_id TEXT, at TEXT, actor TEXT, trust TEXT, said_in TEXT) WITHOUT ROWID;
    CREATE TABLE seen (
        entry_id TEXT, kind TEXT, commit_id TEXT, at TEXT, said TEXT,
        path TEXT, words TEXT, before TEXT, before_id TEXT
    );
    CREATE INDEX seen_by_entry ON seen (entry_id, kind, words);
    CREATE TABLE outside (trace TEXT, key TEXT, PRIMARY KEY (trace, key)) WITHOUT ROWID;
    CREATE TABLE tips (commit_id TEXT PRIMARY KEY, newest INTEGER, era TEXT) WITHOUT ROWID;
    CREATE TABLE claims (commit_id TEXT PRIMARY KEY, agent TEXT, said_in TEXT) WITHOUT ROWID;
    CREATE TABLE verdicts (commit_id TEXT);
    PRAGMA user_version = {VERSION};
"""
# a row before another one, but not the same row of a commit that a rebase copied
_BEFORE = """
    SELECT e.* FROM seen e JOIN seen r ON r.rowid = ? AND e.entry_id = r.entry_id AND e.kind = r.kind
     WHERE e.rowid < r.rowid AND (e.commit_id = r.commit_id
           OR (e.at, e.path, e.words, e.before) <> (r.at, r.path, r.words, r.before))
     ORDER BY e.rowid DESC LIMIT 1
"""
_ORIGINS = """
    SELECT o.key, o.commit_id, o.at,
           CASE WHEN c.commit_id IS NULL THEN o.actor ELSE 'operator' END,
           CASE WHEN c.commit_id IS NULL THEN o.trust ELSE 'operator' END, coalesce(c.said_in, o.said_in)
      FROM origins o LEFT JOIN claims c ON c.commit_id = o.commit_id AND NOT agents_turn(o.key, c.agent)
     WHERE o.key
"""
_FOR_THE_LOG = "('left', 'line', 'lines', 'yes')"
_OF_NAMES = """
               AND (entry_id IN (SELECT value FROM json_each(:names))
                    OR iif(words = '', before, words) IN (SELECT value FROM json_each(:words))
                    OR kind = 'correction' AND EXISTS (
                       SELECT 1 FROM json_each(:names) WHERE instr(seen.words || ' ', 'm:' || value || ' ')))
"""
_STAYS_OUT = """
    NOT EXISTS (SELECT 1 FROM seen AS back JOIN verdicts USING (commit_id) WHERE back.entry_id = seen.entry_id
                   AND back.kind IN ('words', 'line') AND back.words = seen.before AND back.rowid > seen.rowid)
"""
_NAMES = ("origins", "seen", "outside", "tips", "claims", "verdicts")


class LogQuery(NamedTuple):
    """A log's question: rows numbered below ``before``, and above it those dated near ``day``.

    Bounded by date (``since``, ``until``), file or folder, and entries (ids in ``names``, and words).
    """

    since: str
    until: str
    before: int | None = None
    day: str = ""
    file: str = ""
    names: tuple[str, ...] | None = None
    words: tuple[str, ...] = ()


class FoldStore:
    """The origins of pieces and the events of entries, up to the tips that were read."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def go_on_in_memory(self) -> None:
        """Roll back the file, and continue with a copy in memory."""
        self._db.rollback()
        copy = _connect(":memory:")
        with closing(self._db) as left:
            left.backup(copy)
        _ensure_tables(copy)
        copy.execute("BEGIN")  # so that additions can be rolled back too
        self._db = copy

    def keep(self) -> None:
        """Commit the transaction; on a full disk the next reader reads the same again."""
        with suppress(sqlite3.OperationalError):
            self._db.commit()

    def read_on(self) -> None:
        """Commit, and continue with a read transaction, so that others can open it meanwhile."""
        self.keep()
        if not self._db.in_transaction:
            self._db.execute("BEGIN")
            self._db.execute("SELECT COUNT(*) FROM tips").fetchone()

    def close(self) -> None:
        self._db.close()

    def tips(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(self._db.execute("SELECT commit_id FROM tips")))

    def era(self) -> str:
        return str(self._first("SELECT era FROM tips LIMIT 1") or "")

    def is_up_to(self, present: Authorship) -> bool:
        rows = self._db.execute("SELECT commit_id, era FROM tips").fetchall()
        return dict(rows) == dict.fromkeys(present.tips, present.era)

    def newest(self) -> int:
        return int(self._first("SELECT MAX(newest) FROM tips") or 0)

    def _first(self, query: str, **values: object) -> Any:
        row = self._db.execute(query, values).fetchone()
        if row is None:
            return None
        return row[0]

    def claims(self) -> dict[str, str]:
        """Return the commits that the operator claimed → the agent's name then: lines labelled with it are not the operator's."""
        return dict(self._db.execute("SELECT commit_id, agent FROM claims"))

    def verdicts(self) -> list[str]:
        """Return the commits that answer what an agent may move, or take commits back, newest first."""
        rows = self._db.execute("SELECT commit_id FROM verdicts ORDER BY rowid DESC")
        return list(chain.from_iterable(rows))

    def add_verdict(self, commit_id: str) -> None:
        self._db.execute("INSERT INTO verdicts VALUES (?)", (commit_id,))

    def origin(self, key: str, /) -> Origin | None:
        """Return who first brought a piece; a commit that the operator claimed is the operator's."""
        return self.origins([key]).get(key)

    def origins(self, keys: Sequence[str], /) -> dict[str, Origin]:
        """Return the same for several pieces, without unknown ones."""
        origins = {}
        for at in range(0, len(keys), AT_ONCE):
            some = list(keys[at : at + AT_ONCE])
            some += some[-1:] * (-len(some) % AS_MANY)
            for key, *origin in self._db.execute(f"{_ORIGINS} IN ({', '.join('?' * len(some))})", some):
                origins[key] = Origin(*origin)
        return origins

    def keys_like(self, words: str, most: int) -> list[str]:
        """Return keys with the words ``words`` or more, the shortest first, entries before others."""
        if not words:
            return []
        rows = self._db.execute(
            """
            SELECT key FROM origins
             WHERE instr(folded(key), folded(:part)) > 0 AND substr(key, 1, 3) <> :correction
               AND unicode(key) <> 31
             ORDER BY length(key), substr(key, 1, 2) <> :entry, key LIMIT :most
            """,
            {"part": storable(words), "entry": ENTRY, "correction": CORRECTION, "most": most},
        )
        return list(chain.from_iterable(rows))

    def _rows(self, condition: str, **values: object) -> list[Seen]:
        return list(starmap(Seen, self._db.execute(f"SELECT * FROM seen WHERE {condition}", values)))

    def origin_then(self, key: str, number: int) -> Origin | None:
        """Return who had brought a piece by a row of the log; whoever made the words his own later is not their author there."""
        origin = self.origin(key)
        while origin is not None:
            earlier = self.origin(TAKEN_OUT + origin.commit_id + key)
            is_later = "commit_id = :id AND rowid > :number LIMIT 1"
            if earlier is None or not self._rows(is_later, id=origin.commit_id, number=number):
                break
            origin = earlier
        return origin

    def all_taken_out(self, words: str) -> list[Seen]:
        """Return each removal of a statement with these words or more that was not undone, the last first."""
        left = "kind IN ('left', 'line') AND words = '' AND instr(folded(before), folded(:part)) > 0"
        return self._rows(
            f"{left} AND {_STAYS_OUT} ORDER BY rowid DESC LIMIT {MOST_ALIKE}", part=storable(words)
        )

    def is_gone_elsewhere(self, words: str, commit_id: str) -> bool:
        """Say whether another commit took a statement out, or gave it other words."""
        gone = "before = :words AND words <> before AND kind IN ('left', 'line', 'words')"
        return bool(self._rows(f"{gone} AND commit_id <> :id LIMIT 1", words=words, id=commit_id))

    def cited(self) -> list[tuple[str, str, str]]:
        """Return ids of entries and corrections, which of both, and the evidence of their words; without links."""
        rows = self._db.execute(
            """
            SELECT DISTINCT entry_id, kind, said FROM seen WHERE said <> '' AND entry_id <> ''
               AND (kind = 'words' OR kind = 'correction' AND instr(words, '- status: linked') = 0)
            """
        )
        return rows.fetchall()

    def course_of(self, entry_id: str) -> list[Seen]:
        """Return the wordings and removals of an entry or a correction, oldest first."""
        course = "kind IN ('words', 'correction', 'left')"
        return self._rows(f"entry_id = :id AND {course} ORDER BY rowid", id=entry_id)

    def seen(self, entry_id: str) -> list[Seen]:
        return self._rows(f"entry_id = :id AND kind NOT IN {_FOR_THE_LOG} ORDER BY rowid", id=entry_id)

    def logged(self, query: LogQuery) -> Iterator[tuple[int, Seen]]:
        """Yield the rows of a log with their numbers, newest first, read as they are needed."""
        chosen = "" if query.names is None else _OF_NAMES
        rows = self._db.execute(
            f"""
            SELECT rowid, * FROM seen
             WHERE at BETWEEN :since AND :until AND (:before IS NULL OR rowid <= :before OR substr(at, 1, 10)
                   BETWEEN date(:day, '-1 day') AND date(:day, '+1 day'))
               AND (:file = '' OR path = :file OR substr(path, 1, length(:file) + 1) = :file || '/') {chosen}
             ORDER BY rowid DESC
            """,
            {**query._asdict(), "names": json.dumps(query.names), "words": json.dumps(query.words)},
        )
        for number, *row in rows:
            yield number, Seen(*row)

    def numbered(self, number: int) -> Seen | None:
        return next(iter(self._rows("rowid = :number", number=number)), None)

    def of_commit(self, commit_id: str) -> list[Seen]:
        return self._rows("commit_id = :id ORDER BY rowid", id=commit_id)

    def row_before(self, number: int) -> Seen | None:
        """Return the earlier row of the same entry, correction or conflict; None if it is new."""
        return next(starmap(Seen, self._db.execute(_BEFORE, (number,))), None)

    def wordings(self, entry_id: str, words: str) -> list[tuple[int, Seen]]:
        """Return the rows that put these words under this id (or under none), with their numbers, in order of time."""
        query = "SELECT rowid, * FROM seen WHERE entry_id = ? AND kind = 'words' AND words = ?"
        return [(number, Seen(*row)) for number, *row in self._db.execute(query, (entry_id, words))]

    def said(self, *, of_lines: bool = False) -> list[tuple[str, str]]:
        """Return entry id → evidence of changes that touched it; ``of_lines``: of lines without an id instead."""
        which = f"kind NOT IN {_FOR_THE_LOG}"
        if of_lines:  # of day notes, and of the agent's identity files
            which = "kind = 'line'"
        query = f"SELECT DISTINCT entry_id, said FROM seen WHERE said <> '' AND {which} ORDER BY rowid"
        return self._db.execute(query).fetchall()

    def classed(self, classes: Collection[str]) -> frozenset[str]:
        query = """
            SELECT DISTINCT entry_id FROM seen WHERE kind = 'class' AND said IN (SELECT value FROM json_each(?))
        """
        return frozenset(chain.from_iterable(self._db.execute(query, (json.dumps(list(classes)),))))

    def brought_by(self, commit_ids: Collection[str]) -> list[Seen]:
        """Return the entries and corrections that these changes added, moved or reworded."""
        carried = "kind IN ('words', 'correction') AND entry_id <> ''"
        those = "commit_id IN (SELECT value FROM json_each(:commits))"
        return self._rows(f"{carried} AND {those}", commits=json.dumps(list(commit_ids)))

    def id_of(self, words: str) -> str:
        """Return the id that last had these words, empty if none."""
        query = "SELECT entry_id FROM seen WHERE kind = 'words' AND words = :words ORDER BY rowid DESC"
        return str(self._first(query, words=words) or "")

    def last_words(self, entry_id: str, /) -> str | None:
        query = "SELECT words FROM seen WHERE entry_id = :id AND words <> '' ORDER BY rowid DESC LIMIT 1"
        words: str | None = self._first(query, id=entry_id)
        return words

    def outside_like(self, words: str, /) -> list[str]:
        """Return keys of external pieces that share three words in a row with these, the closest first."""
        query = """
            SELECT key FROM outside WHERE trace IN (SELECT value FROM json_each(?))
             GROUP BY key ORDER BY COUNT(*) DESC, key LIMIT ?
        """
        return list(chain.from_iterable(self._db.execute(query, (json.dumps(_traces(words)), MOST_ALIKE))))

    def add(
        self, origins: Mapping[str, Origin], seen: Iterable[Seen], claims: Collection[tuple[str, str, str]]
    ) -> None:
        keys = [key for key, origin in origins.items() if origin.trust == LOWEST]
        outside = ((trace, key) for key in keys for trace in _traces(key))
        rows = ((key, *origin) for key, origin in origins.items())
        self._db.executemany("INSERT OR REPLACE INTO origins VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._db.executemany("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", seen)
        if keys:
            self._db.executemany("INSERT OR IGNORE INTO outside VALUES (?, ?)", outside)
        if claims:
            self._db.executemany("INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", claims)

    def clear(self) -> None:
        for table in _NAMES:
            self._db.execute(f"DELETE FROM {table}")

    def finish(self, tips: Iterable[str], newest: int, era: str) -> None:
        """Note the tips that were read, in the same transaction as their results."""
        self._db.execute("DELETE FROM tips")
        self._db.executemany("INSERT INTO tips VALUES (?, ?, ?)", ((name, newest, era) for name in tips))


def followed(store: FoldStore, words: str, entry_id: str, corrected: Iterable[str] = ()) -> list[Seen]:
    """Return the rows of a statement and of all that it replaced, in order of time."""
    waiting = [(words, entry_id)]
    for wording in corrected:
        waiting.append((wording, ""))
    met = set(waiting)
    rows: list[tuple[int, Seen]] = []
    while waiting:
        wording, name = waiting.pop()
        for number, row in store.wordings(name, wording):
            rows.append((number, row))
            earlier = (row.before, row.before_id)
            if row.before and earlier not in met:
                met.add(earlier)
                waiting.append(earlier)
    return list(map(itemgetter(1), sorted(rows, key=itemgetter(0))))


def _traces(text: str) -> list[str]:
    return list(map(" ".join, traces(text)))


@contextmanager
def open_fold(folder: Path) -> Iterator[FoldStore]:
    """Open the cache as one transaction; a damaged one is rebuilt, without a place it is in memory."""
    with closing(FoldStore(_opened_somehow(folder))) as store:
        yield store
        store.keep()


@contextmanager
def read_only_fold(folder: Path) -> Iterator[FoldStore | None]:
    """Open the cache beside a writer; None if only `open_fold` can read it."""
    path = folder / "fold.db"
    try:
        connection = taken(path, lambda: _connect(f"{path.as_uri()}?mode=ro"))
    except (sqlite3.Error, OSError):
        yield None
        return
    with leaving(connection) as db:
        has_tables = False
        with suppress(sqlite3.Error):
            db.execute("BEGIN")
            if db.execute("PRAGMA user_version").fetchone() == (VERSION,):
                db.execute("SELECT COUNT(*) FROM tips").fetchone()
                has_tables = True
        yield FoldStore(db) if has_tables else None


def _connect(address: Path | str) -> sqlite3.Connection:
    db = sqlite3.connect(
        address, uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    # once for each open connection: it makes SQLite prepare earlier statements again
    db.create_function("folded", 1, str.casefold, deterministic=True)
    db.create_function("agents_turn", 2, is_agents_turn, deterministic=True)
    return db


def _opened_somehow(folder: Path) -> sqlite3.Connection:
    path = folder / "fold.db"
    try:
        return _opened(path)
    except (sqlite3.OperationalError, OSError):  # busy for long, or no room: this reader goes without it
        return _opened(":memory:")
    except sqlite3.DatabaseError:
        with suppress(sqlite3.DatabaseError, OSError):
            forget_fold(folder)
            return _opened(path)
    return _opened(":memory:")


def forget_fold(folder: Path) -> None:
    for name in ("fold.db", "fold.db-journal"):
        (folder / name).unlink(missing_ok=True)


def _opened(path: Path | str) -> sqlite3.Connection:
    """Connect with this version's tables, and begin a transaction; others wait."""
    if path != ":memory:":
        with suppress(OSError):  # SQLite would follow the umask, and reports what is wrong
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    db = _connect(path)
    try:
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("BEGIN IMMEDIATE")
        _ensure_tables(db)
        db.execute("SELECT COUNT(*) FROM tips").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _ensure_tables(db: sqlite3.Connection) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        db.execute(f'DROP TABLE "{name}"')
    for statement in _TABLES.split(";"):
        db.execute(statement)
