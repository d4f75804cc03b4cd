"""git's index as bytes: a few entries changed in place.

libgit2 reads and writes the whole index for every change: 9 ms for 10,000 files, where this takes 2. What
is not understood here (version 4, sparse or split index) is left to libgit2.

One expression tells the entries apart: each ends with as many zeros as fill its last eight bytes.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_left
from functools import lru_cache
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from clawgit.history.git.index_entries import (
    CACHED_TREES,
    CHECKSUM,
    FIXED,
    HEADER,
    ConflictedIndexError,
    DamagedIndexError,
    UnusualIndexError,
    extensions,
    has_wrong_checksum,
)
from clawgit.history.transaction.cached_trees import followed, forgotten, trees_of

if TYPE_CHECKING:
    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.trees import Tree

_STAGED_CONFLICT = 0x30
_EXTENDED = 0x40
_NOT_PLAIN = _STAGED_CONFLICT | _EXTENDED
_LONG_NAME = 0xFFF
_ENDS = b"|".join(rb"[^\0]{%d}\0{%d}" % (rest, (2 - rest) % 8 or 8) for rest in range(8))
_ENTRY = rb".{60}[\0-\x0f\x80-\x8f].(?:[^\0]{8})*+(?:%s)" % _ENDS  # neither in conflict nor extended
_ONE_ENTRY = re.compile(_ENTRY, re.DOTALL)
_ENTRIES = re.compile(_ENTRY + b"|.+", re.DOTALL)  # from what is no entry on, all the rest is one match


class IndexFile:
    """The entries of one index, changed by name; ``data`` is the file to write."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._version, self._entries, self._end = _read(data)
        self._changes: dict[bytes, bytes | None] = {}
        self._whole: Tree | None = None
        self._states: tuple[Tree, Tree] | None = None

    def is_exactly(self, tree: Tree) -> None:
        """Let git know that the index was made from a tree, with nothing left out."""
        self._whole = tree

    def goes(self, old: Tree, new: Tree) -> None:
        """Let git know that what is put and taken out leads from the one state to the other, where nothing else was staged."""
        self._states = (old, new)

    def object_id(self, name: bytes) -> str | None:
        """Return what is staged under ``name``."""
        place = self._place(name)
        return self._entries[place][40:60].hex() if self._is_at(place, name) else None

    def put(self, name: bytes, entry: TreeEntry | None, size: int = 0) -> None:
        """Stage ``entry`` under ``name``, or nothing; git looks at the file itself for its dates.

        Where ``size`` is given, a file of another size is known to be another without being read.
        """
        if entry is None:
            self._changes[name] = None
            return
        flags = min(len(name), _LONG_NAME)
        stat = bytes(24) + struct.pack(">I", entry.mode) + bytes(8) + struct.pack(">I", size & 0xFFFFFFFF)
        fixed = stat + bytes.fromhex(entry.object_id)
        raw = fixed + struct.pack(">H", flags) + name
        self._changes[name] = raw + bytes(8 - len(raw) % 8)

    def data(self) -> bytes:
        """Return the file with all changes in it."""
        entries = list(self._entries)
        # From the end on: places before it stay.
        for name, raw in sorted(self._changes.items(), reverse=True):
            place = self._place(name)
            entries[place : place + self._is_at(place, name)] = [] if raw is None else [raw]
        head = HEADER.pack(b"DIRC", self._version, len(entries))
        table = b"".join([head, *entries])
        whole = table + self._extensions()
        data = whole + sha1(whole, usedforsecurity=False).digest()
        _LAST[:] = [(data, _Entries(self._version, tuple(entries), len(table)))]
        return data

    def _place(self, name: bytes) -> int:
        return bisect_left(self._entries, name, key=_name_of)

    def _is_at(self, place: int, name: bytes) -> bool:
        return place < len(self._entries) and _name_of(self._entries[place]) == name

    def _extensions(self) -> bytes:
        """Return the folders' cached trees, as far as they are known; other extensions are git's to make."""
        kept = self._cached_trees()
        return struct.pack(">4sI", CACHED_TREES, len(kept)) + kept if kept else b""

    def _cached_trees(self) -> bytes:
        if self._whole is not None:
            return trees_of(self._whole)
        found = extensions(self._data, self._end)
        before = next((content for name, content in found if name == CACHED_TREES), b"")
        if not before or not self._changes:
            return before
        if self._states is None:
            return forgotten(before, self._changes)
        return followed(before, *self._states, self._changes)


def present_index(path: Path) -> IndexFile:
    """Return the index at ``path``, read once as long as that is the same file by its number and dates.

    For a look before git's lock is held; whoever changes the index under that lock reads it for itself.

    Raises:
        FileNotFoundError: There is none.
    """
    found = path.stat()
    return IndexFile(_bytes(str(path), (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)))


@lru_cache(maxsize=1)
def _bytes(path: str, _stamp: tuple[int, ...]) -> bytes:
    return Path(path).read_bytes()


class _Entries(NamedTuple):
    """The version of an index, its entries, and where the last one ends."""

    version: int
    entries: tuple[bytes, ...]
    end: int


_LAST: list[
    tuple[bytes, _Entries]
] = []  # what was read or made last, by its bytes: to compare them costs next to nothing


def _read(data: bytes) -> _Entries:
    for before, found in _LAST[:]:
        if before == data:
            return found
    found = _parsed(data)
    _LAST[:] = [(data, found)]
    return found


def _parsed(data: bytes) -> _Entries:
    if has_wrong_checksum(data):
        raise DamagedIndexError
    magic, version, count = HEADER.unpack_from(data)
    if magic != b"DIRC" or version not in (2, 3):
        raise UnusualIndexError
    entries = _ENTRIES.findall(data, HEADER.size, len(data) - CHECKSUM)[:count]
    if len(entries) < count or (count and not _ONE_ENTRY.fullmatch(entries[-1])):
        _refuse(data, count)
    return _Entries(version, tuple(entries), HEADER.size + sum(map(len, entries)))


def _name_of(entry: bytes) -> bytes:
    return entry[FIXED : entry.index(b"\0", FIXED)]


def _refuse(data: bytes, count: int) -> NoReturn:
    """Say what of the entries cannot be changed here: the first that is in conflict, or of a kind of its own."""
    at = HEADER.size
    for _ in range(count):
        high = data[at + 60]
        if high & _NOT_PLAIN:
            raise ConflictedIndexError if high & _STAGED_CONFLICT else UnusualIndexError
        at += (data.index(b"\0", at + FIXED) - at + 8) & ~7
    raise DamagedIndexError
