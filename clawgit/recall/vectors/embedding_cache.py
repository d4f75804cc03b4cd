"""embeddings.db: every row ever made, by model and text.

Rows can be made again, at a price; so it is written like records (a log, one transaction a batch) and deleted
only if SQLite itself finds it damaged.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import sqlite3
import time
from array import array
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from clawgit.recall.embedders.embedder import Row, VectorsError, row_bytes, unit_row
from clawgit.recall.index.index_tables import in_parts, marks
from clawgit.recall.index.line_units import passages
from clawgit.text.safety.secrets import redact
from clawgit.text.words.tokens import count_tokens
from clawgit.workspace.records.sqlite_files import WAIT_SECONDS, connect, create_store

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from clawgit.recall.embedders.choose_embedder import Embedder


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
class EmbeddingModel:
    """A model with rows; ``probes`` are its rows for texts that never change, concatenated."""

    model_id: int
    provider: str
    model: str
    dimension: int
    probes: bytes


class EmbeddingCache:
    """An open embeddings.db, which many processes may write. The keys are hashes of texts."""

    def __init__(self, path: Path) -> None:
        """Open the cache at ``path``; a missing or damaged one is made again."""
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
        self._db.close()

    def place(self) -> str:
        """Return the name of this workspace's vectors elsewhere; a copy of the file has another one."""
        identity = f"{self._meta('place')} {self._path.stat().st_ino}"
        return hashlib.sha256(identity.encode()).hexdigest()[:16]

    def generation(self) -> int:
        """Return a number that grows with each change of rows."""
        return int(str(self._meta("generation")))

    def model(self, provider: str, model: str, dimension: int = 0) -> EmbeddingModel | None:
        """Return the noted model, None if unknown; without ``dimension`` the one used last."""
        row = self._db.execute(
            """
            SELECT model_id, dimension, probes FROM models
             WHERE provider = ? AND model = ? AND (dimension = ? OR ? = 0) ORDER BY model_id DESC LIMIT 1
            """,
            (provider, model, dimension, dimension),
        ).fetchone()
        return None if row is None else EmbeddingModel(row[0], provider, model, row[1], row[2])

    def note_model(self, provider: str, model: str, dimension: int, probes: bytes) -> EmbeddingModel:
        """Note a model at its first answer; a known one keeps its probes."""
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO models (provider, model, dimension, probes) VALUES (?, ?, ?, ?)",
                (provider, model, dimension, probes),
            )
        noted = self.model(provider, model, dimension)
        assert noted is not None
        return noted

    def forget_model(self, provider: str, model: str) -> None:
        named = "SELECT model_id FROM models WHERE provider = ? AND model = ?"
        with self._writing():
            for table in ("embeddings", "unreadable"):
                self._db.execute(f"DELETE FROM {table} WHERE model_id IN ({named})", (provider, model))
            self._db.execute("DELETE FROM models WHERE provider = ? AND model = ?", (provider, model))

    def with_rows(self, model_id: int) -> set[bytes]:
        return set(map(itemgetter(0), self._db.execute(_WITH_ROWS, (model_id,))))

    def unreadable(self, model_id: int) -> set[bytes]:
        rows = self._db.execute("SELECT hash FROM unreadable WHERE model_id = ?", (model_id,))
        return set(map(itemgetter(0), rows))

    def keep(self, model_id: int, rows: Mapping[bytes, array[float] | None]) -> None:
        """Save rows; None marks a text that the model cannot read, so that it is not tried again."""
        made = [(model_id, text, row_bytes(row)) for text, row in rows.items() if row is not None]
        not_read = [(model_id, text) for text, row in rows.items() if row is None]
        with self._writing():
            self._db.executemany("INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?)", made)
            self._db.executemany("INSERT OR IGNORE INTO unreadable VALUES (?, ?)", not_read)

    def rest(self, texts: Collection[bytes]) -> int:
        """Delete all models' rows of these texts, and make none until they `wake`; return how many were deleted."""
        gone = self.forget(texts)
        with self._writing():
            self._db.executemany(
                "INSERT OR IGNORE INTO unreadable SELECT model_id, ? FROM models", [(text,) for text in texts]
            )
        return gone

    def forget(self, texts: Collection[bytes]) -> int:
        """Delete all models' rows of these texts; return how many."""
        with self._writing():
            before = self._db.total_changes
            self._db.executemany("DELETE FROM embeddings WHERE hash = ?", [(text,) for text in texts])
            return self._db.total_changes - before

    def wake(self, texts: Collection[bytes]) -> None:
        with self._writing():
            self._db.executemany("DELETE FROM unreadable WHERE hash = ?", [(text,) for text in texts])

    def rows(self, model_id: int, texts: Collection[bytes]) -> Iterator[tuple[bytes, bytes]]:
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
    """Return SQLite's error as a sentence; a damaged cache in ``folder`` is deleted, and made again."""
    if _is_damage(error):
        _remove(folder / EMBEDDINGS)
        return VectorsError(f"The cache of vectors cannot be used ({error}). It is rebuilt.")
    return VectorsError(f"The cache of vectors cannot be used ({error}).", hint=LOOK)


def _is_damage(error: sqlite3.Error) -> bool:
    """Say whether SQLite found the file damaged; a lock or a full disk passes."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _remove(path: Path) -> None:
    """Delete a damaged file, its log first: SQLite would replay the log into the next one."""
    for suffix in ("-wal", "-shm", "-journal", ""):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


PIECE_TOKENS, PIECE_OVERLAP = 200, 40  # small models read so much at once; less if the settings say so
ALIKE = 0.98  # a model with a row for a probe further away than that from the noted one is another model
_WAIT_SECONDS = 5.0
_TRIES, _PAUSE_SECONDS = 10, 0.005

# The markup of an entry around its statement; to a small model a date weighs as much as the statement.
_AROUND = re.compile(r"\A\d{4}-\d\d-\d\d: |(?: #[^\s#]+)+\Z", re.ASCII)

# Questions about rare topics: their nearest lines calibrate what near means here.
PROBES = (
    "What is the boiling point of tungsten?",
    "How do I configure an nginx reverse proxy?",
    "Who won the world cup in 1974?",
    "How do I fix a flat bicycle tyre?",
    "What does quantum chromodynamics say about lattices?",
    "When did the second Punic war begin?",
    "How long does sourdough bread have to rise?",
    "Which flight goes to Reykjavik on Tuesday?",
)


@dataclass(slots=True)
class LiveTexts:
    """The texts of an index on disk by their hashes; other processes renew it, and its seal date changes then."""

    path: Path
    hashes: frozenset[bytes] = frozenset()
    _seen: tuple[int, int] = field(default=(0, 0), init=False)

    def renew(self) -> bool:
        """Read the hashes if the index has changed; return whether it has. An index that is still being written counts as unchanged.

        Raises:
            OSError: There is no index.
        """
        for _ in range(_TRIES):
            stat = self.path.stat()
            if (stat.st_ino, stat.st_mtime_ns) == self._seen:
                return False
            hashes = self._read(stat.st_mtime_ns)
            if hashes is not None:
                self._seen = (stat.st_ino, stat.st_mtime_ns)
                self.hashes = hashes
                return True
            time.sleep(_PAUSE_SECONDS)
        return False

    def texts(self, hashes: Collection[bytes]) -> dict[bytes, str]:
        """Return the texts still in the index, keys masked: a service may read them."""
        texts: dict[bytes, str] = {}
        try:
            with closing(self._connected()) as db:
                for some in in_parts(list(hashes)):
                    texts.update(
                        db.execute(f"SELECT hash, text FROM texts WHERE hash IN ({marks(some)})", some)
                    )
        except sqlite3.Error:
            return {}
        return dict(zip(texts, map(redact, texts.values()), strict=True))

    def _read(self, seal: int) -> frozenset[bytes] | None:
        try:
            with closing(self._connected()) as db:
                db.execute("BEGIN")
                (sealed,) = db.execute("SELECT value FROM meta WHERE name = 'seal'").fetchone()
                hashes = frozenset(map(itemgetter(0), db.execute("SELECT hash FROM texts")))
        except (sqlite3.Error, TypeError, ValueError):
            return None
        return hashes if sealed == seal else None

    def _connected(self) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        return sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)


def made_rows(
    embedder: Embedder, texts: Mapping[bytes, str], settings: tuple[int, int]
) -> dict[bytes, Row[float] | None]:
    """Return a row for each text, None if the model cannot read it; ``settings`` are chunk size and overlap."""
    tokens = min(PIECE_TOKENS, settings[0])
    overlap = min(PIECE_OVERLAP, settings[1])
    pieces = {name: _pieces(statement(text), tokens, overlap) for name, text in texts.items()}
    rows = iter(embedder.embed([piece for each in pieces.values() for piece in each]))
    return {name: _mean([next(rows) for _ in each]) for name, each in pieces.items()}


def statement(text: str) -> str:
    """Return the statement of a text, without the date before an entry and the tags after it."""
    return _AROUND.sub("", text) or text


def probe_bytes(rows: Sequence[Row[float] | None], dimension: int) -> bytes:
    """Return the rows of the probes as bytes; zeros for a probe that cannot be read."""
    return b"".join(row_bytes(array("f", bytes(4 * dimension)) if row is None else row) for row in rows)


def _pieces(text: str, tokens: int, overlap: int) -> list[str]:
    if count_tokens(text) <= tokens:
        return [text]
    return list(map(attrgetter("text"), passages(text.encode("utf-8", "replace"), tokens, overlap)))


def _mean(rows: list[Row[float] | None]) -> Row[float] | None:
    read = [row for row in rows if row is not None]
    if len(read) < 2:
        return read[0] if read else None
    return unit_row(list(map(sum, zip(*read, strict=True))))
