"""The files to search as they are at this moment: looked at one by one, or known from the last look if nothing happened."""

from __future__ import annotations

import marshal
import os
import threading
import time
from contextlib import suppress
from functools import cached_property
from hashlib import sha1
from typing import TYPE_CHECKING

from clawgit.recall.index.searched_files import bases_of, searched_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clawgit.recall.index.searched_files import Stamp
    from clawgit.workspace.folder_events import FolderEvents

# What no event tells of (a write through another name of the file, or into mapped memory) is seen so many seconds later.
_LOOKED_AGAIN = 10.0
_MOST = 8  # workspaces; a user's processes have 128 queues of events in all

_KNOWN: dict[tuple[str, tuple[str, ...]], _Known] = {}
os.register_at_fork(after_in_child=_KNOWN.clear)  # the events are the parent's


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
    """The last look at a workspace, and what tells whether it still holds."""

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
