"""What git's index stages, of whichever version it is: read as bytes, nothing changed."""

from __future__ import annotations

import struct

from clawgit.history.git.objects import TreeEntry
from clawgit.history.transaction.index_file import (
    FIXED,
    HEADER,
    ConflictedIndexError,
    DamagedIndexError,
    UnusualIndexError,
    has_wrong_checksum,
)

_EXTENDED, _STAGES, _LENGTH = 0x4000, 0x3000, 0x0FFF
_INTENT_TO_ADD = 0x2000
_CHECKSUM = 20


def read_index(data: bytes) -> tuple[dict[bytes, TreeEntry], str | None]:
    """Return what an index stages (what is only meant to be added aside), and its tree's id where that is noted.

    Raises:
        UnusualIndexError: It is split, sparse or of a later version.
        ConflictedIndexError: It holds conflicts, of which no tree can be made.
        DamagedIndexError: It is not what its checksum says.
    """
    if has_wrong_checksum(data):
        raise DamagedIndexError
    magic, version, count = HEADER.unpack_from(data)
    if magic != b"DIRC" or version not in (2, 3, 4):
        raise UnusualIndexError
    entries: dict[bytes, TreeEntry] = {}
    at, name = HEADER.size, b""
    for _ in range(count):
        at, name, entry = _entry(data, at, name if version == 4 else None)
        if entry is not None:
            entries[name] = entry
    return entries, _cached_tree(data, at)


def _entry(data: bytes, at: int, before: bytes | None) -> tuple[int, bytes, TreeEntry | None]:
    """Return where the next entry starts, this one's name, and what it stages; ``before`` in version 4 only."""
    (flags,) = struct.unpack_from(">H", data, at + 60)
    if flags & _STAGES:
        raise ConflictedIndexError
    extended = 0
    start = at + FIXED
    if flags & _EXTENDED:
        (extended,) = struct.unpack_from(">H", data, start)
        start += 2
    end, name = _name(data, start, flags & _LENGTH) if before is None else _rest(data, start, before)
    if before is None:
        end = at + ((end - at + 8) & ~7)
    if extended & _INTENT_TO_ADD:
        return end, name, None
    (mode,) = struct.unpack_from(">I", data, at + 24)
    return end, name, TreeEntry(data[at + 40 : at + 60].hex(), mode)


def _name(data: bytes, start: int, length: int) -> tuple[int, bytes]:
    end = start + length if length < _LENGTH else data.index(b"\0", start)
    return end, data[start:end]


def _rest(data: bytes, at: int, before: bytes) -> tuple[int, bytes]:
    """Read a name of version 4: how many bytes of the one before to drop, and what comes instead."""
    drop = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        drop = ((drop + 1) << 7) | (data[at] & 0x7F)
    end = data.index(b"\0", at + 1)
    return end + 1, before[: len(before) - drop] + data[at + 1 : end]


def _cached_tree(data: bytes, at: int) -> str | None:
    """Return the id of the whole tree, None where the index has changed since git wrote it."""
    found = None
    while at < len(data) - _CHECKSUM:
        name, size = struct.unpack_from(">4sI", data, at)
        if not name[:1].isupper():
            raise UnusualIndexError
        if name == b"TREE":
            head, _, rest = data[at + 8 : at + 8 + size].removeprefix(b"\0").partition(b"\n")
            found = rest[:20].hex() if head and not head.startswith(b"-") else None
        at += 8 + size
    return found
