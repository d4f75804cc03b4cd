"""embeddings.db: every row that was ever made, by model and text.

What is in it can be made again, at a price; so it is written like records (a log, one transaction a batch) and
thrown away only when SQLite itself finds it damaged.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.recall.embedders.embedder import VectorsError, row_bytes
from clawgit.recall.index.index_tables import in_parts, marks
from clawgit.workspace.records.sqlite_files import WAIT_SECONDS, connect, create_store

if TYPE_CHECKING:
    from array import array
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

EMBEDDINGS = "embeddings.db"
LOOK = "Look at .git/clawgit/vectors, and who may write there; it can be deleted."
_VERSION = 1
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    """CREATE TABLE models (model_id INTEGER PRIMARY KEY, provider TEXT, model TEXT, dimension INTEGER, probes BLOB,
        UNIQUE (provider, model, dimension))""",
    "CREATE TABLE embeddings (model_id INTEGER, hash BLOB, row BLOB, UNIQUE (model_id, hash))",
    "CREATE TABLE unreadable (model_id INTEGER, hash BLOB, PRIMARY KEY (model_id, hash)) WITHOUT ROWID",
)


@dataclass(frozen=True, slots=True)
class Model:
    """A model that rows were made by; ``probes`` are its rows for texts that never change, one behind the other."""

    model_id: int
    provider: str
    model: str
    dimension: int
    probes: bytes


class EmbeddingCache:
    """An open embeddings.db; many processes may have it open and write to it. Texts are known by their hashes."""

    def __init__(self, path: Path) -> None:
        """Open the cache at ``path``, made again where there is none or it is damaged."""
        self._path = path
        path.parent.mkdir(mode=0o700, exist_ok=True)
        try:
            self._db = _opened(path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            _remove(path)
            self._db = _opened(path)

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def place(self) -> str:
        """Return the name under which this workspace's vectors are kept elsewhere; a copy of the file has another one."""
        identity = f"{self._meta('place')} {self._path.stat().st_ino}"
        return hashlib.sha256(identity.encode()).hexdigest()[:16]

    def generation(self) -> int:
        """Return a number that grows whenever rows come or go."""
        return int(str(self._meta("generation")))

    def model(self, provider: str, model: str, dimension: int = 0) -> Model | None:
        """Return what is known of a model; without ``dimension``, of the one that was used last."""
        row = self._db.execute(
            """
            SELECT model_id, dimension, probes FROM models
             WHERE provider = ? AND model = ? AND (dimension = ? OR ? = 0) ORDER BY model_id DESC LIMIT 1
            """,
            (provider, model, dimension, dimension),
        ).fetchone()
        return None if row is None else Model(row[0], provider, model, row[1], row[2])

    def note_model(self, provider: str, model: str, dimension: int, probes: bytes) -> Model:
        """Note a model that answered for the first time; one that is known keeps its probes."""
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO models (provider, model, dimension, probes) VALUES (?, ?, ?, ?)",
                (provider, model, dimension, probes),
            )
        noted = self.model(provider, model, dimension)
        assert noted is not None
        return noted

    def forget_model(self, provider: str, model: str) -> None:
        """Forget all rows of a model."""
        named = "SELECT model_id FROM models WHERE provider = ? AND model = ?"
        with self._writing():
            for table in ("embeddings", "unreadable"):
                self._db.execute(f"DELETE FROM {table} WHERE model_id IN ({named})", (provider, model))
            self._db.execute("DELETE FROM models WHERE provider = ? AND model = ?", (provider, model))

    def with_rows(self, model_id: int) -> set[bytes]:
        """Return the texts that have a row of this model."""
        return {row[0] for row in self._db.execute(_WITH_ROWS, (model_id,))}

    def unreadable(self, model_id: int) -> set[bytes]:
        """Return the texts that this model cannot read."""
        rows = self._db.execute("SELECT hash FROM unreadable WHERE model_id = ?", (model_id,))
        return {row[0] for row in rows}

    def keep(self, model_id: int, rows: Mapping[bytes, array[float] | None]) -> None:
        """Keep rows; None says that the model cannot read a text, so that it is not asked again."""
        made = [(model_id, text, row_bytes(row)) for text, row in rows.items() if row is not None]
        not_read = [(model_id, text) for text, row in rows.items() if row is None]
        with self._writing():
            self._db.executemany("INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?)", made)
            self._db.executemany("INSERT OR IGNORE INTO unreadable VALUES (?, ?)", not_read)

    def drop(self, model_id: int, texts: Collection[bytes]) -> None:
        """Forget rows that turned out to be damaged."""
        with self._writing():
            self._db.executemany(
                "DELETE FROM embeddings WHERE model_id = ? AND hash = ?", [(model_id, text) for text in texts]
            )

    def rest(self, texts: Collection[bytes]) -> int:
        """Forget the rows of these texts by every model, and make none again until they `wake`; return how many there were."""
        gone = self.forget(texts)
        with self._writing():
            self._db.executemany(
                "INSERT OR IGNORE INTO unreadable SELECT model_id, ? FROM models", [(text,) for text in texts]
            )
        return gone

    def forget(self, texts: Collection[bytes]) -> int:
        """Forget the rows of these texts by every model; return how many there were."""
        with self._writing():
            before = self._db.total_changes
            self._db.executemany("DELETE FROM embeddings WHERE hash = ?", [(text,) for text in texts])
            return self._db.total_changes - before

    def wake(self, texts: Collection[bytes]) -> None:
        """Let rows be made of these texts again."""
        with self._writing():
            self._db.executemany("DELETE FROM unreadable WHERE hash = ?", [(text,) for text in texts])

    def rows(self, model_id: int, texts: Collection[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the rows that there are for these texts, as bytes."""
        for some in in_parts(list(texts)):
            yield from self._db.execute(
                f"SELECT hash, row FROM embeddings WHERE model_id = ? AND hash IN ({marks(some)})",
                (model_id, *some),
            )

    def _meta(self, name: str) -> object:
        return self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()[0]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")


_WITH_ROWS = "SELECT hash FROM embeddings INDEXED BY sqlite_autoindex_embeddings_1 WHERE model_id = ?"


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
        db.execute("INSERT INTO meta VALUES ('place', ?), ('generation', 0)", (secrets.token_hex(8),))
        db.execute(f"PRAGMA user_version = {_VERSION:d}")


def cache_error(folder: Path, error: sqlite3.Error) -> VectorsError:
    """Return in a sentence what SQLite says of the cache in ``folder``; a damaged one is removed, and made again."""
    if _is_damage(error):
        _remove(folder / EMBEDDINGS)
        return VectorsError(f"The cache of vectors cannot be used ({error}). It is rebuilt.")
    return VectorsError(f"The cache of vectors cannot be used ({error}).", hint=LOOK)


def _is_damage(error: sqlite3.Error) -> bool:
    """Say whether SQLite found the file itself to be damaged; a lock or a full disk passes."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _remove(path: Path) -> None:
    """Remove a damaged file, its log first, or that would be replayed into the next one."""
    for suffix in ("-wal", "-shm", "-journal", ""):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
