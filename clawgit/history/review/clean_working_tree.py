"""Whether folder, staging and tip are surely the same: the usual state, seen without libgit2, which is slow to load."""

from __future__ import annotations

import os
import stat
import struct
from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.trees import EXECUTABLE, FILE

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History, Tip

_HEADER = struct.Struct(">4sII")
_ENTRY = struct.Struct(">10I20sH")  # dates, device, inode, mode, owners and size; the id; flags
_NAME_LENGTH = 0xFFF


class _Staged(NamedTuple):
    """One file of the staging, with what git saw of it last."""

    object_id: str
    mode: int
    changed_at: int
    inode: int
    size: int


class _UnsureError(Exception):
    """Something is there that only libgit2 knows how to take."""


def is_clean(history: History, tip: Tip) -> bool:
    """Say whether nothing is edited, new, gone or staged; False also where that is not plain to see."""
    if not history.is_ordinary:
        return False
    index = history.git_folder / "index"
    try:
        written = index.stat().st_mtime_ns
        staged = _staged(index.read_bytes())
        committed = {path: (entry.object_id, entry.mode) for path, entry in tip.tree.files()}
        if committed != {path: (entry.object_id, entry.mode) for path, entry in staged.items()}:
            return False
        found = _Folder(history.root, staged, written, _left_out(history))
        return found.is_clean("") and found.seen == len(staged)
    except (OSError, ValueError, struct.error, _UnsureError):
        return False


class _Folder:
    """The files in the folder, compared one by one with what is staged."""

    def __init__(
        self, root: Path, staged: dict[str, _Staged], written: int, left_out: frozenset[str]
    ) -> None:
        self._root, self._staged, self._written, self._left_out = os.fspath(root), staged, written, left_out
        self.seen = 0

    def is_clean(self, prefix: str) -> bool:
        """Say whether every file below ``prefix`` is staged as it reads, or left out by name."""
        with os.scandir(os.path.join(self._root, prefix)) as found:
            return all(self._is_known(entry, prefix + entry.name) for entry in found)

    def _is_known(self, entry: os.DirEntry[str], path: str) -> bool:
        if entry.name == ".git":
            return path == ".git"  # another repository inside is git's to judge
        if entry.is_dir(follow_symlinks=False):
            return f"/{path}/" in self._left_out or self.is_clean(f"{path}/")
        if path not in self._staged:
            return f"/{path}" in self._left_out
        self.seen += 1
        return self._is_same(entry, self._staged[path])

    def _is_same(self, entry: os.DirEntry[str], staged: _Staged) -> bool:
        now = entry.stat(follow_symlinks=False)
        mode = EXECUTABLE if now.st_mode & stat.S_IXUSR else FILE
        if not stat.S_ISREG(now.st_mode) or mode != staged.mode:
            return False
        seen = (now.st_mtime_ns, now.st_ino & 0xFFFFFFFF, now.st_size)
        if seen == (staged.changed_at, staged.inode, staged.size) and now.st_mtime_ns < self._written:
            return True
        with open(entry.path, "rb") as file:
            data = file.read()
        return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == staged.object_id


def _staged(data: bytes) -> dict[str, _Staged]:
    """Return what an index of the usual kind holds."""
    magic, version, count = _HEADER.unpack_from(data)
    if magic != b"DIRC" or version != 2 or sha1(data[:-20], usedforsecurity=False).digest() != data[-20:]:
        raise _UnsureError
    found = {}
    at = _HEADER.size
    for _ in range(count):
        *numbers, object_id, flags = _ENTRY.unpack_from(data, at)
        _, _, seconds, nanoseconds, _, inode, mode, _, _, size = numbers
        begin = at + _ENTRY.size
        end = data.index(b"\0", begin)
        name = os.fsdecode(data[begin:end])
        if flags & ~_NAME_LENGTH or mode not in (FILE, EXECUTABLE) or name.endswith(".gitattributes"):
            raise _UnsureError
        found[name] = _Staged(object_id.hex(), mode, seconds * 10**9 + nanoseconds, inode, size)
        at += (end - at + 8) & ~7
    while at < len(data) - 20:
        size = int.from_bytes(data[at + 4 : at + 8], "big")
        if not data[at : at + 1].isupper():  # a split or sparse index
            raise _UnsureError
        at += 8 + size
    return found


def _left_out(history: History) -> frozenset[str]:
    """Return the rules by which git leaves out one path at the top, if nothing brings a path back."""
    rules: list[str] = []
    for place in (history.folder / "info/exclude", history.root / ".gitignore"):
        if place.is_symlink():
            raise _UnsureError
        if place.exists():
            rules += place.read_text("utf-8").splitlines()
    if (history.folder / "info/attributes").exists() or any(rule.startswith("!") for rule in rules):
        raise _UnsureError
    return frozenset(rules)
