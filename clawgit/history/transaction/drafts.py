"""A state of the workspace that is not in git yet: as guards read it, and while changes are taken out one by one."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha1
from typing import TYPE_CHECKING

from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.trees import EXECUTABLE, FILE, FOLDER, LINK, Tree, build_tree, entry_files
from clawgit.history.transaction.working_tree import content_of
from clawgit.memory.entries.entry_marks import marks_in, without_marks
from clawgit.memory.entries.tiers import holds_entries, is_correction_file
from clawgit.plan import Edit
from clawgit.text.markdown.lines import split_lines
from clawgit.workspace.safe_files import data_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from clawgit.history.git.trees import ObjectWriter, Pair
    from clawgit.memory.undo.unit_steps import TextStep
    from clawgit.text.markdown.merge_lines import Conflict
    from clawgit.workspace.safe_files import FileContent

_BLOB = 3  # git's number, as in a pack
TELLING = 16  # shorter lines are in many files by chance
_KINDS = {LINK: "a symbolic link", FOLDER: "a folder"}


@dataclass(frozen=True, slots=True)
class Draft:
    """``base`` with some files put in or (None) taken out; what cannot exist beside these is taken out with them."""

    base: Tree
    contents: Mapping[str, FileContent | None]

    def __post_init__(self) -> None:
        gone = dict.fromkeys(
            path for path in _displaced(self.base, self.contents) if path not in self.contents
        )
        if gone:
            object.__setattr__(self, "contents", {**gone, **self.contents})

    def entry(self, path: str) -> TreeEntry | None:
        if path not in self.contents:
            return self.base.entry(path)
        return entry_of(self.contents[path])

    def read(self, path: str) -> bytes | None:
        if path not in self.contents:
            return self.base.read(path)
        return data_of(self.contents[path])

    def changed_paths(self) -> tuple[str, ...]:
        return tuple(path for path in self.contents if self.entry(path) != self.base.entry(path))

    def pairs(self) -> dict[str, Pair]:
        """Return what each changed path was and is."""
        return {path: (self.base.entry(path), self.entry(path)) for path in self.changed_paths()}

    @property
    def size(self) -> int:
        return sum(len(content.data) for content in self.contents.values() if content is not None)

    def store(self, into: ObjectWriter) -> str:
        entries = {path: self.entry(path) for path in self.changed_paths()}
        for path in entries:
            content = self.contents[path]
            if content is not None:
                into.write(_BLOB, content.data)
        return build_tree(into, self.base, entries)


def _displaced(base: Tree, contents: Mapping[str, FileContent | None]) -> Iterator[str]:
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
    if content is None:
        return None
    blob = b"blob %d\0" % len(content.data) + content.data
    mode = EXECUTABLE if content.executable else FILE
    return TreeEntry(sha1(blob, usedforsecurity=False).hexdigest(), mode)


def is_file(entry: TreeEntry | None) -> bool:
    """Say whether there is a plain file, or nothing: what clawgit can write."""
    return entry is None or entry.mode in (FILE, EXECUTABLE)


def kind_of(entry: TreeEntry | None) -> str:
    if entry is None:
        return "nothing"
    return _KINDS.get(entry.mode, "a repository of its own")


def changed_files(contents: Mapping[str, FileContent | None]) -> tuple[Edit, ...]:
    return tuple(
        Edit(path, None) if content is None else Edit(path, content.data, content.executable)
        for path, content in contents.items()
    )


@dataclass(slots=True)
class WorkFiles:
    """A tree with some files read otherwise, and what was found on the way."""

    tree: Tree
    contents: dict[str, FileContent | None] = field(default_factory=dict)
    conflicts: dict[str, tuple[Conflict, ...]] = field(default_factory=dict)
    refusals: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    missed: set[bytes] = field(default_factory=set)
    _ids: dict[str, frozenset[str]] = field(default_factory=dict)

    def content(self, path: str) -> FileContent | None:
        if path in self.contents:
            return self.contents[path]
        return content_of(self.tree, path)

    def data(self, path: str) -> bytes:
        return data_of(self.content(path)) or b""

    def put(self, path: str, content: FileContent | None) -> None:
        self.contents[path] = content
        self._ids.pop(path, None)

    def ids(self, path: str) -> frozenset[str]:
        if path not in self._ids:
            self._ids[path] = marks_in(self.data(path)) if holds_entries(path) else frozenset()
        return self._ids[path]

    def holders(self, ids: Collection[str], besides: Collection[str] = ()) -> dict[str, str]:
        """Return for each of these entry ids that occurs somewhere a file that holds it."""
        if not ids:
            return {}
        paths = dict.fromkeys([*entry_files(self.tree), *self.contents])
        return {
            entry_id: path
            for path in paths
            if path not in besides
            for entry_id in self.ids(path).intersection(ids)
        }

    def miss(self, step: TextStep, here: bytes) -> None:
        """Note what a change wrote and its file does not have any more: it may be elsewhere."""
        telling = (words for words in step.written_words() if len(words) >= TELLING)
        self.missed.update(words for words in telling if words not in here)

    def holders_of_missed(self) -> dict[str, int]:
        """Return the files, but ledgers, with lines that a change wrote elsewhere, and how many."""
        if not self.missed:
            return {}
        counts: dict[str, int] = {}
        for path in dict.fromkeys([*(path for path, _ in self.tree.files()), *self.contents]):
            if path.endswith(".md") and not is_correction_file(path):
                lines = {without_marks(line).strip() for line in split_lines(self.data(path))}
                counts[path] = len(self.missed & lines)
        return {path: count for path, count in counts.items() if count}

    def changed(self) -> dict[str, FileContent | None]:
        return {
            path: content for path, content in self.contents.items() if content != content_of(self.tree, path)
        }
