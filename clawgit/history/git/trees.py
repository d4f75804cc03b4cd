"""One state of the workspace in git: its files, its files of entries, comparing two states, building the next one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from clawgit.history.git.objects import Objects, TreeEntry
from clawgit.memory.entries.entries import Entry, marks_in, read_entries
from clawgit.memory.entries.tiers import CORRECTIONS, CORRECTIONS_BEFORE, holds_entries, is_correction_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE, EXECUTABLE, FOLDER, LINK = 0o100644, 0o100755, 0o40000, 0o120000  # git's modes
_TREE = 2  # git's number in a pack
Pair: TypeAlias = "tuple[TreeEntry | None, TreeEntry | None]"


class ObjectWriter(Protocol):
    """Takes objects: the repository, or a store that gathers them first."""

    def write(self, kind: int, data: bytes, /) -> object:
        """Take an object; `str` of the result is its id."""


class Tree(NamedTuple):
    """The files of one state; ``tree_id`` None is the empty state before the first commit."""

    objects: Objects
    tree_id: str | None

    def entry(self, path: str) -> TreeEntry | None:
        at = self.tree_id
        entry: TreeEntry | None = None
        for name in os.fsencode(path).split(b"/"):
            entry = self.objects.tree(at).get(name)
            if entry is None:
                return None
            at, _ = _parted(entry)
        return entry

    def read(self, path: str) -> bytes | None:
        return self.content(self.entry(path))

    def content(self, entry: TreeEntry | None) -> bytes | None:
        if entry is None or entry.mode not in (FILE, EXECUTABLE):
            return None
        return self.objects.blob(entry.object_id)

    def files(self, below: str = "") -> Iterator[tuple[str, TreeEntry]]:
        """Yield each file (in the folder ``below``) with its path, in git's order."""
        if not below:
            yield from _files(self.objects, self.tree_id, b"")
            return
        folder, _ = _parted(self.entry(below))
        yield from _files(self.objects, folder, os.fsencode(below) + b"/")

    def check_folders(self) -> None:
        """Raise if a folder at any depth cannot be read."""
        waiting = [] if self.tree_id is None else [self.tree_id]
        while waiting:
            waiting += self.objects.folders(waiting.pop())

    def names(self, folder: str) -> list[str]:
        """Return the names directly in ``folder``; "" is the top."""
        tree_id = self.tree_id
        if folder:
            tree_id, _ = _parted(self.entry(folder))
        return list(map(os.fsdecode, self.objects.tree(tree_id)))

    def changed(self, base: Tree, *, only_there: bool = False) -> dict[str, Pair]:
        """Return path → (entry in ``base``, entry here) of each file that differs; ``only_there``: of those in ``base``."""
        pairs = _differences(self.objects, base.tree_id, self.tree_id, b"", only_there=only_there)
        return {os.fsdecode(path): pair for path, pair in pairs}


def _files(objects: Objects, tree_id: str | None, prefix: bytes) -> Iterator[tuple[str, TreeEntry]]:
    for name, entry in objects.tree(tree_id).items():
        if entry.is_folder:
            yield from _files(objects, entry.object_id, prefix + name + b"/")
        else:
            yield os.fsdecode(prefix + name), entry


def _differences(
    objects: Objects, old: str | None, new: str | None, prefix: bytes, *, only_there: bool
) -> Iterator[tuple[bytes, Pair]]:
    if old == new or (old is None and only_there):
        return
    before = objects.tree(old)
    after = objects.tree(new)
    names = before.keys() if only_there else before.keys() | after.keys()
    for name in sorted(names):
        was = before.get(name)
        now = after.get(name)
        if was == now:
            continue
        path = prefix + name
        old_folder, old_file = _parted(was)
        new_folder, new_file = _parted(now)
        if old_file is not None or (new_file is not None and not only_there):
            yield path, (old_file, new_file)
        if old_folder is not None or new_folder is not None:
            yield from _differences(objects, old_folder, new_folder, path + b"/", only_there=only_there)


def _parted(entry: TreeEntry | None) -> tuple[str | None, TreeEntry | None]:
    if entry is not None and entry.is_folder:
        return entry.object_id, None
    return None, entry


def build_tree(into: ObjectWriter, base: Tree, entries: Mapping[str, TreeEntry | None]) -> str:
    """Write ``base`` with ``entries`` put in (None: taken out) and return its id; empty folders are dropped."""
    changes: dict[bytes, TreeEntry | None] = {os.fsencode(path): entry for path, entry in entries.items()}
    return _build(into, base.objects, base.tree_id, changes) or _write(into, {})


def _build(
    into: ObjectWriter, objects: Objects, base: str | None, changes: Mapping[bytes, TreeEntry | None]
) -> str | None:
    """Write one folder and those below it; None if it is empty."""
    here = dict(objects.tree(base))
    own: dict[bytes, TreeEntry] = {}
    below: dict[bytes, dict[bytes, TreeEntry | None]] = {}
    for path, entry in changes.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            below.setdefault(name, {})[rest] = entry
        elif entry is None:
            here.pop(name, None)
        else:
            own[name] = entry
    for name, inner in below.items():
        inside, _ = _parted(here.get(name))
        folder = _build(into, objects, inside, inner)
        if folder is not None:
            here[name] = TreeEntry(folder, FOLDER)
        elif inside is not None:
            del here[name]
    here.update(own)
    return _write(into, here) if here else None


def _write(into: ObjectWriter, entries: Mapping[bytes, TreeEntry]) -> str:
    in_order = sorted(entries.items(), key=lambda item: item[0] + (b"/" if item[1].is_folder else b""))
    lines = (b"%o %s\0" % (entry.mode, name) + bytes.fromhex(entry.object_id) for name, entry in in_order)
    return str(into.write(_TREE, b"".join(lines)))


def entry_files(tree: Tree) -> list[str]:
    files = ("MEMORY.md", "memory.md", *(name for name, _ in tree.files(below="memory")))
    return [name for name in files if holds_entries(name) and tree.entry(name) is not None]


def entries_in(tree: Tree) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of memory, each with its file."""
    for path in entry_files(tree):
        for entry in read_entries(tree.read(path) or b""):
            yield path, entry


def correction_files(tree: Tree) -> list[str]:
    """Return the files that hold corrections, the ledger first."""
    archived = (path for path, _ in tree.files(below=CORRECTIONS_BEFORE.rstrip("/")))
    return [CORRECTIONS, *filter(is_correction_file, archived)]


def ids_beside(tree: Tree, path: str) -> frozenset[str]:
    others = filter(path.__ne__, entry_files(tree))
    return frozenset[str]().union(*(marks_in(tree.read(name) or b"") for name in others))
