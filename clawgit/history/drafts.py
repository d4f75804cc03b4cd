"""A state of the workspace that is not in git yet: guards read it before any of it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from clawgit.history.objects import TreeEntry
from clawgit.history.trees import EXECUTABLE, FILE, Tree, build_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.workspace.files import FileContent


@dataclass(frozen=True, slots=True)
class Draft:
    """``base`` with some files put in or (None) taken out."""

    base: Tree
    contents: Mapping[str, FileContent | None]

    def entry(self, path: str) -> TreeEntry | None:
        """Return what will stand at ``path``."""
        if path not in self.contents:
            return self.base.entry(path)
        return entry_of(self.contents[path])

    def read(self, path: str) -> bytes | None:
        """Return the bytes that the file at ``path`` will have, None where there will be none."""
        if path not in self.contents:
            return self.base.read(path)
        content = self.contents[path]
        return None if content is None else content.data

    def changed_paths(self) -> tuple[str, ...]:
        """Return the paths that will differ from ``base``."""
        return tuple(path for path in self.contents if self.entry(path) != self.base.entry(path))

    def store(self, repo: pygit2.Repository) -> str:
        """Write what is new into the repository and return the id of the whole tree."""
        entries = {path: self.entry(path) for path in self.changed_paths()}
        for path in entries:
            content = self.contents[path]
            if content is not None:
                repo.create_blob(content.data)
        return build_tree(repo, self.base, entries)


def entry_of(content: FileContent | None) -> TreeEntry | None:
    """Return the tree entry that a file's bytes would have."""
    if content is None:
        return None
    return TreeEntry(str(pygit2.hash(content.data)), EXECUTABLE if content.executable else FILE)
