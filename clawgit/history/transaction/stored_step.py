"""Two states that are both in git, as guards read them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.trees import Pair, Tree


class Compared:
    """``tree`` as it came from ``base``; with ``only``, as if nothing else had changed but these paths."""

    def __init__(self, base: Tree, tree: Tree, only: Collection[str] | None = None) -> None:
        self.base, self.tree, self.only = base, tree, only

    def entry(self, path: str) -> TreeEntry | None:
        """Return what is at ``path``."""
        pair = self._changed.get(path)
        return pair[1] if pair is not None else self.tree.entry(path)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of the file at ``path``, None where there is no file."""
        return self.tree.content(self.entry(path))

    def changed_paths(self) -> tuple[str, ...]:
        """Return the paths that differ from ``base``."""
        return tuple(self._changed)

    @cached_property
    def _changed(self) -> dict[str, Pair]:
        if self.only is None:
            return self.tree.changed(self.base)
        pairs = {path: (self.base.entry(path), self.tree.entry(path)) for path in self.only}
        return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}
