"""Bring the index to the present files: changes are noticed by stamps and confirmed by content."""

from __future__ import annotations

import errno
import gc
import marshal
import os
import struct
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha1
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.recall.index.index_tables import Tables
from clawgit.recall.index.line_units import Units, read_units
from clawgit.recall.index.sealed_store import lock_of, sealed_at
from clawgit.recall.index.searched_files import (
    MEMORY,
    UNSEARCHED,
    ServedPath,
    Stamp,
    bases_of,
    is_beside_memory,
    is_closed,
    is_ignored,
    is_rules,
    read_served,
    searched_files,
    served_at,
    tier_found,
)
from clawgit.text.markdown.lines import as_utf8, is_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from clawgit.history.git.repository import History


# Replaces the time of a file that may have changed again within one tick, or may become readable.
UNSURE = -1
_LASTING = (errno.EACCES, errno.EPERM, errno.ELOOP)  # until the file changes, and with it its stamp
_FILES = "SELECT path, file_id, blob, size, mtime, ctime, inode FROM files"
# Changes without an event (through a hard link, or mapped memory) are noticed after so many seconds.
_LOOKED_AGAIN = 10.0
_MOST = 8  # workspaces; a user has 128 inotify queues in all
_KNOWN: dict[tuple[str, tuple[str, ...], tuple[str, ...]], _Known] = {}
os.register_at_fork(after_in_child=_KNOWN.clear)  # the queues belong to the parent


class Stored(NamedTuple):
    """A file in the index; ``blob`` is empty if it could not be read."""

    file_id: int
    blob: str
    stamp: Stamp


class Reconcile:
    """One scan of the files, and the update that brings an index to it."""

    def __init__(self, history: History, tell: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Scan the files; ``tell`` is called with the number of changed files done, and their total."""
        self._history = history
        self._tell = tell
        self._extra = history.settings.search_extra_paths
        self._exclude = history.settings.search_exclude
        self._seal = sealed_at(history.state / "index.db")
        self._look = files_now(history.root, self._extra, self._exclude)

    def is_done(self, db: sqlite3.Connection) -> bool:
        """Say whether the index knows every file as it was at the scan, by stamps."""
        looked = db.execute("SELECT value FROM meta WHERE name = 'looked'").fetchone()
        if looked is not None and looked[0] == self._look.digest:
            return True
        rows = set(db.execute("SELECT path, size, mtime, ctime, inode FROM files"))
        return rows == {(path, *stamp) for path, stamp in self._look.found.items()}

    def into(self, db: sqlite3.Connection) -> None:
        """Put into the index what changed since it was filled.

        If another process filled it after the scan, the files are scanned again: this scan would undo the
        other's work.
        """
        before = _tick(self._history.state)
        seal = db.execute("SELECT value FROM meta WHERE name = 'seal'").fetchone()
        files = self._look.found
        if seal is None or seal[0] != self._seal:
            files = searched_files(self._history.root, self._extra, exclude=self._exclude)
        rows = db.execute(_FILES)
        stored = {path: Stored(file_id, blob, tuple(stamp)) for path, file_id, blob, *stamp in rows}
        changed = _changed(files, stored)
        tables = Tables(db)
        is_settled = True
        with uncollected():
            for number, path in enumerate(changed, start=1):
                served = self._served(path)
                if served is not None:
                    lasts = self._put(db, tables, served, (files[path], before), stored.get(path))
                    is_settled = is_settled and lasts
                self._tell(number, len(changed))
            for path, old in stored.items():
                if path not in files:
                    tables.drop_file(old.file_id)
            tables.settle()
        looked = digest_of(files) if is_settled else None
        cursor = ""
        with suppress(ClawgitError):
            cursor = self._history.tip().commit_id or ""
        meta = [("cursor", cursor), ("looked", looked)]
        db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta)

    def _put(
        self,
        db: sqlite3.Connection,
        tables: Tables,
        file: ServedPath,
        at: tuple[Stamp, int],
        old: Stored | None,
    ) -> bool:
        """Put in a new or changed file; return whether its stamp proves that it stays the same.

        ``at`` is its stamp, and the file system's time before the scan.
        """
        (size, mtime, ctime, inode), before = at
        data, lasts = None, True
        if file.source != UNSEARCHED:
            data, lasts = self._read(file)
        lasts = lasts and ctime < before
        blob = "" if data is None else blob_id(data)
        new = "INSERT INTO files DEFAULT VALUES RETURNING file_id"
        file_id = db.execute(new).fetchone()[0] if old is None else old.file_id
        if old is None or not blob or old.blob != blob:
            units = Units(())
            if data is not None:
                tokens = self._history.settings.chunk_tokens
                units = read_units(as_utf8(data), file.path, chunk_tokens=tokens)
            tables.put_units(file_id, file.path, units)
        db.execute(
            """
            UPDATE files SET path = ?, source = ?, tier = ?, blob = ?,
                             size = ?, mtime = ?, ctime = ?, inode = ? WHERE file_id = ?
            """,
            (
                *(file.path, file.source, tier_found(file.path).value, blob),
                *(size, mtime if lasts else UNSURE, ctime, inode, file_id),
            ),
        )
        return lasts

    def _served(self, path: str) -> ServedPath | None:
        """Return the place of a path of the scan; a folder that cannot be opened represents its content."""
        root = self._history.root
        if is_closed(path):
            return ServedPath(path, root, path, MEMORY)
        if is_rules(path):
            return ServedPath(path, root, path, UNSEARCHED)
        served = served_at(root, self._extra, path, self._exclude)
        if served is not None and is_ignored(self._history, served):
            return served._replace(source=UNSEARCHED)
        return served

    def _read(self, file: ServedPath) -> tuple[bytes | None, bool]:
        """Return the content of a file, None if it cannot be read, and whether that lasts until its stamp changes."""
        try:
            data = read_served(self._history, file)
        except (ClawgitError, OSError) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            return None, not isinstance(cause, OSError) or cause.errno in _LASTING
        if data is None or not is_text(data):
            return None, True
        return data, True


def _changed(files: dict[str, Stamp], stored: dict[str, Stored]) -> list[str]:
    """Return new files and those with another stamp; if ignore rules changed, all files beside memory, too."""
    changed = [path for path, stamp in files.items() if path not in stored or stored[path].stamp != stamp]
    if not any(map(is_rules, (*changed, *(stored.keys() - files.keys())))):
        return changed
    return [*changed, *filter(is_beside_memory, files.keys() - set(changed))]


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch the garbage collector off while many values are made: it takes a tenth of the time."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


def blob_id(data: bytes) -> str:
    return sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _tick(state: Path) -> int:
    """Return the file system's present time: later changes are not older."""
    lock = lock_of(state / "index.db")
    with suppress(OSError):
        os.utime(lock)
        return lock.stat().st_mtime_ns
    return 0


class FolderLook:
    """One scan: stamps of the files, and the folders that were read."""

    def __init__(self, root: Path, extra: Sequence[str], exclude: Sequence[str]) -> None:
        self.began = time.monotonic()
        self.folders: set[str] = set()
        self.found: dict[str, Stamp] = searched_files(root, extra, self.folders, exclude)

    @cached_property
    def digest(self) -> bytes:
        """Return the stamps' digest: comparing it is 1 ms faster than comparing five years of notes one by one."""
        return digest_of(self.found)


def digest_of(stamps: dict[str, Stamp]) -> bytes:
    packed = marshal.dumps(stamps, 2)  # version 2 writes equal values equally
    return sha1(packed, usedforsecurity=False).digest()


def files_now(root: Path, extra: Sequence[str], exclude: Sequence[str] = ()) -> FolderLook:
    """Return the present files.

    From a process's third scan on, the last one may be reused: the kernel reports a change before the writer
    goes on.
    """
    key = f"{root}", tuple(extra), tuple(exclude)
    cached = _KNOWN.get(key)
    if cached is None:
        while len(_KNOWN) >= _MOST:
            with suppress(KeyError, StopIteration):  # another thread removed it first
                _KNOWN.pop(next(iter(_KNOWN))).close()
        cached = _KNOWN.setdefault(key, _Known(root, key[1], key[2]))
    return cached.now()


class _Known:
    def __init__(self, root: Path, extra: tuple[str, ...], exclude: tuple[str, ...]) -> None:
        self._root, self._extra, self._exclude = root, extra, exclude
        self._lock = threading.Lock()
        self._changes = 0
        self._last: FolderLook | None = None
        self._last_changes = -1  # the number of changes at the start, if every later one is reported
        self._events: FolderEvents | None = None
        self._bases: list[tuple[int, int]] = []
        self._is_closed = False

    def now(self) -> FolderLook:
        with self._lock:
            # Another thread may be scanning: its result is not used if a change was reported.
            if self._events is not None and not self._events.are_none():
                self._changes += 1
            if self._events is not None and _ids(self._root, self._extra) != self._bases:
                self._end()
            last, changes = self._last, self._changes
            if last is not None:
                if self._last_changes == changes and time.monotonic() - last.began < _LOOKED_AGAIN:
                    return last
                changes = self._listen(last.folders)
        look = FolderLook(self._root, self._extra, self._exclude)
        with self._lock:
            is_told = self._events is not None and self._events.folders == look.folders
            self._last, self._last_changes = look, changes if is_told else -1
        return look

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._end()

    def _listen(self, folders: set[str]) -> int:
        """Watch these folders, and return the number of changes so far: a scan from now on is reliable."""
        if not self._is_closed and (self._events is None or self._events.folders != folders):
            self._end()
            self._bases = _ids(self._root, self._extra)
            with suppress(OSError):
                self._events = FolderEvents(folders)
        return self._changes

    def _end(self) -> None:
        self._changes += 1
        if self._events is not None:
            self._events.close()
            self._events = None


def _ids(root: Path, extra: Sequence[str]) -> list[tuple[int, int]]:
    """Return the ids of the folders that the paths lead to: a change above them raises no event."""
    file_ids = []
    for base in bases_of(root, extra):
        with suppress(OSError):
            state = base.stat()
            file_ids.append((state.st_dev, state.st_ino))
    return file_ids


_MOST_FOLDERS = 4096
_EVENT = struct.Struct("iIII")
_ROOM = 1 << 16
_MODIFY, _ATTRIBUTES, _MOVED, _CREATED, _DELETED, _SELF = 0x2, 0x4, 0xC0, 0x100, 0x200, 0xC00
_ONLY_FOLDERS, _NO_LINKS = 0x01000000, 0x02000000
_WATCHED = _MODIFY | _ATTRIBUTES | _MOVED | _CREATED | _DELETED | _SELF | _ONLY_FOLDERS | _NO_LINKS
# ext, XFS, Btrfs, F2FS, ZFS, tmpfs, overlay: elsewhere another machine may write without an event.
_LOCAL = frozenset({0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x2FC12FC1, 0x01021994, 0x794C7630})


class FolderEvents:
    """Events of ``folders`` (each alone, not what is below), queued by the kernel.

    Hidden names do not count, except `.git`. A fork shares the queue with its parent and must not read it.
    """

    def __init__(self, folders: Collection[str]) -> None:
        """Start watching.

        Raises:
            OSError: No events here: another system, a network drive, too many folders.
        """
        if sys.platform != "linux" or len(folders) > _MOST_FOLDERS:
            raise OSError(errno.ENOSYS, "no events")
        import ctypes  # noqa: PLC0415 - takes 4 ms, and most processes look once

        self.folders = folders
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._errno = ctypes.get_errno
        self._handle = self._called("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            for folder in map(os.fsencode, folders):
                state = ctypes.create_string_buffer(256)
                self._called("statfs", folder, state)
                _refuse_distant(state.raw)
                self._called("inotify_add_watch", self._handle, folder, _WATCHED)
        except BaseException:
            self.close()
            raise

    def are_none(self) -> bool:
        """Say whether nothing happened since the last call."""
        quiet = True
        while True:
            try:
                events = os.read(self._handle, _ROOM)
            except BlockingIOError:
                return quiet
            at = 0
            while at < len(events):
                *_, size = _EVENT.unpack_from(events, at)
                at += _EVENT.size + size
                name = events[at - size : at].rstrip(b"\0")  # empty for the folder itself, or lost events
                if not name.startswith(b".") or name in (b".git", b".gitignore"):
                    quiet = False

    def close(self) -> None:
        os.close(self._handle)

    def _called(self, name: str, *arguments: Any) -> int:
        done = int(getattr(self._libc, name)(*arguments))
        if done < 0:
            raise OSError(self._errno(), name)
        return done


def _refuse_distant(state: bytes) -> None:
    """Raise OSError unless this is a local file system; ``state`` begins with the number of its kind."""
    if int.from_bytes(state[: struct.calcsize("l")], sys.byteorder) not in _LOCAL:
        raise OSError(errno.EREMOTE, "not a local file system")
