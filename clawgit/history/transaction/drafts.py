"""A state of the workspace that is not in git yet: guards read it before any of it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.trees import EXECUTABLE, FILE, Tree, build_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clawgit.history.git.trees import ObjectWriter
    from clawgit.workspace.safe_files import FileContent

_BLOB = 3  # git's number, as in a pack


@dataclass(frozen=True, slots=True)
class Draft:
    """``base`` with some files put in or (None) taken out; what cannot exist beside these is taken out with them."""

    base: Tree
    contents: Mapping[str, FileContent | None]

    def __post_init__(self) -> None:
        """Name what a file in a folder's place, or a folder in a file's, displaces: guards ask about that, too."""
        gone = dict.fromkeys(
            path for path in _displaced(self.base, self.contents) if path not in self.contents
        )
        if gone:
            object.__setattr__(self, "contents", {**gone, **self.contents})

    def entry(self, path: str) -> TreeEntry | None:
        """Return what will be at ``path``."""
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

    @property
    def size(self) -> int:
        """Return how many bytes the files put in have."""
        return sum(len(content.data) for content in self.contents.values() if content is not None)

    def store(self, into: ObjectWriter) -> str:
        """Write what is new and return the id of the whole tree."""
        entries = {path: self.entry(path) for path in self.changed_paths()}
        for path in entries:
            content = self.contents[path]
            if content is not None:
                into.write(_BLOB, content.data)
        return build_tree(into, self.base, entries)


def _displaced(base: Tree, contents: Mapping[str, FileContent | None]) -> Iterator[str]:
    """Yield the files of ``base`` that stand where a folder must be, or in a folder where a file must be."""
    put_in = [path for path, content in contents.items() if content is not None]
    for folder in {above for path in put_in for above in folders_above(path)}:
        entry = base.entry(folder)
        if entry is not None and not entry.is_folder:
            yield folder
    for path in put_in:
        yield from (below for below, _ in base.files(path))


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders that ``path`` is in, the outermost first."""
    parts = path.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts)))


def entry_of(content: FileContent | None) -> TreeEntry | None:
    """Return the tree entry that a file's bytes would have."""
    if content is None:
        return None
    return TreeEntry(str(pygit2.hash(content.data)), EXECUTABLE if content.executable else FILE)
