"""The trees that git's index remembers of its folders (`TREE`): with them, git compares with a commit without reading files.

A folder's tree stays known through a change of ours where it was the old state's: then the new state's is the next one.
git expects that below a known folder every folder is known.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.trees import Tree

_ID = 20
UNKNOWN = -1


class _Folder(NamedTuple):
    """One folder of the index: how many files are below it, or `UNKNOWN`, and its tree."""

    name: bytes
    files: int
    object_id: bytes
    below: tuple[_Folder, ...]


def trees_of(tree: Tree) -> bytes:
    """Return what an index of exactly ``tree`` remembers."""
    return b"".join(_written(_whole(tree, b"", tree.tree_id))) if tree.tree_id is not None else b""


def forgotten(raw: bytes, names: Iterable[bytes]) -> bytes:
    """Return what an index remembers after a change of these files to what nobody knows."""
    folder, _ = _parsed(raw, 0)
    return b"".join(_written(_forgotten(folder, b"", {above for name in names for above in _above(name)})))


def followed(raw: bytes, old: Tree, new: Tree, names: Iterable[bytes]) -> bytes:
    """Return what an index remembers after the files ``names`` went from ``old`` to ``new``."""
    folder, _ = _parsed(raw, 0)
    return b"".join(_written(_renewed(folder, b"", _change(old, new, set(names)))))


class _Change(NamedTuple):
    """Folder → how many files it gained, and which folders directly in it changed; empty names the topmost.

    ``otherwise``: the folders that hold other changes than from the one state to the other.
    """

    old: Tree
    new: Tree
    gained: Counter[bytes]
    inside: dict[bytes, set[bytes]]
    otherwise: set[bytes]


def _change(old: Tree, new: Tree, names: set[bytes]) -> _Change:
    pairs = {os.fsencode(path): pair for path, pair in new.changed(old).items()}
    otherwise = {above for name in names.symmetric_difference(pairs) for above in _above(name)}
    change = _Change(old, new, Counter(), {}, otherwise)
    for name, (was, now) in pairs.items():
        above = list(_above(name))
        for folder, below in zip(above, [*above[1:], None], strict=True):
            change.gained[folder] += (now is not None) - (was is not None)
            inside = change.inside.setdefault(folder, set())
            if below is not None:
                inside.add(below.rpartition(b"/")[2])
    return change


def _forgotten(folder: _Folder, path: bytes, changed: set[bytes]) -> _Folder:
    if path not in changed:
        return folder
    below = (_forgotten(one, _joined(path, one.name), changed) for one in folder.below)
    return _Folder(folder.name, UNKNOWN, b"", tuple(below))


def _renewed(folder: _Folder, path: bytes, change: _Change) -> _Folder:
    if path not in change.inside and path not in change.otherwise:
        return folder
    was = _tree_id(change.old, path)
    now = _tree_id(change.new, path)
    is_known = (
        folder.files != UNKNOWN
        and path not in change.otherwise
        and was == folder.object_id.hex()
        and now is not None
    )
    below = _below(folder, path, change, with_new=is_known)
    if not is_known or now is None or any(one.files == UNKNOWN for one in below):
        return _Folder(folder.name, UNKNOWN, b"", below)
    return _Folder(folder.name, folder.files + change.gained[path], bytes.fromhex(now), below)


def _below(folder: _Folder, path: bytes, change: _Change, *, with_new: bool) -> tuple[_Folder, ...]:
    """Return the folders directly in one after the change; those that are new only where that one is known."""
    below = {}
    for one in folder.below:
        if one.name not in change.inside.get(path, ()) or _tree_id(change.new, _joined(path, one.name)):
            below[one.name] = _renewed(one, _joined(path, one.name), change)
    for name in change.inside.get(path, set()) - below.keys() if with_new else ():
        made = _tree_id(change.new, _joined(path, name))
        if made is not None:
            below[name] = _whole(change.new, name, made)
    return _in_order(below.values())


def _in_order(folders: Iterable[_Folder]) -> tuple[_Folder, ...]:
    return tuple(sorted(folders, key=lambda one: (len(one.name), one.name)))


def _whole(tree: Tree, name: bytes, tree_id: str) -> _Folder:
    """Return a folder that the index holds exactly as this tree."""
    entries = tree.objects.tree(tree_id)
    folders = [_whole(tree, below, entry.object_id) for below, entry in entries.items() if entry.is_folder]
    count = len(entries) - len(folders) + sum(folder.files for folder in folders)
    return _Folder(name, count, bytes.fromhex(tree_id), _in_order(folders))


def _tree_id(tree: Tree, path: bytes) -> str | None:
    if not path:
        return tree.tree_id
    entry = tree.entry(os.fsdecode(path))
    return entry.object_id if entry is not None and entry.is_folder else None


def _joined(path: bytes, name: bytes) -> bytes:
    return path + b"/" + name if path else name


def _above(name: bytes) -> Iterator[bytes]:
    """Yield every folder on the way to a file, the topmost (an empty name) first."""
    parts = name.split(b"/")[:-1]
    return (b"/".join(parts[:depth]) for depth in range(len(parts) + 1))


def _parsed(raw: bytes, at: int) -> tuple[_Folder, int]:
    """Return the folder that begins at ``at``, and where the next one does."""
    name_end = raw.index(b"\0", at)
    line_end = raw.index(b"\n", name_end)
    count, below = (int(number) for number in raw[name_end + 1 : line_end].split(b" "))
    after = line_end + 1 + (_ID if count >= 0 else 0)
    inner = []
    for _ in range(below):
        folder, after = _parsed(raw, after)
        inner.append(folder)
    object_id = raw[line_end + 1 : line_end + 1 + _ID] if count >= 0 else b""
    return _Folder(raw[at:name_end], count if count >= 0 else UNKNOWN, object_id, tuple(inner)), after


def _written(folder: _Folder) -> Iterator[bytes]:
    yield b"%s\0%d %d\n%s" % (folder.name, folder.files, len(folder.below), folder.object_id)
    for one in folder.below:
        yield from _written(one)
