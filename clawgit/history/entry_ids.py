"""Which entry ids are taken: an id names one entry of the whole workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.marks import marks_in
from clawgit.memory.tiers import holds_entries

if TYPE_CHECKING:
    from clawgit.history.trees import Tree


def ids_beside(tree: Tree, path: str) -> frozenset[str]:
    """Return the ids in every file of entries but ``path``."""
    files = ("MEMORY.md", "memory.md", *(name for name, _ in tree.files(below="memory")))
    found: set[str] = set()
    for name in files:
        if name != path and holds_entries(name):
            found |= marks_in(tree.read(name) or b"")
    return frozenset(found)
