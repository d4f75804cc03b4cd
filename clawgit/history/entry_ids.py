"""The files of entries, and which ids are taken: an id names one entry of the whole workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.marks import marks_in
from clawgit.memory.tiers import holds_entries

if TYPE_CHECKING:
    from clawgit.history.trees import Tree


def entry_files(tree: Tree) -> list[str]:
    """Return the files of a tree whose list items are entries."""
    files = ("MEMORY.md", "memory.md", *(name for name, _ in tree.files(below="memory")))
    return [name for name in files if holds_entries(name) and tree.entry(name) is not None]


def ids_beside(tree: Tree, path: str) -> frozenset[str]:
    """Return the ids in every file of entries but ``path``."""
    return frozenset[str]().union(
        *(marks_in(tree.read(name) or b"") for name in entry_files(tree) if name != path)
    )
