"""git's index as bytes, in any version: its entries, and the index with other entries."""

from __future__ import annotations

import struct
from bisect import bisect_left
from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.ordinary_repository import distance
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.text.lazy_pattern import lazy_bytes_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_HEADER = struct.Struct(">4sII")
_FIXED = 62  # stat data, object id and flags are before a name
_FLAGS, _ID = 60, 40  # where in an entry these begin
_CACHED_TREES, _RESOLVED = b"TREE", b"REUC"  # git derives other extensions from the entries
_CHECKSUM = 20
_ENTRY = struct.Struct(">10I20sH")  # dates, device, inode, mode, owners and size; the id; flags
_EXTENDED, _STAGES, _LENGTH = 0x4000, 0x3000, 0x0FFF
_SELDOM = (_EXTENDED | _STAGES) >> 8
_INTENT_TO_ADD = 0x2000
_SHORT_NAMES = 4  # the version in which a name holds only its difference from the one before
_EXECUTE, _KIND, _REGULAR = 0o100, 0o170000, 0o100000
_NODE = lazy_bytes_pattern(rb"([^\0]*)\0(-?\d+) (\d+)\n")


class UnreadableIndexError(Exception):
    """The index's bytes do not show what is staged."""


class UnusualIndexError(UnreadableIndexError):
    """Only git can change this kind of index."""


class ConflictedIndexError(UnreadableIndexError):
    """The index holds entries of an unresolved conflict."""


class DamagedIndexError(UnreadableIndexError):
    """The checksum does not match, or this is not an index."""


class StagedFile(NamedTuple):
    """One file of the index, with the stat data git last noted; ``flags`` is 0 unless git treats the file specially."""

    entry: TreeEntry
    changed_at: int
    inode: int
    size: int
    flags: int


class StagingIndex(NamedTuple):
    """A checked index without conflicts: ``plain`` has whole names, ``starts`` each entry's offset, ``end`` the last one's end."""

    data: bytes
    plain: bytes
    starts: list[int]
    end: int

    def staged_id(self, name: bytes) -> str | None:
        number = self._number(name)
        if number is None:
            return None
        at = self.starts[number] + _ID
        return self.plain[at : at + 20].hex()

    def with_entries(self, entries_by_name: Mapping[bytes, TreeEntry | None]) -> StagingIndex:
        """Return the index, names whole, with these entries put in or (None) taken out, and without what cannot exist beside them."""
        gone: set[int | None] = set()
        coming = []
        for name, entry in entries_by_name.items():
            gone.add(self._number(name))
            if entry is not None:
                coming.append((self._place(name), False, name, _new_entry(name, entry)))
                gone.update(range(self._place(name + b"/"), self._place(name + b"0")))  # b"0" is next to b"/"
                gone.update(map(self._number, _folders_above(name)))
        leaving = [(number, True, self._name(number), b"") for number in gone if number is not None]
        changes = sorted([*coming, *leaving])
        folders = {folder for _, _, name, _ in changes for folder in (b"", *_folders_above(name))}
        entries, starts = self._changed(changes)
        sections = [_HEADER.pack(b"DIRC", self.plain[7], len(starts)), entries]
        for name, body in _extensions(self.plain, self.end):
            if name == _CACHED_TREES:
                sections.append(_extension(name, _without_ids(body, folders)))
            elif name == _RESOLVED:
                sections.append(_extension(name, body))
        plain = _with_checksum(b"".join(sections))
        return StagingIndex(plain, plain, starts, _HEADER.size + len(entries))

    def _name(self, number: int) -> bytes:
        at = self.starts[number]
        start = _name_start(self.plain, at)
        length = int.from_bytes(self.plain[at + _FLAGS : at + _FIXED], "big") & _LENGTH
        if length == _LENGTH:
            return self.plain[start : self.plain.index(b"\0", start)]
        return self.plain[start : start + length]

    def _place(self, name: bytes) -> int:
        return bisect_left(range(len(self.starts)), name, key=self._name)

    def _number(self, name: bytes) -> int | None:
        number = self._place(name)
        if number < len(self.starts) and self._name(number) == name:
            return number
        return None

    def _changed(self, changes: Iterable[tuple[int, bool, bytes, bytes]]) -> tuple[bytes, list[int]]:
        """Return the entries after ``changes`` (position, whether that entry goes, name, bytes), and each one's offset."""
        parts: list[bytes] = []
        starts: list[int] = []
        begins = [*self.starts, self.end]
        next_one, at, shift = 0, _HEADER.size, 0
        for number, goes, _, entry in changes:
            parts += (self.plain[at : begins[number]], entry)
            starts += _shifted(begins[next_one:number], shift)
            next_one, at = number, begins[number]
            if goes:
                next_one, at = number + 1, begins[number + 1]
                shift -= at - begins[number]
            else:
                starts.append(at + shift)
                shift += len(entry)
        parts.append(self.plain[at : self.end])
        starts += _shifted(self.starts[next_one:], shift)
        return b"".join(parts), starts


def look_through(data: bytes) -> StagingIndex:
    """Return the index with its entries located; an UnreadableIndexError if it is damaged or of an unusual kind."""
    digest = data[-_CHECKSUM:]
    if any(digest) and sha1(data[:-_CHECKSUM], usedforsecurity=False).digest() != digest:
        raise DamagedIndexError
    try:
        magic, version, count = _HEADER.unpack_from(data)
        if magic != b"DIRC" or version not in (2, 3, _SHORT_NAMES):
            raise UnusualIndexError
        plain = data
        if version == _SHORT_NAMES:
            plain = _lengthened(data, count)
        starts, end = _walked(plain, count)
        index = StagingIndex(data, plain, starts, end)
        for _ in _extensions(plain, end):
            pass
    except (struct.error, IndexError, ValueError) as error:
        if any(digest):  # and it fits
            raise UnusualIndexError from error
        raise DamagedIndexError from error  # `index.skipHash` leaves the checksum out
    return index


def read_index(data: bytes) -> tuple[dict[bytes, StagedFile], str | None]:
    """Return the staged files (without intent-to-add entries), and the whole tree's id if git noted it."""
    index = look_through(data)
    files: dict[bytes, StagedFile] = {}
    for at in index.starts:
        fields = _ENTRY.unpack_from(index.plain, at)
        _, _, seconds, nanoseconds, _, inode, mode, _, _, size, object_id, flags = fields
        start = _name_start(index.plain, at)
        if flags & _EXTENDED and index.plain[at + _FIXED] & _INTENT_TO_ADD >> 8:
            continue
        length = flags & _LENGTH
        end = start + length
        if length == _LENGTH:
            end = index.plain.index(b"\0", start)
        entry = TreeEntry(object_id.hex(), mode)
        changed_at = seconds * 10**9 + nanoseconds
        files[index.plain[start:end]] = StagedFile(entry, changed_at, inode, size, flags & ~_LENGTH)
    tree_id = None  # git notes none once the index has changed
    for name, body in _extensions(index.plain, index.end):
        if name == _CACHED_TREES:
            head, _, rest = body.removeprefix(b"\0").partition(b"\n")
            tree_id = rest[:20].hex() if head and not head.startswith(b"-") else None
    return files, tree_id


def no_index() -> StagingIndex:
    return look_through(_with_checksum(_HEADER.pack(b"DIRC", 2, 0)))


def _lengthened(data: bytes, count: int) -> bytes:
    """Return an index of version 4 as version 3, in which each name is whole."""
    parts = [_HEADER.pack(b"DIRC", 3, count)]
    at, name = _HEADER.size, b""
    for _ in range(count):
        start = _name_start(data, at)
        drop, rest = distance(data, start)
        end = data.index(b"\0", rest)
        name = name[: len(name) - drop] + data[rest:end]
        parts.append(_filled_up(data[at:start] + name))
        at = end + 1
    return b"".join((*parts, data[at:]))


def _walked(data: bytes, count: int) -> tuple[list[int], int]:
    """Return each entry's offset and the last one's end; a ConflictedIndexError if one is a side of a merge."""
    starts = []
    at = _HEADER.size
    for _ in range(count):
        starts.append(at)
        flags = data[at + _FLAGS]
        length = (flags << 8 | data[at + _FLAGS + 1]) & _LENGTH
        if flags & _SELDOM:
            if flags & _STAGES >> 8:
                raise ConflictedIndexError
            length += 2
        if length >= _LENGTH:
            length = data.index(b"\0", at + _FIXED + 2) - at - _FIXED
        at += (_FIXED + length + 8) & ~7
    if at > len(data) - _CHECKSUM:
        raise IndexError(at)
    return starts, at


def _name_start(data: bytes, at: int) -> int:
    if data[at + _FLAGS] & _EXTENDED >> 8:
        return at + _FIXED + 2
    return at + _FIXED


def _extensions(data: bytes, at: int) -> Iterator[tuple[bytes, bytes]]:
    while at < len(data) - _CHECKSUM:
        name, size = struct.unpack_from(">4sI", data, at)
        if not name[:1].isupper():
            raise UnusualIndexError
        yield name, data[at + 8 : at + 8 + size]
        at += 8 + size


def _without_ids(noted: bytes, folders: Collection[bytes]) -> bytes:
    """Return the cached-tree extension without changed folders; empty if it cannot be parsed."""
    parts = []
    above: list[tuple[bytes, int]] = []  # the enclosing folders, and how many entries follow in each
    at = 0
    while at < len(noted):
        node = _NODE.match(noted, at)
        if node is None:
            return b""
        name, files, below = node.groups()
        path = name
        if above:
            folder, left = above.pop()
            path = folder + name
            if left > 1:
                above.append((folder, left - 1))
        end = node.end()
        if not files.startswith(b"-"):
            end += 20
        if path in folders:
            parts.append(b"%s\0-1 %s\n" % (name, below))
        else:
            parts.append(noted[at:end])
        if int(below):
            above.append(((path + b"/").lstrip(b"/"), int(below)))
        at = end
    return b"".join(parts)


def _folders_above(name: bytes) -> Iterator[bytes]:
    parts = name.split(b"/")
    return (b"/".join(parts[:depth]) for depth in range(1, len(parts)))


def _new_entry(name: bytes, entry: TreeEntry) -> bytes:
    """Return an entry without stat data."""
    mode = entry.mode
    if mode & _KIND == _REGULAR:  # git stores no other permissions
        mode = FILE
        if entry.mode & _EXECUTE:
            mode = EXECUTABLE
    numbers = (0, 0, 0, 0, 0, 0, mode, 0, 0, 0)
    return _filled_up(_ENTRY.pack(*numbers, bytes.fromhex(entry.object_id), min(len(name), _LENGTH)) + name)


def _filled_up(entry: bytes) -> bytes:
    return entry + bytes(8 - len(entry) % 8)


def _extension(name: bytes, body: bytes) -> bytes:
    if not body:
        return b""
    return name + struct.pack(">I", len(body)) + body


def _with_checksum(data: bytes) -> bytes:
    return data + sha1(data, usedforsecurity=False).digest()


def _shifted(starts: list[int], by: int) -> list[int]:
    if by:
        return [start + by for start in starts]
    return starts
