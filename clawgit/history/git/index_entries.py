"""What git's index stages, of whichever version it is: read as bytes, nothing changed."""

from __future__ import annotations

import struct
from hashlib import sha1
from typing import NamedTuple

from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.ordinary_repository import distance

_HEADER = struct.Struct(">4sII")
_FIXED = 62  # stat data, object id and flags are before a name
_CACHED_TREES = b"TREE"
_CHECKSUM = 20
_ENTRY = struct.Struct(">10I20sH")  # dates, device, inode, mode, owners and size; the id; flags
_EXTENDED, _STAGES, _LENGTH = 0x4000, 0x3000, 0x0FFF
_SELDOM = (_EXTENDED | _STAGES) >> 8
_INTENT_TO_ADD = 0x2000


class UnreadableIndexError(Exception):
    """What is staged cannot be told from the index's bytes."""


class UnusualIndexError(UnreadableIndexError):
    """The index is of a kind that only git or libgit2 can change."""


class ConflictedIndexError(UnreadableIndexError):
    """The index holds entries of an unresolved conflict."""


class DamagedIndexError(UnreadableIndexError):
    """The index is not what its checksum says, or not an index."""


class StagedFile(NamedTuple):
    """One file of the index, with what git saw of it last; ``flags`` is 0 where git treats it as any other."""

    entry: TreeEntry
    changed_at: int
    inode: int
    size: int
    flags: int


def read_index(data: bytes) -> tuple[dict[bytes, StagedFile], str | None]:
    """Return what an index stages (what is only meant to be added aside), and its tree's id where that is noted."""
    if _has_wrong_checksum(data):
        raise DamagedIndexError
    try:
        magic, version, count = _HEADER.unpack_from(data)
        if magic != b"DIRC" or version not in (2, 3, 4):
            raise UnusualIndexError
        files: dict[bytes, StagedFile] = {}
        at, name = _HEADER.size, b""
        for _ in range(count):
            at, name, file = _entry(data, at, name if version == 4 else None)
            if file is not None:
                files[name] = file
        return files, _cached_tree(data, at)
    except (struct.error, IndexError, ValueError) as error:  # with `index.skipHash` no checksum tells
        raise DamagedIndexError from error


def check_index(data: bytes) -> None:
    """Raise what `read_index` would of a damaged or conflicted index, in a fifth of the time."""
    if _has_wrong_checksum(data):
        raise DamagedIndexError
    if data[:8] not in (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3"):
        read_index(data)
        return
    try:
        (_, _, count) = _HEADER.unpack_from(data)
        at = _HEADER.size
        for _ in range(count):
            flags = data[at + _FIXED - 2]
            length = (flags << 8 | data[at + _FIXED - 1]) & _LENGTH
            if flags & _SELDOM:
                if flags & _STAGES >> 8:
                    raise ConflictedIndexError
                length += 2
            if length >= _LENGTH:
                length = data.index(b"\0", at + _FIXED + 2) - at - _FIXED
            at += (_FIXED + length + 8) & ~7
    except (struct.error, IndexError, ValueError) as error:
        raise DamagedIndexError from error
    if at > len(data) - _CHECKSUM:
        raise DamagedIndexError


def is_whole(data: bytes) -> bool:
    """Say whether an index is what its checksum says; only one without a checksum is looked through."""
    if any(data[-_CHECKSUM:]):
        return not _has_wrong_checksum(data)
    try:
        check_index(data)
    except DamagedIndexError:
        return False
    except UnreadableIndexError:
        return True
    return True


def _entry(data: bytes, at: int, before: bytes | None) -> tuple[int, bytes, StagedFile | None]:
    """Return where the next entry starts, this one's name, and what it stages; ``before`` in version 4 only."""
    *numbers, object_id, flags = _ENTRY.unpack_from(data, at)
    if flags & _STAGES:
        raise ConflictedIndexError
    extended = 0
    start = at + _FIXED
    if flags & _EXTENDED:
        (extended,) = struct.unpack_from(">H", data, start)
        start += 2
    if before is None:
        end = start + (flags & _LENGTH)
        if flags & _LENGTH == _LENGTH:
            end = data.index(b"\0", start)
        name = data[start:end]
        end = at + ((end - at + 8) & ~7)
    else:
        end, name = _rest(data, start, before)
    if extended & _INTENT_TO_ADD:
        return end, name, None
    _, _, seconds, nanoseconds, _, inode, mode, _, _, size = numbers
    entry = TreeEntry(object_id.hex(), mode)
    return end, name, StagedFile(entry, seconds * 10**9 + nanoseconds, inode, size, flags & ~_LENGTH)


def _rest(data: bytes, at: int, before: bytes) -> tuple[int, bytes]:
    """Read a name of version 4: how many bytes of the one before to drop, and what comes instead."""
    drop, at = distance(data, at)
    end = data.index(b"\0", at)
    return end + 1, before[: len(before) - drop] + data[at:end]


def _cached_tree(data: bytes, at: int) -> str | None:
    """Return the id of the whole tree from what follows the last entry; None where the index has changed since git wrote it."""
    tree_id = None
    while at < len(data) - _CHECKSUM:
        name, size = struct.unpack_from(">4sI", data, at)
        if not name[:1].isupper():
            raise UnusualIndexError
        if name == _CACHED_TREES:
            head, _, rest = data[at + 8 : at + 8 + size].removeprefix(b"\0").partition(b"\n")
            tree_id = rest[:20].hex() if head and not head.startswith(b"-") else None
        at += 8 + size
    return tree_id


def _has_wrong_checksum(data: bytes) -> bool:
    return any(data[-20:]) and sha1(data[:-20], usedforsecurity=False).digest() != data[-20:]
