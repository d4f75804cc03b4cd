"""The files of entries, and which ids are taken: an id names one entry of the whole workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.entries.tiers import holds_entries

if TYPE_CHECKING:
    from clawgit.history.git.trees import Tree

MARK = "m:"
MOST_NEAR = 3


def entry_files(tree: Tree) -> list[str]:
    """Return the files of a tree whose list items are entries."""
    files = ("MEMORY.md", "memory.md", *(name for name, _ in tree.files(below="memory")))
    return [name for name in files if holds_entries(name) and tree.entry(name) is not None]


def ids_beside(tree: Tree, path: str) -> frozenset[str]:
    """Return the ids in every file of entries but ``path``."""
    return frozenset[str]().union(
        *(marks_in(tree.read(name) or b"") for name in entry_files(tree) if name != path)
    )


def near_marks(tree: Tree, begin: str) -> list[str]:
    """Return the first few entries (`m:7k2x9d`) that begin with such a part of one."""
    if not begin.startswith(MARK) or begin == MARK:
        return []
    marks = {MARK + name for path in entry_files(tree) for name in marks_in(tree.read(path) or b"")}
    return sorted(mark for mark in marks if mark.startswith(begin))[:MOST_NEAR]
