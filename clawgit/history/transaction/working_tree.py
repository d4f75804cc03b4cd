"""Bringing the working tree's files from one state to another without losing anybody's edit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.trees import EXECUTABLE
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.merge_lines import weave
from clawgit.workspace.safe_files import (
    FileContent,
    FileTooLargeError,
    PreparedFile,
    UnsafePathError,
    prepare_file,
    read_file,
    remove_file,
    sync_folders_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


class Move(NamedTuple):
    """One file's way: the states it may be in as ours, and the one it should come to.

    Bytes that are closest to one of the ``settled`` states are an edit of that state, and stay.
    """

    path: str
    known: tuple[FileContent | None, ...]
    target: FileContent | None
    settled: tuple[FileContent | None, ...] = ()


def content_of(tree: Tree, path: str) -> FileContent | None:
    """Return the file at ``path`` as a tree holds it."""
    data = tree.read(path)
    entry = tree.entry(path)
    return None if data is None or entry is None else FileContent(data, entry.mode == EXECUTABLE)


def moves(
    paths: Iterable[str], *, known: Sequence[Tree], target: Tree, settled: Sequence[Tree] = ()
) -> list[Move]:
    """Return the way of each path from any of ``known`` to ``target``."""
    return [
        Move(path, _states(known, path), content_of(target, path), _states(settled, path)) for path in paths
    ]


def _states(trees: Sequence[Tree], path: str) -> tuple[FileContent | None, ...]:
    return tuple(content_of(tree, path) for tree in trees)


def put_files(
    history: History, ways: Iterable[Move], *, merge: bool = True, begun: list[str] | None = None
) -> None:
    """Bring each file to its target; bytes that nobody knows are somebody's edit and stay.

    With ``merge`` such an edit is carried over to the target (three-way, from the closest known state),
    without it the file is left alone. All new bytes are on disk before the first file is replaced, and all new
    names when this returns: each folder is synced once, since in which order files change is promised to nobody.
    ``begun`` takes the name of each file before it is replaced.

    Raises:
        FileInUseError: Another program is writing one of them: what it writes from here on would be lost with the
            file that was replaced. Those before it are in place.
    """
    begun = [] if begun is None else begun
    put: list[str] = []
    ready: list[tuple[Move, FileContent | None, FileContent | None, PreparedFile | None]] = []
    try:
        for way in ways:
            seen = present(history, way.path)
            wanted = _settled(history, way, seen, merge=merge)
            if seen != wanted:
                ready.append((way, seen, wanted, _prepared(history, way.path, wanted)))
        while ready:
            way, seen, wanted, prepared = ready[0]
            if present(history, way.path) == seen:
                begun.append(way.path)
                _put(history, way.path, prepared)
                put.append(way.path)
                ready.pop(0)
            else:
                _drop(prepared)
                seen = present(history, way.path)
                wanted = _settled(history, way, seen, merge=merge)
                ready[0] = (way, seen, wanted, _prepared(history, way.path, wanted))
    finally:
        for *_, prepared in ready:
            _drop(prepared)
    if history.settings.fsync:
        sync_folders_of(history.root, put)


def present(history: History, path: str) -> FileContent | None:
    """Return the file as it is in the working tree.

    Raises:
        FileInUseError: Another program is writing it.
    """
    return read_file(history.root, path, settled=True)


def _settled(history: History, way: Move, seen: FileContent | None, *, merge: bool) -> FileContent | None:
    ours = [state for state in way.known if _same(seen, state)]
    if ours:
        return way.target if seen in ours else _with_mode_of(seen, way.target)
    if seen is None or not merge or (way.target is None and None in way.known):
        return seen
    base = _closest(seen, (*way.settled, *way.known))
    if base in way.settled:
        return seen
    target = b"" if way.target is None else way.target.data
    if b"\0" in seen.data:
        return seen  # no text: what somebody left there stays whole
    return FileContent(weave(None if base is None else base.data, target, seen.data).data, seen.executable)


def _closest(seen: FileContent, states: Iterable[FileContent | None]) -> FileContent | None:
    """Return the state that differs from ``seen`` in the fewest lines: the one that was edited."""
    lines = Counter(split_lines(seen.data))

    def apart(state: FileContent | None) -> int:
        others = Counter(split_lines(b"" if state is None else state.data))
        return ((lines - others) + (others - lines)).total()

    return min(states, key=apart)


def _with_mode_of(seen: FileContent | None, target: FileContent | None) -> FileContent | None:
    """Return the target with the mode that somebody else gave the file."""
    return target if seen is None or target is None else target._replace(executable=seen.executable)


def _same(one: FileContent | None, other: FileContent | None) -> bool:
    return (None if one is None else one.data) == (None if other is None else other.data)


def _prepared(history: History, path: str, wanted: FileContent | None) -> PreparedFile | None:
    if wanted is None:
        return None
    return prepare_file(history.root, path, wanted, fsync=history.settings.fsync)


def _put(history: History, path: str, prepared: PreparedFile | None) -> None:
    if prepared is None:
        remove_file(history.root, path, fsync=False)
    else:
        prepared.put(fsync=False)


def _drop(prepared: PreparedFile | None) -> None:
    if prepared is not None:
        prepared.drop()


def readable(history: History, path: str) -> bool:
    """Say whether the place is free or holds a regular file that is reached without a link."""
    try:
        read_file(history.root, path, at_most=history.settings.max_file_bytes)
    except FileTooLargeError:
        return True
    except UnsafePathError:
        return False
    return True
