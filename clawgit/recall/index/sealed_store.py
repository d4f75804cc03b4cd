"""A derived store: an SQLite file that may be deleted at any time, and is trusted only while sealed.

SQLite misses most damage (of 60 flipped bytes, 44 changed an answer silently). So the writer stores a made-up
date in the file and sets the file's modification time to it afterwards. Any other write, or a crash while
filling, leaves another time; then the file is made again, and needs no journal. A modification time can be
forged, the change time cannot: it is noted in the lock file.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from clawgit import __version__
from clawgit.history.git.lock import only_holder
from clawgit.workspace.records.sqlite_files import OpenStore, leaving, taken, touch_private
from clawgit.workspace.safe_files import sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


WAIT_SECONDS = 30.0
_SEAL_SECONDS = range(1_000_000_000, 1_500_000_000, 2)  # even seconds: any file system keeps them
# Errors of reading a file in which the disk changed some bits.
NONSENSE = (sqlite3.DatabaseError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
_META = "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID"


def lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def sealed_at(path: Path) -> int:
    """Return the seal date of a store on disk: each filling has another one."""
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


@contextmanager
def alone(path: Path) -> Iterator[int]:
    """Hold the writers' lock; yields the open lock file."""
    with only_holder(lock_of(path), wait_seconds=WAIT_SECONDS) as lock:
        if lock is None:
            raise BlockingIOError
        yield lock


class _UnusableError(Exception):
    """The file is missing, damaged, unsealed, or was filled by other code."""


_NO_USE = (OSError, sqlite3.Error, _UnusableError, *NONSENSE)


class StoreShape(NamedTuple):
    """The tables of a store, and the version of the code that fills them: another ``version`` rebuilds it."""

    version: str
    tables: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{__version__}/{self.version}"


class NearStore(NamedTuple):
    """Another store of the same tables: a new store starts as its copy if it ``is_near``."""

    path: Path
    shape: StoreShape
    is_near: Callable[[sqlite3.Connection], bool]


@contextmanager
def up_to_date(
    path: Path,
    shape: StoreShape,
    *,
    fresh: Callable[[sqlite3.Connection], bool],
    fill: Callable[[sqlite3.Connection], None],
    model: NearStore | None = None,
    in_memory: bool = False,
) -> Iterator[sqlite3.Connection]:
    """Open the store for one reading, updated by ``fill`` unless it is ``fresh``.

    ``fill`` gets the present store, a copy of the ``model``, or an empty one; its changes become visible at
    once or not at all. If the store cannot be written (read-only folder, full disk, endless writer), it is
    filled in memory, as with ``in_memory``.
    """
    opened = None
    if not in_memory:
        opened = _fresh(path, shape, fresh)
        if opened is None:
            with suppress(*_NO_USE):
                renew(path, shape, fill, unless=fresh, model=model)
                opened = _opened(path, shape)
    with leaving(opened) if opened else closing(made_in_memory(shape, fill)) as db:
        yield db


def renew(
    path: Path,
    shape: StoreShape,
    fill: Callable[[sqlite3.Connection], None],
    *,
    unless: Callable[[sqlite3.Connection], bool] | None = None,
    from_nothing: bool = False,
    model: NearStore | None = None,
) -> None:
    """Fill the store on disk, made aside and renamed into place if unusable; one process at a time.

    Does nothing if ``unless`` holds when this process gets the lock.

    Raises:
        OSError, sqlite3.Error: It cannot be written; the file is unsealed or as before.
    """
    with alone(path) as lock:
        is_renewed = False
        if not from_nothing:
            with suppress(_UnusableError, *NONSENSE):
                _renew_in_place(path, shape, fill, unless)
                is_renewed = True
        if not is_renewed:
            _remake(path, shape, fill, model)
        with suppress(FileNotFoundError):  # another process deleted it
            os.pwrite(lock, b"%20d" % path.stat().st_ctime_ns, 0)


@contextmanager
def tried(path: Path, shape: StoreShape) -> Iterator[sqlite3.Connection]:
    """Open the store for trial changes: they stay in memory, the file is untouched."""
    with alone(path), closing(_connect(path, "rw")) as db:
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("PRAGMA cache_spill = OFF")
        db.execute("BEGIN IMMEDIATE")
        try:
            _check(db, path, shape)
            yield db
        except _UnusableError as error:
            raise sqlite3.DatabaseError(f"{path.name} is not sealed") from error
        finally:
            db.execute("ROLLBACK")


def is_usable(path: Path, shape: StoreShape) -> bool:
    """Say whether the store on disk can be read as it is."""
    try:
        with leaving(_opened(path, shape)):
            return True
    except _NO_USE:
        return False


def forget(path: Path) -> None:
    """Delete the store on disk; silent on failure."""
    with suppress(OSError), alone(path):
        path.unlink(missing_ok=True)


def made_in_memory(shape: StoreShape, fill: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", uri=True, isolation_level=None)
    try:
        _make_tables(db, shape)
        fill(db)
    except BaseException:
        db.close()
        raise
    return db


def _fresh(path: Path, shape: StoreShape, fresh: Callable[[sqlite3.Connection], bool]) -> OpenStore | None:
    try:
        opened = _opened(path, shape)
    except _NO_USE:
        return None
    with suppress(*NONSENSE):
        if fresh(opened.db):
            return opened
    opened.db.close()
    return None


def _opened(path: Path, shape: StoreShape) -> OpenStore:
    """Open a sealed store and begin to read: writers wait until that ends."""
    opened = taken(path, lambda: _connect(path, "ro"))
    try:
        opened.db.execute("BEGIN")
        _check(opened.db, path, shape)
    except BaseException:
        opened.db.close()
        raise
    return opened


def _check(db: sqlite3.Connection, path: Path, shape: StoreShape) -> None:
    meta = dict(db.execute("SELECT name, value FROM main.meta WHERE name IN ('shape', 'seal')"))
    state = path.stat()
    is_sealed = (meta.get("seal"), int(lock_of(path).read_bytes())) == (state.st_mtime_ns, state.st_ctime_ns)
    if meta.get("shape") != shape.name or not is_sealed:
        raise _UnusableError


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(
        address, uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute("PRAGMA cache_size = -16384")  # KB: one search's pages serve the next one
    return db


def _renew_in_place(
    path: Path,
    shape: StoreShape,
    fill: Callable[[sqlite3.Connection], None],
    unless: Callable[[sqlite3.Connection], bool] | None,
) -> None:
    with closing(_connect(path, "rw")) as db:
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN IMMEDIATE")
        try:
            _check(db, path, shape)
            if unless is not None and unless(db):
                db.execute("ROLLBACK")
                return
            fill(db)
            seal = _note_seal(db)
            db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise
    _seal(path, seal)


def _remake(
    path: Path, shape: StoreShape, fill: Callable[[sqlite3.Connection], None], model: NearStore | None
) -> None:
    aside = path.with_name(path.name + ".new")
    aside.unlink(missing_ok=True)
    touch_private(aside)
    try:
        with closing(_connect(aside, "rw")) as db:
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("PRAGMA synchronous = OFF")
            is_copy = model is not None and _is_copied(model, db)
            db.execute("BEGIN")
            if is_copy:
                db.execute("UPDATE meta SET value = ? WHERE name = 'shape'", (shape.name,))
            else:
                _make_tables(db, shape)
            fill(db)
            seal = _note_seal(db)
            db.execute("COMMIT")
        _seal(aside, seal)
        aside.rename(path)
        sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise


def _is_copied(model: NearStore, db: sqlite3.Connection) -> bool:
    """Copy the model into an empty store; return whether that worked."""
    try:
        opened = _opened(model.path, model.shape)
    except _NO_USE:
        return False
    with leaving(opened) as original:
        is_near = model.is_near(original)
        if is_near:
            original.backup(db)
    return is_near


def _make_tables(db: sqlite3.Connection, shape: StoreShape) -> None:
    for statement in (_META, *shape.tables):
        db.execute(statement)
    db.execute("INSERT INTO meta VALUES ('shape', ?)", (shape.name,))


def _note_seal(db: sqlite3.Connection) -> int:
    seal = _SEAL_SECONDS[int.from_bytes(os.urandom(4), "big") % len(_SEAL_SECONDS)] * 1_000_000_000
    db.execute("INSERT OR REPLACE INTO meta VALUES ('seal', ?)", (seal,))
    return seal


def _seal(path: Path, seal: int) -> None:
    handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        os.fsync(handle)  # first the content, then the date that vouches for it
        os.utime(handle, ns=(seal, seal))
    finally:
        os.close(handle)
