"""The working tree's files: read when no program writes them, changed without losing an edit, and as drafts."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.objects import TreeEntry, id_of
from clawgit.history.git.trees import EXECUTABLE, FILE, FOLDER, LINK, Tree, build_tree, entry_files
from clawgit.memory.entries.entries import marks_in
from clawgit.memory.entries.tiers import holds_entries
from clawgit.plan import Edit
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.merge_lines import Conflict, weave
from clawgit.workspace.safe_files import (
    FileContent,
    FileInUseError,
    FileTooLargeError,
    PreparedFile,
    UnsafePathError,
    data_of,
    prepare_file,
    read_file,
    remove_file,
    sync_folders_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import ObjectWriter, Pair


POLL_SECONDS = 0.01
YOUNG_SECONDS = 0.5  # a shell that writes a text with two commands opens the file twice within that
CLOCKS_APART = 60.0  # a writer over a network may have a clock ahead


class FileMove(NamedTuple):
    """One file's move from ``known`` states to ``target``; bytes closest to a ``settled`` state are an edit of it, and stay."""

    path: str
    known: tuple[FileContent | None, ...]
    target: FileContent | None
    settled: tuple[FileContent | None, ...] = ()


def content_of(tree: Tree | Draft, path: str) -> FileContent | None:
    data = tree.read(path)
    entry = tree.entry(path)
    if data is None or entry is None:
        return None
    return FileContent(data, entry.mode == EXECUTABLE)


def moves(
    paths: Iterable[str],
    *,
    known_trees: Sequence[Tree | Draft],
    target: Tree | Draft,
    settled: Sequence[Tree] = (),
) -> list[FileMove]:
    return [
        FileMove(path, _states(known_trees, path), content_of(target, path), _states(settled, path))
        for path in paths
    ]


def _states(trees: Sequence[Tree | Draft], path: str) -> tuple[FileContent | None, ...]:
    return tuple(content_of(tree, path) for tree in trees)


def put_files(
    history: History, ways: Iterable[FileMove], *, merge: bool = True, begun: list[str] | None = None
) -> None:
    """Bring each file to its target; unknown bytes are another author's edit and stay.

    With ``merge`` such an edit is carried over to the target (three-way, from the closest known state), without it the file
    is left alone. All new bytes are on disk before the first file is replaced, and all new names when this returns: each
    folder is synced once, so the order in which files change is not fixed. ``begun`` gets each file's name before its replacement.

    Raises:
        FileInUseError: Another program is writing one of them, and would lose what it writes to the replaced file. The
            files before it are in place.
    """
    begun = [] if begun is None else begun
    put: list[str] = []
    ready: list[tuple[FileMove, FileContent | None, PreparedFile | None]] = []
    try:
        for way in ways:
            seen = present(history, way.path)
            target = _settled(history, way, seen, merge=merge)
            if seen != target:
                ready.append((way, seen, _prepared(history, way.path, target)))
        while ready:
            way, seen, prepared = ready[0]
            if present(history, way.path) == seen:
                begun.append(way.path)
                if prepared is None:
                    remove_file(history.root, way.path, fsync=False)
                else:
                    prepared.put(fsync=False)
                put.append(way.path)
                ready.pop(0)
            else:
                if prepared is not None:
                    prepared.drop()
                seen = present(history, way.path)
                target = _settled(history, way, seen, merge=merge)
                ready[0] = (way, seen, _prepared(history, way.path, target))
    finally:
        for *_, prepared in ready:
            if prepared is not None:
                prepared.drop()
    if history.settings.fsync:
        sync_folders_of(history.root, put)


def present(history: History, path: str) -> FileContent | None:
    return read_file(history.root, path, settled=True)


def _settled(history: History, way: FileMove, seen: FileContent | None, *, merge: bool) -> FileContent | None:
    if data_of(seen) in map(data_of, way.known):
        if seen is None or way.target is None or seen in way.known:
            return way.target
        return way.target._replace(executable=seen.executable)  # the mode was changed by another author
    if seen is None or not merge or (way.target is None and None in way.known):
        return seen
    lines = Counter(split_lines(seen.data))

    def apart(state: FileContent | None) -> int:
        others = Counter(split_lines(data_of(state) or b""))
        return ((lines - others) + (others - lines)).total()

    base = min((*way.settled, *way.known), key=apart)
    if base in way.settled or b"\0" in seen.data:
        return seen  # not text: the other author's bytes stay whole
    woven = weave(data_of(base), data_of(way.target) or b"", seen.data)
    return FileContent(woven.data, seen.executable)


def _prepared(history: History, path: str, content: FileContent | None) -> PreparedFile | None:
    if content is None:
        return None
    return prepare_file(history.root, path, content, fsync=history.settings.fsync)


def readable(history: History, path: str) -> bool:
    """Say whether the place is free or holds a regular file that is reached without a link."""
    try:
        read_file(history.root, path, at_most=history.settings.max_file_bytes)
    except FileTooLargeError:
        return True
    except UnsafePathError:
        return False
    return True


class SettledFiles:
    """Reads files, waiting for their writers, in total as long as the settings let one writer wait for another."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._deadline = time.monotonic() + history.settings.lock_wait_seconds

    def read(self, path: str, *trees: Tree) -> FileContent | None:
        """Return a file that is as in one of ``trees``, or is not the beginning of a new version of it."""
        most = self._history.settings.max_file_bytes
        while True:
            with suppress(FileInUseError, FileNotFoundError):
                content = read_file(self._history.root, path, at_most=most, settled=True)
                if content is None or not _may_be_half(path, content.data, trees):
                    return content
                age = time.time() - (self._history.root / path).lstat().st_mtime
                if not -CLOCKS_APART < age < YOUNG_SECONDS:
                    return content
            if time.monotonic() >= self._deadline:
                raise FileInUseError(path)
            time.sleep(POLL_SECONDS)

    def wait(self, paths: Iterable[str], *trees: Tree) -> None:
        """Return once none of ``paths``, which were as in one of ``trees``, is half-written."""
        for path in paths:
            self.read(path, *trees)


def _may_be_half(path: str, data: bytes, trees: Sequence[Tree]) -> bool:
    blob_id = id_of(b"blob", data)
    earlier_texts = []
    for tree in trees:
        entry = tree.entry(path)
        if entry is not None and entry.object_id == blob_id:
            return False  # like most files: their texts in git are not read then
        earlier_texts.append(tree.content(entry))
    return is_cut_short(data, earlier_texts)


def is_cut_short(text: bytes, earlier_texts: Iterable[bytes | None]) -> bool:
    """Say whether ``text`` is new, and may be the beginning of a new version of an earlier text."""
    before = [one for one in earlier_texts if one is not None]
    return text not in before and any(
        len(text) < len(one) and (one.startswith(text) or len(text) < len(one) / 2) for one in before
    )


_BLOB = 3  # git's number, as in a pack

_KINDS = {LINK: "a symbolic link", FOLDER: "a folder"}


@dataclass(frozen=True, slots=True)
class Draft:
    """``base`` with some files put in or (None) taken out, without what cannot exist beside them."""

    base: Tree
    contents: Mapping[str, FileContent | None]
    _entries: dict[str, TreeEntry | None] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        gone = dict.fromkeys(
            path for path in _displaced(self.base, self.contents) if path not in self.contents
        )
        if gone:
            object.__setattr__(self, "contents", {**gone, **self.contents})

    def entry(self, path: str) -> TreeEntry | None:
        if path not in self.contents:
            return self.base.entry(path)
        if path not in self._entries:
            self._entries[path] = entry_of(self.contents[path])
        return self._entries[path]

    def read(self, path: str) -> bytes | None:
        if path not in self.contents:
            return self.base.read(path)
        return data_of(self.contents[path])

    def changed_paths(self) -> tuple[str, ...]:
        return tuple(self.changed(self.base))

    def changed(self, base: Tree) -> dict[str, Pair]:
        """Return path → (entry in ``base``, entry here) of its files that differ."""
        pairs = {path: (base.entry(path), self.entry(path)) for path in self.contents}
        return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}

    def store(self, into: ObjectWriter) -> str:
        entries = {path: self.entry(path) for path in self.changed_paths()}
        for path in entries:
            content = self.contents[path]
            if content is not None:
                into.write(_BLOB, content.data)
        return build_tree(into, self.base, entries)


def draft_of(base: Tree, edits: Iterable[Edit]) -> Draft:
    contents: dict[str, FileContent | None] = {}
    for edit in edits:
        contents[edit.path] = None
        if edit.data is not None:
            contents[edit.path] = FileContent(edit.data, bool(edit.executable))
    return Draft(base, contents)


def _displaced(base: Tree, contents: Mapping[str, FileContent | None]) -> Iterator[str]:
    put_in = [path for path, content in contents.items() if content is not None]
    for folder in {above for path in put_in for above in folders_above(path)}:
        entry = base.entry(folder)
        if entry is not None and not entry.is_folder:
            yield folder
    for path in put_in:
        yield from (below for below, _ in base.files(path))


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders above ``path``, the outermost first."""
    parts = path.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts)))


def entry_of(content: FileContent | None) -> TreeEntry | None:
    if content is None:
        return None
    return TreeEntry(id_of(b"blob", content.data), EXECUTABLE if content.executable else FILE)


def is_file(entry: TreeEntry | None) -> bool:
    """Say whether there is a plain file or nothing, so that clawgit can write."""
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
    """A tree with some files changed, and what was met on the way."""

    tree: Tree
    contents: dict[str, FileContent | None] = field(default_factory=dict)
    conflicts: dict[str, tuple[Conflict, ...]] = field(default_factory=dict)
    refusals: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

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
        """Return entry id → a file that holds it, for ids that occur."""
        if not ids:
            return {}
        paths = dict.fromkeys([*entry_files(self.tree), *self.contents])
        holders = {}
        for path in paths:
            if path not in besides:
                holders.update(dict.fromkeys(self.ids(path).intersection(ids), path))
        return holders

    def changed(self) -> dict[str, FileContent | None]:
        items = self.contents.items()
        return {path: content for path, content in items if content != content_of(self.tree, path)}
