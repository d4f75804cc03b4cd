"""A record store as an SQLite file that is made, migrated, copied, checked and overwritten while others use it.

Some connections stay open, so that the next reading has SQLite's cache and prepared statements. Each belongs to a
file, not a path: a replaced file is opened again. One reader at a time has a connection.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from clawgit.errors import ClawgitError, ExitCode
from clawgit.workspace.safe_files import NEARLY_FULL, TEMPORARY_PREFIX, free_bytes, sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

RECORD_STORES = ("records.db", "messages.db")
WAIT_SECONDS = 30.0
PAGE_BYTES = 4096
MOST_LOG_BYTES = 2 << 20
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_OUR_MISTAKES = {
    None,  # from Python's own module: a closed connection, a wrong binding
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_MISUSE,
    sqlite3.SQLITE_RANGE,
}
LEDGER = "CREATE TABLE migrations (number INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)"
_MOST = 6  # of all files together; each holds its cache size in memory
_TURN = Lock()
_SELDOM = 8  # times: a single command never connects so often, and at its end would merge the log
_COMES: dict[tuple[str, int, int], int] = {}  # number of connections per file


class RecordsError(ClawgitError):
    """A store of records cannot be used in its present state."""


class DamagedStoreError(RecordsError):
    """The file of a store is not a whole database."""

    def __init__(self, name: str, what: str) -> None:
        hint = "`clawgit backup --restore FILE` puts a backup in its place and keeps the damaged one aside; "
        hint += "without a backup, move it and its `-wal` away, and a new one begins."
        super().__init__(f"{name} in .git/clawgit is damaged ({what}).", hint=hint)


class BusyStoreError(RecordsError):
    """Another process did not stop writing to a store."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY

    def __init__(self, name: str) -> None:
        text = f"Another process keeps {name} busy, so nothing was changed."
        super().__init__(text, hint="Try again when it is done.")


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        extended = getattr(error, "sqlite_errorcode", None)
        code = None if extended is None else extended & 0xFF
        if code in _OUR_MISTAKES:
            raise
        if code == sqlite3.SQLITE_IOERR and free_bytes(path.parent) < NEARLY_FULL:
            # On a full disk, SQLite reports an I/O error for its files beside a store.
            code = sqlite3.SQLITE_FULL
        if code in _DAMAGED:
            raise DamagedStoreError(path.name, str(error)) from error
        if code in _BUSY:
            raise BusyStoreError(path.name) from error
        if code == sqlite3.SQLITE_FULL:
            hint = "Free some space and try again."
            raise RecordsError(f"The disk is full, so {path.name} was left as it was.", hint=hint) from error
        hint = "Check who owns the folder and its permissions."
        raise RecordsError(f"{path.name} in .git/clawgit cannot be used ({error}).", hint=hint) from error


def connect(path: Path, *, mode: str = "mode=rw", wait_seconds: float = WAIT_SECONDS) -> sqlite3.Connection:
    """Connect to an existing store; a missing one is not made."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=wait_seconds,
        isolation_level=None,
        check_same_thread=False,
    )


@contextmanager
def connected(path: Path, *, may_get_lost: bool) -> Iterator[sqlite3.Connection]:
    """Connect to a store for a moment; a process that connects often stays connected."""
    file = _file(path)
    _COMES[file] = _COMES.get(file, 0) + 1
    if _COMES[file] > _SELDOM:
        with leaving(taken(path, lambda: connect(path))) as db:
            yield db
        return
    left = log_left(path) if may_get_lost else nullcontext()
    with left, closing(connect(path)) as db:
        yield db


def _connect_still(path: Path) -> sqlite3.Connection:
    """Connect for reading to a copy without writers; no file is made beside it."""
    return connect(path, mode="mode=ro&immutable=1")


@contextmanager
def log_left(path: Path) -> Iterator[None]:
    """Keep SQLite's log beside a store that others close meanwhile: the last one to close it merges it, with four syncs.

    A read-only connection is last now, and leaves the merge to the next writer. A large log is merged anyway: the first
    process to open the store reads all of it.
    """
    with store_errors(path):
        log_bytes = 0
        with suppress(FileNotFoundError):  # another process merges it at any moment
            log_bytes = path.with_name(f"{path.name}-wal").stat().st_size
        if log_bytes > MOST_LOG_BYTES:
            yield
            return
        with closing(connect(path, mode="mode=ro")) as last:
            last.execute("SELECT 1 FROM sqlite_master").fetchone()  # SQLite opens a store on the first read
            yield


def create_store(path: Path, *, like: Path | None = None) -> None:
    """Make an empty store (WAL) with the page size of ``like``; an earlier process's wins.

    Made aside: switching to WAL fails while another process does, and so an empty file always means damage.
    """
    page_bytes = PAGE_BYTES
    if like is not None:
        with closing(_connect_still(like)) as db:
            page_bytes = int(db.execute("PRAGMA page_size").fetchone()[0])
    with made_aside(path) as aside, store_errors(path), closing(connect(aside)) as db:
        db.execute(f"PRAGMA page_size = {page_bytes:d}")
        db.execute("PRAGMA journal_mode = WAL")


def ensure_store(path: Path) -> None:
    """Make a store if there is none, and refuse an empty file."""
    try:
        if not path.exists():
            create_store(path)
    except OSError as error:
        text = f"{path.name} cannot be made in {path.parent} ({error.strerror})."
        hint = "Check the free space, who owns the folder and its permissions."
        raise RecordsError(text, hint=hint) from error
    refuse_empty(path)


@contextmanager
def made_aside(path: Path) -> Iterator[Path]:
    """Yield an empty private file that is linked to ``path`` at the end: one process wins, and none sees a part."""
    aside = path.with_name(TEMPORARY_PREFIX + os.urandom(8).hex())
    try:
        touch_private(aside)
        yield aside
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            if not path.exists():
                # SQLite would write a deleted store's log into the new one
                for ending in ("-wal", "-shm"):
                    path.with_name(path.name + ending).unlink(missing_ok=True)
            os.link(aside, path)
        finally:
            os.close(folder)
        sync_folder(path.parent)
    except FileExistsError:
        return
    finally:
        aside.unlink(missing_ok=True)


def refuse_empty(path: Path) -> None:
    """Refuse an empty store: SQLite would take it for a new one, and its loss would go unnoticed."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise RecordsError(f"{path.name} in .git/clawgit cannot be read ({error.strerror}).") from error
    if size == 0:
        raise DamagedStoreError(path.name, "it is empty, as after a power loss")


def copy_store(source: Path, target: Path, *, wait_seconds: float) -> None:
    """Copy a store to a new file as it is at one moment, beside writers; `check_store` checks the copy."""
    refuse_empty(source)
    touch_private(target)
    with store_errors(source), closing(connect(source, wait_seconds=wait_seconds)) as live:
        live.execute("VACUUM INTO ?", (str(target),))
    with target.open("rb") as file:
        os.fsync(file.fileno())  # SQLite does not sync it


def check_store(path: Path) -> None:
    refuse_empty(path)
    with store_errors(path), closing(_connect_still(path)) as db:
        ((fault, *_), *_) = db.execute("PRAGMA integrity_check(1)").fetchall()
    if fault != "ok":
        raise DamagedStoreError(path.name, " ".join(str(fault).split()))


def overwrite_store(live: Path, new: Path, previous: Path | None, *, wait_seconds: float) -> None:
    """Give ``live`` the content of ``new`` in one transaction; open connections remain valid. ``previous`` gets all of its old content.

    A rename would leave those connections writing into a deleted file, and its log beside the new one.
    """
    refuse_empty(live)
    aside = new.with_name(f"{new.name}-kept")

    def keep(status: int = sqlite3.SQLITE_OK, _left: int = 0, _pages: int = 0) -> None:
        """Copy the old content: SQLite calls this after the first page, when it has locked out all writers."""
        if status & 0xFF in _BUSY:  # Python would retry for ever
            raise BusyStoreError(live.name)
        if previous is not None and not previous.exists():
            copy_store(live, aside, wait_seconds=wait_seconds)
            aside.replace(previous)
            sync_folder(previous.parent)

    with (
        store_errors(live),
        closing(_connect_still(new)) as source,
        closing(connect(live, wait_seconds=wait_seconds)) as target,
    ):
        (mode,) = target.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":  # the old content could not be read meanwhile
            raise BusyStoreError(live.name)
        (pages,) = source.execute("PRAGMA page_count").fetchone()
        if pages == 1:  # no tables: the first page is the last one
            keep()
        try:
            source.backup(target, pages=1, progress=keep)
        except (sqlite3.Error, ClawgitError, OSError):  # rolled back, so nothing has to be copied
            if previous is not None:
                previous.unlink(missing_ok=True)
            raise


def replace_damaged_store(live: Path, new: Path) -> None:
    """Put ``new`` in place of a file that is not a database; the old log goes first, or SQLite would replay it."""
    for suffix in ("-wal", "-shm", "-journal"):
        live.with_name(live.name + suffix).unlink(missing_ok=True)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(live)
    sync_folder(live.parent)


def touch_private(path: Path) -> None:
    """Make an empty file that only its owner reads; SQLite's files beside it get the same mode."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def utc_text(moment: datetime) -> str:
    """Return a time as records have it: in UTC, to the second, sorting as text."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def migrate(db: sqlite3.Connection, name: str, steps: Sequence[Sequence[str]], now: datetime) -> None:
    """Apply the missing steps; the first one makes the `LEDGER`. Safe for many processes at once."""
    while number_of(db, name, len(steps)) < len(steps):
        with db:
            db.execute("BEGIN IMMEDIATE")
            number = number_of(db, name, len(steps)) + 1  # again: another process may have been faster
            if number > len(steps):
                return
            for statement in steps[number - 1]:
                db.execute(statement)
            db.execute("INSERT INTO migrations VALUES (?, ?)", (number, utc_text(now)))


def number_of(db: sqlite3.Connection, name: str, newest: int) -> int:
    """Return the number of the last applied step; refuse a newer clawgit's."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone() is None:
        return 0
    number = int(db.execute("SELECT MAX(number) FROM migrations").fetchone()[0] or 0)
    refuse_newer_step(name, number, newest)
    return number


def refuse_newer_step(name: str, number: int, newest: int) -> None:
    if number > newest:
        text = f"{name} was written by a newer clawgit (it is at step {number}; this one knows {newest})."
        hint = "Install a newer clawgit; nothing was changed."
        raise RecordsError(text, hint=hint)


class OpenStore(NamedTuple):
    """An open connection, its file, and the log beside that while idle (0: none)."""

    file: tuple[str, int, int] | None
    db: sqlite3.Connection
    log: int = 0


_IDLE: list[OpenStore] = []  # the latest used one is last
_OF_PARENT: list[OpenStore] = []  # after a fork a connection must not even be closed


def taken(path: Path, connect: Callable[[], sqlite3.Connection]) -> OpenStore:
    """Return a connection to the file at ``path`` for any thread, an idle one or a new one."""
    file = _file(path)
    while True:
        with _TURN:
            at = next((at for at in reversed(range(len(_IDLE))) if _IDLE[at].file == file), None)
            idle = None if at is None else _IDLE.pop(at)
        if idle is None:
            break
        if idle.log == _log_of(file):
            return idle
        idle.db.close()  # its log was deleted: closing writes what would be lost into the file
    db = connect()
    with suppress(OSError):
        if _file(path) == file:
            return OpenStore(file, db)
    return OpenStore(None, db)  # the file was replaced meanwhile


@contextmanager
def leaving(idle: OpenStore) -> Iterator[sqlite3.Connection]:
    """Read with a connection, and keep it open for the next reading, unless an error occurs."""
    try:
        yield idle.db
        if idle.db.in_transaction:
            idle.db.execute("ROLLBACK")
    except BaseException:
        idle.db.close()
        raise
    if idle.file is None:
        idle.db.close()
        return
    idle = idle._replace(log=_log_of(idle.file))
    with _TURN:
        _IDLE.append(idle)
        old = _IDLE.pop(0) if len(_IDLE) > _MOST else None
    if old is not None:
        old.db.close()


def _file(path: Path) -> tuple[str, int, int]:
    state = path.stat()
    return f"{path}", state.st_dev, state.st_ino


def _log_of(file: tuple[str, int, int]) -> int:
    with suppress(OSError):
        return os.lstat(f"{file[0]}-wal").st_ino
    return 0


def _forked() -> None:
    global _TURN  # noqa: PLW0603 - a thread of the parent may have held it
    _TURN = Lock()
    _OF_PARENT.extend(_IDLE)
    _IDLE.clear()


os.register_at_fork(after_in_child=_forked)
