"""Bringing the index to the files as they stand: found by their stamps, told apart by their content."""

from __future__ import annotations

import errno
import gc
import marshal
import os
import threading
import time
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.memory.entries.entry_marks import appended_items
from clawgit.memory.entries.tiers import is_export
from clawgit.recall.index.index_tables import Tables
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.sealed_store import lock_of
from clawgit.recall.index.searched_files import (
    MEMORY,
    SIZE,
    Served,
    Stamp,
    bases_of,
    is_closed,
    searched_files,
    served_at,
    tier_found,
)
from clawgit.text.markdown.lines import split_lines
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.workspace.folder_events import FolderEvents


# In place of the time of a file that may have changed again within one tick, or that may be readable next time.
UNSURE = -1
_LASTING = (errno.EACCES, errno.EPERM, errno.ELOOP)  # until the file changes, and its stamp with it
_FILES = "SELECT path, file_id, blob, lines, size, mtime, ctime, inode FROM files"
# What no event tells of (a write through another name of the file, or into mapped memory) is seen so many seconds later.
_LOOKED_AGAIN = 10.0
_MOST = 8  # workspaces; a user's processes have 128 queues of events in all
_KNOWN: dict[tuple[str, tuple[str, ...]], _Known] = {}
os.register_at_fork(after_in_child=_KNOWN.clear)  # the events are the parent's


class Stored(NamedTuple):
    """A file as the index knows it; ``blob`` is empty where it could not be read."""

    file_id: int
    blob: str
    lines: int
    stamp: Stamp


class Reconcile:
    """One look at the files, and what it takes to bring an index to them."""

    def __init__(self, history: History, tell: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Look at the files; ``tell`` will hear how many of those that changed are done, and of how many."""
        self._history = history
        self._tell = tell
        self._extra = history.settings.search_extra_paths
        self._look = files_now(history.root, self._extra)

    def is_done(self, db: sqlite3.Connection) -> bool:
        """Say whether the index knows every file as it stood then, as far as stamps tell."""
        seal = db.execute("SELECT value FROM meta WHERE name = 'looked'").fetchone()
        if seal is not None and seal[0] == self._look.digest:
            return True
        rows = set(db.execute("SELECT path, size, mtime, ctime, inode FROM files"))
        return rows == {(path, *stamp) for path, stamp in self._look.found.items()}

    def into(self, db: sqlite3.Connection) -> None:
        """Put into the index what changed since it was filled.

        The files are looked at anew, since whoever waited for its turn may have looked before somebody else,
        whose files it would take out again.
        """
        before = _tick(self._history.state)
        found = searched_files(self._history.root, self._extra)
        stored = {
            path: Stored(file_id, blob, lines, (size, mtime, ctime, inode))
            for path, file_id, blob, lines, size, mtime, ctime, inode in db.execute(_FILES)
        }
        changed = [path for path, stamp in found.items() if path not in stored or stored[path].stamp != stamp]
        gone = {path: old for path, old in stored.items() if path not in found}
        writer = _Writer(self._history, db, gone)
        known = []
        with uncollected():
            for number, path in enumerate(changed, start=1):
                served = _served(self._history.root, self._extra, path)
                if served is not None:
                    known.append(self._put(writer, served, found[path], stored.get(path), before))
                self._tell(number, len(changed))
            writer.finish()
        looked = digest_of(found) if all(known) else None
        db.execute("INSERT OR REPLACE INTO meta VALUES ('looked', ?)", (looked,))

    def _put(self, writer: _Writer, file: Served, stamp: Stamp, old: Stored | None, before: int) -> bool:
        size, mtime, ctime, inode = stamp
        data, lasts = self._read(file)
        lasts = lasts and ctime < before
        writer.put(file, (size, mtime if lasts else UNSURE, ctime, inode), old, data)
        return lasts

    def _read(self, file: Served) -> tuple[bytes | None, bool]:
        """Return what is in a file, None where it cannot be read, and whether that lasts until its stamp changes."""
        try:
            content = read_file(file.base, file.inner, at_most=self._history.settings.max_file_bytes)
        except (ClawgitError, OSError) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            return None, not isinstance(cause, OSError) or cause.errno in _LASTING
        return None if content is None else content.data, True


@contextmanager
def uncollected() -> Iterator[None]:
    """Make many values without looking, again and again, for those that refer to one another: a tenth of the time."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


def _served(root: Path, extra: Sequence[str], path: str) -> Served | None:
    """Return where a path found lies; a folder that cannot be opened stands for what is in it."""
    return Served(path, root, path, MEMORY) if is_closed(path) else served_at(root, extra, path)


def blob_id(data: bytes) -> str:
    """Return the id that git gives to a file of this content."""
    return sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _tick(state: Path) -> int:
    """Return the present time of the file system: what changes from now on is not older."""
    lock = lock_of(state / "index.db")
    with suppress(OSError):
        os.utime(lock)
        return lock.stat().st_mtime_ns
    return 0


class _Writer:
    """One reconcile: files put in, files that are gone taken out."""

    def __init__(self, history: History, db: sqlite3.Connection, gone: dict[str, Stored]) -> None:
        self._history = history
        self._db = db
        self._gone = gone
        self._tables = Tables(db)

    def put(self, file: Served, stamp: Stamp, old: Stored | None, data: bytes | None) -> None:
        """Put in one file that is new or changed."""
        blob = "" if data is None else blob_id(data)
        known = old or self._moved(file.path, blob)
        file_id = self._new_file() if known is None else known.file_id
        lines = self._put_units(file_id, file.path, data, known, blob)
        self._db.execute(
            """
            UPDATE files SET path = ?, source = ?, tier = ?, blob = ?, lines = ?,
                             size = ?, mtime = ?, ctime = ?, inode = ? WHERE file_id = ?
            """,
            (file.path, file.source, tier_found(file.path).value, blob, lines, *stamp, file_id),
        )

    def finish(self) -> None:
        """Take out what is gone, and note the commit that this was read at."""
        for old in self._gone.values():
            self._tables.drop_file(old.file_id)
        self._tables.settle()
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('cursor', ?)", (_head(self._history),))

    def _new_file(self) -> int:
        file_id = self._db.execute("INSERT INTO files DEFAULT VALUES").lastrowid
        assert file_id is not None
        return file_id

    def _moved(self, path: str, blob: str) -> Stored | None:
        """Return a file of this content that is gone from elsewhere: nothing of it needs to be read again."""
        for was, old in self._gone.items():
            same_kind = is_correction_file(was) == is_correction_file(path)
            if blob and old.blob == blob and same_kind and _name(was) == _name(path):
                return self._gone.pop(was)
        return None

    def _put_units(self, file_id: int, path: str, data: bytes | None, known: Stored | None, blob: str) -> int:
        if data is not None and known is not None and known.blob == blob:
            return known.lines
        chunk = self._history.settings.chunk_tokens
        is_apart = is_correction_file(path) or is_export(path, data or b"")
        tail = _appended(data, known) if data is not None and not is_apart else None
        if tail is not None and known is not None:
            units = read_units(tail, path, chunk_tokens=chunk).units
            self._tables.append_units(file_id, path, units, known.lines)
            return known.lines + len(split_lines(tail))
        self._tables.put_units(file_id, path, read_units(data or b"", path, chunk_tokens=chunk))
        return len(split_lines(data or b""))


def _appended(data: bytes, known: Stored | None) -> bytes | None:
    """Return what is new below a file's known content, if that is certainly nothing but list items."""
    if known is None or not 0 < known.stamp[SIZE] < len(data):
        return None
    old = data[: known.stamp[SIZE]]
    return appended_items(old, data) if blob_id(old) == known.blob else None


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _head(history: History) -> str:
    with suppress(ClawgitError):
        return history.tip().commit_id or ""
    return ""


class Look:
    """One look at the files to search: their stamps, and the folders that were looked at."""

    def __init__(self, root: Path, extra: Sequence[str]) -> None:
        self.began = time.monotonic()
        self.folders: set[str] = set()
        self.found: dict[str, Stamp] = searched_files(root, extra, self.folders)

    @cached_property
    def digest(self) -> bytes:
        """Return what all stamps together are compared by, 1 ms faster than one by one for five years of notes."""
        return digest_of(self.found)


def digest_of(found: dict[str, Stamp]) -> bytes:
    """Return what equal stamps have in common."""
    packed = marshal.dumps(found, 2)  # version 2 writes equal values equally
    return sha1(packed, usedforsecurity=False).digest()


def files_now(root: Path, extra: Sequence[str]) -> Look:
    """Return the files as they are now.

    A process that looks for the third time may rest on its last look: the kernel tells of each change before whoever
    made it goes on.
    """
    key = f"{root}", tuple(extra)
    known = _KNOWN.get(key)
    if known is None:
        while len(_KNOWN) >= _MOST:
            with suppress(KeyError, StopIteration):  # another thread was faster
                _KNOWN.pop(next(iter(_KNOWN))).close()
        known = _KNOWN.setdefault(key, _Known(root, key[1]))
    return known.now()


class _Known:
    def __init__(self, root: Path, extra: tuple[str, ...]) -> None:
        self._root, self._extra = root, extra
        self._lock = threading.Lock()
        self._changes = 0
        self._last: Look | None = None
        self._last_changes = -1  # how many there were when it began, if each later one is told
        self._events: FolderEvents | None = None
        self._bases: list[tuple[int, int]] = []
        self._is_closed = False

    def now(self) -> Look:
        with self._lock:
            self._count_changes()
            last, changes = self._last, self._changes
            if last is not None:
                if self._last_changes == changes and time.monotonic() - last.began < _LOOKED_AGAIN:
                    return last
                changes = self._listen(last.folders)
        look = Look(self._root, self._extra)
        with self._lock:
            is_told = self._events is not None and self._events.folders == look.folders
            self._last, self._last_changes = look, changes if is_told else -1
        return look

    def close(self) -> None:
        """Listen no more."""
        with self._lock:
            self._is_closed = True
            self._end()

    def _count_changes(self) -> None:
        """Note whether something happened; another thread may be looking, and must not be believed then."""
        if self._events is not None and not self._events.are_none():
            self._changes += 1
        if self._events is not None and _ids(self._root, self._extra) != self._bases:
            self._end()

    def _listen(self, folders: set[str]) -> int:
        """Listen to these folders, and return the number of changes: what is looked at from now on can be relied on."""
        if not self._is_closed and (self._events is None or self._events.folders != folders):
            self._end()
            self._bases = _ids(self._root, self._extra)
            from clawgit.workspace.folder_events import FolderEvents  # noqa: PLC0415 - most processes look once

            with suppress(OSError):
                self._events = FolderEvents(folders)
        return self._changes

    def _end(self) -> None:
        self._changes += 1
        if self._events is not None:
            self._events.close()
            self._events = None


def _ids(root: Path, extra: Sequence[str]) -> list[tuple[int, int]]:
    """Return which folders the paths lead to: what happens above them, no event tells."""
    found = []
    for base in bases_of(root, extra):
        with suppress(OSError):
            state = base.stat()
            found.append((state.st_dev, state.st_ino))
    return found
