"""embeddings.db: every row that was ever made, by model and text, and which passages the files are made of.

What is in it can be made again, at a price; so it is written like records (a log, one transaction a batch) and
thrown away only when SQLite itself finds it damaged.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.recall.vectors.wire import row_bytes, row_of
from clawgit.workspace.stores import WAIT_SECONDS, connect, create_store

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

EMBEDDINGS = "embeddings.db"
_VERSION = 1
_AT_ONCE = 500
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    """CREATE TABLE models (model_id INTEGER PRIMARY KEY, provider TEXT, model TEXT, dimension INTEGER, probe BLOB,
        UNIQUE (provider, model, dimension))""",
    """CREATE TABLE embeddings (model_id INTEGER, hash TEXT, row BLOB, UNIQUE (model_id, hash))""",
    """CREATE TABLE passages (file TEXT, number INTEGER, first INTEGER, last INTEGER, hash TEXT,
        PRIMARY KEY (file, number)) WITHOUT ROWID""",
    "CREATE INDEX passages_by_hash ON passages (hash)",
    "CREATE TABLE live (file TEXT PRIMARY KEY) WITHOUT ROWID",
)
_LIVE = "SELECT DISTINCT p.hash FROM live l JOIN passages p ON p.file = l.file"


@dataclass(frozen=True, slots=True)
class Model:
    """A model that rows were made by; ``probe`` is its row for a text that never changes."""

    model_id: int
    provider: str
    model: str
    dimension: int
    probe: array[float] | None = None


@dataclass(frozen=True, slots=True)
class CachedPassage:
    """A passage of a file: the units from ``first`` to ``last``, counted from 0, and the hash of its text."""

    first: int
    last: int
    digest: str


class EmbeddingCache:
    """An open embeddings.db; many processes may have it open and write to it."""

    def __init__(self, path: Path) -> None:
        """Open the cache at ``path``, made anew where there is none or it is damaged.

        Raises:
            OSError, sqlite3.Error: The folder cannot be written.
        """
        self._path = path
        path.parent.mkdir(mode=0o700, exist_ok=True)
        try:
            self._db = _opened(path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self.throw_away()
            self._db = _opened(path)

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def throw_away(self) -> None:
        """Remove a file that is damaged, its log first, or that would be replayed into the next one."""
        with suppress(AttributeError, sqlite3.Error):
            self._db.close()
        for suffix in ("-wal", "-shm", "-journal", ""):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def place(self) -> str:
        """Return the name under which this workspace's vectors are kept elsewhere: another copy has another one."""
        return str(self._meta("place"))

    def generation(self) -> int:
        """Return a number that grows whenever other passages are live or rows were added."""
        return int(str(self._meta("generation")))

    def model(self, provider: str, model: str, dimension: int = 0) -> Model | None:
        """Return what is known of a model; without ``dimension``, of the one that was used last."""
        found = self._db.execute(
            """
            SELECT model_id, dimension, probe FROM models
             WHERE provider = ? AND model = ? AND (dimension = ? OR ? = 0) ORDER BY model_id DESC LIMIT 1
            """,
            (provider, model, dimension, dimension),
        ).fetchone()
        if found is None:
            return None
        return Model(found[0], provider, model, found[1], None if found[2] is None else row_of(found[2]))

    def note_model(self, provider: str, model: str, dimension: int, probe: array[float] | None) -> Model:
        """Note a model that answered for the first time; one that is known keeps its probe."""
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO models (provider, model, dimension, probe) VALUES (?, ?, ?, ?)",
                (provider, model, dimension, None if probe is None else row_bytes(probe)),
            )
        found = self.model(provider, model, dimension)
        assert found is not None
        return found

    def forget_model(self, provider: str, model: str) -> None:
        """Forget all rows of a model."""
        named = "SELECT model_id FROM models WHERE provider = ? AND model = ?"
        with self._writing():
            self._db.execute(f"DELETE FROM embeddings WHERE model_id IN ({named})", (provider, model))
            self._db.execute("DELETE FROM models WHERE provider = ? AND model = ?", (provider, model))
            self._grow()

    def known_files(self) -> set[str]:
        """Return the files whose passages are noted."""
        return {row[0] for row in self._db.execute("SELECT DISTINCT file FROM passages")}

    def live_files(self) -> set[str]:
        """Return the files that are live."""
        return {row[0] for row in self._db.execute("SELECT file FROM live")}

    def note_files(self, passages: Mapping[str, Sequence[CachedPassage]], live: set[str]) -> None:
        """Note the passages of files, and that exactly the files ``live`` are live now."""
        with self._writing():
            for file, found in passages.items():
                self._db.execute("DELETE FROM passages WHERE file = ?", (file,))
                self._db.executemany(
                    "INSERT INTO passages VALUES (?, ?, ?, ?, ?)",
                    [(file, number, one.first, one.last, one.digest) for number, one in enumerate(found)],
                )
            before = self.live_files()
            self._db.executemany("DELETE FROM live WHERE file = ?", [(file,) for file in before - live])
            self._db.executemany("INSERT INTO live VALUES (?)", [(file,) for file in live - before])
            self._grow()

    def passages(self, file: str) -> list[CachedPassage]:
        """Return the passages of a file in their order."""
        rows = self._db.execute(
            "SELECT first, last, hash FROM passages WHERE file = ? ORDER BY number", (file,)
        )
        return [CachedPassage(*row) for row in rows]

    def places(self, digests: Iterable[str]) -> list[tuple[str, CachedPassage]]:
        """Return where the passages with these hashes stand: file and units."""
        found = []
        for some in _parts(digests):
            rows = self._db.execute(
                f"SELECT file, first, last, hash FROM passages WHERE hash IN ({_marks(some)})", some
            )
            found += [(row[0], CachedPassage(*row[1:])) for row in rows]
        return found

    def live(self, model_id: int) -> list[str]:
        """Return the hashes of live passages that have a row of this model."""
        rows = self._db.execute(
            f"{_LIVE} JOIN embeddings e ON e.model_id = ? AND e.hash = p.hash WHERE e.row IS NOT NULL",
            (model_id,),
        )
        return [row[0] for row in rows]

    def missing(self, model_id: int, files: Iterable[str]) -> list[tuple[str, CachedPassage]]:
        """Return the passages of these files that this model was never asked for, with their files."""
        found = []
        for some in _parts(files):
            rows = self._db.execute(
                f"""
                SELECT p.file, p.first, p.last, p.hash FROM passages p
                  LEFT JOIN embeddings e ON e.model_id = ? AND e.hash = p.hash
                 WHERE e.hash IS NULL AND p.file IN ({_marks(some)}) ORDER BY p.file, p.number
                """,
                (model_id, *some),
            )
            found += [(row[0], CachedPassage(*row[1:])) for row in rows]
        return found

    def counts(self, model_id: int) -> tuple[int, int, int]:
        """Return how many passages are live, how many have a row, and how many the model cannot read."""
        (live,) = self._db.execute(f"SELECT COUNT(*) FROM ({_LIVE})").fetchone()
        rows, unreadable = self._db.execute(
            f"""
            SELECT COUNT(e.row), COUNT(*) - COUNT(e.row) FROM ({_LIVE}) p
              JOIN embeddings e ON e.model_id = ? AND e.hash = p.hash
            """,
            (model_id,),
        ).fetchone()
        return int(live), int(rows), int(unreadable)

    def keep(self, model_id: int, rows: Mapping[str, array[float] | None]) -> None:
        """Keep rows; None says that the model cannot read a text, so that it is not asked again."""
        with self._writing():
            self._db.executemany(
                "INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?)",
                [(model_id, digest, None if row is None else row_bytes(row)) for digest, row in rows.items()],
            )
            self._grow()

    def drop(self, model_id: int, digests: Iterable[str]) -> None:
        """Forget rows that turned out to be damaged."""
        with self._writing():
            self._db.executemany(
                "DELETE FROM embeddings WHERE model_id = ? AND hash = ?", [(model_id, one) for one in digests]
            )
            self._grow()

    def rows(self, model_id: int, digests: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the rows that are there, as bytes, by their hashes."""
        for some in _parts(digests):
            yield from self._db.execute(
                f"""
                SELECT hash, row FROM embeddings
                 WHERE model_id = ? AND hash IN ({_marks(some)}) AND row IS NOT NULL
                """,
                (model_id, *some),
            )

    def _meta(self, name: str) -> object:
        return self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()[0]

    def _grow(self) -> None:
        self._db.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield


def _opened(path: Path) -> sqlite3.Connection:
    if path.exists() and path.stat().st_size == 0:
        path.unlink()
    if not path.exists():
        create_store(path)
    db = connect(path, wait_seconds=WAIT_SECONDS)
    try:
        db.execute("PRAGMA synchronous = NORMAL")
        _make_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def _make_tables(db: sqlite3.Connection) -> None:
    """Make the tables where there are none, or where an earlier clawgit made others."""
    if db.execute("PRAGMA user_version").fetchone()[0] == _VERSION:
        db.execute("SELECT 1 FROM meta WHERE name = 'generation'").fetchone()
        return
    with db:
        db.execute("BEGIN IMMEDIATE")
        if db.execute("PRAGMA user_version").fetchone()[0] == _VERSION:
            return
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            db.execute(f'DROP TABLE "{name}"')
        for statement in _TABLES:
            db.execute(statement)
        row = (secrets.token_hex(8),)
        db.execute("INSERT INTO meta VALUES ('place', ?), ('generation', 0)", row)
        db.execute(f"PRAGMA user_version = {_VERSION:d}")


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _parts(values: Iterable[str]) -> Iterator[list[str]]:
    left = list(values)
    for at in range(0, len(left), _AT_ONCE):
        yield left[at : at + _AT_ONCE]


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
