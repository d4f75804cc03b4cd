"""Whether folder, staging and tip are surely the same: the usual state, seen without libgit2, which is slow to load."""

from __future__ import annotations

import os
import stat
from hashlib import sha1
from typing import TYPE_CHECKING

from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.trees import EXECUTABLE, FILE

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.index_entries import StagedFile
    from clawgit.history.git.repository import History, Tip

LARGEST = 1_200_000  # bytes of an index: 15,000 files, for which loading libgit2 begins to pay


class _UnsureError(Exception):
    """Something is there that only libgit2 knows how to take."""


def is_clean(history: History, tip: Tip) -> bool:
    """Say whether nothing is edited, new, gone or staged; False also where that is not plain to see."""
    if not history.is_ordinary:
        return False
    index = history.git_folder / "index"
    try:
        written, size = index.stat().st_mtime_ns, index.stat().st_size
        if size > LARGEST:
            return False
        staged = _staged(index.read_bytes())
        if dict(tip.tree.files()) != {path: file.entry for path, file in staged.items()}:
            return False
        found = _Folder(history.root, staged, written, _left_out(history))
        return found.is_clean("") and found.seen == len(staged)
    except (OSError, UnicodeDecodeError, UnreadableIndexError, _UnsureError):
        return False


class _Folder:
    """The files in the folder, compared one by one with what is staged."""

    def __init__(
        self, root: Path, staged: dict[str, StagedFile], written: int, left_out: frozenset[str]
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

    def _is_same(self, entry: os.DirEntry[str], staged: StagedFile) -> bool:
        now = entry.stat(follow_symlinks=False)
        mode = EXECUTABLE if now.st_mode & stat.S_IXUSR else FILE
        if not stat.S_ISREG(now.st_mode) or mode != staged.entry.mode:
            return False
        seen = (now.st_mtime_ns, now.st_ino & 0xFFFFFFFF, now.st_size)
        if seen == (staged.changed_at, staged.inode, staged.size) and now.st_mtime_ns < self._written:
            return True
        with open(entry.path, "rb") as file:
            data = file.read()
        return (
            sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == staged.entry.object_id
        )


def _staged(data: bytes) -> dict[str, StagedFile]:
    found = {os.fsdecode(name): file for name, file in read_index(data)[0].items()}
    for path, file in found.items():
        if file.flags or file.entry.mode not in (FILE, EXECUTABLE) or path.endswith(".gitattributes"):
            raise _UnsureError
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
