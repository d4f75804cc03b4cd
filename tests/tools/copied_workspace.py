"""Copies of a workspace that was read once: writing it again takes a quarter of the time of copying its folder."""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

INDEX = ".git/index"
HEADER, FIELDS, NAME_LENGTH = 12, 62, 0xFFF


class Kept(NamedTuple):
    """A file or a folder as it was read."""

    path: str
    found: os.stat_result
    data: bytes


class Mould(NamedTuple):
    """All that is in a workspace, folders before what they hold, and the places of its index's entries."""

    folders: list[Kept]
    files: list[Kept]
    index: bytes
    entries: list[tuple[int, str]]

    def cast(self, root: Path) -> None:
        """Write the workspace at ``root``; its index knows the files that are there."""
        place = f"{root}/"
        root.mkdir(parents=True)
        for folder in self.folders:  # a Path takes twice as long
            if folder.path != os.curdir:
                os.mkdir(place + folder.path)  # noqa: PTH102
            os.chmod(place + folder.path, folder.found.st_mode)  # noqa: PTH101
        for file in self.files:
            _write(place + file.path, file.data, file.found)
        (root / INDEX).write_bytes(self._index_of(place))
        for folder in reversed(self.folders):
            os.utime(place + folder.path, ns=(folder.found.st_atime_ns, folder.found.st_mtime_ns))

    def _index_of(self, place: str) -> bytes:
        index = bytearray(self.index)
        for start, path in self.entries:
            found = os.lstat(place + path)
            struct.pack_into(">2I", index, start, *divmod(found.st_ctime_ns, 10**9))
            struct.pack_into(">2I", index, start + 16, found.st_dev & 0xFFFFFFFF, found.st_ino & 0xFFFFFFFF)
        index[-20:] = hashlib.sha1(index[:-20], usedforsecurity=False).digest()
        return bytes(index)


def mould_of(root: Path) -> Mould:
    """Return what is in a workspace, of which everything is committed."""
    subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=root, check=True)
    folders, files = [], []
    for folder, _, names in os.walk(root):
        path = os.path.relpath(folder, root)
        folders.append(Kept(path, (root / path).stat(), b""))
        for name in names:
            file = root / path / name
            files.append(Kept(os.path.relpath(file, root), file.lstat(), file.read_bytes()))
    index = next(file.data for file in files if file.path == INDEX)
    return Mould(folders, [file for file in files if file.path != INDEX], index, _entries(index))


def _entries(index: bytes) -> list[tuple[int, str]]:
    """Return where each entry of an index of version 2 begins, and the path that it is for."""
    _, version, count = struct.unpack_from(">4s2I", index)
    assert version == 2
    found, start = [], HEADER
    for _ in range(count):
        length = struct.unpack_from(">H", index, start + FIELDS - 2)[0] & NAME_LENGTH
        found.append((start, index[start + FIELDS : start + FIELDS + length].decode()))
        start += (FIELDS + length + 8) // 8 * 8
    return found


def _write(path: str, data: bytes, like: os.stat_result) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, like.st_mode)
    try:
        os.write(handle, data)
        os.fchmod(handle, like.st_mode)
        os.utime(handle, ns=(like.st_atime_ns, like.st_mtime_ns))
    finally:
        os.close(handle)


def left_behind(room: Any) -> tuple[str, dict[str, bytes]]:
    """Return the references, and the files of the workspace."""
    paths = (path for path in room.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return room.git("for-each-ref"), {str(path): path.read_bytes() for path in paths}
