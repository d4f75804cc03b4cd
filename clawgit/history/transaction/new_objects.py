"""The objects of one change, gathered in memory and written as one small pack.

A pack and its index reach the disk with three calls to `fsync`, however many objects there are; as loose ones each
takes two. While the change is being made, a `.keep` beside the pack holds off every `git gc` and `git repack`.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.concurrent_git import are_stored
from clawgit.history.git.leftovers import HALF_A_PACK, KEEPER, OF_ONE_CHANGE
from clawgit.history.transaction.pack_writing import MOST_BYTES, Names, PackedObject, packed, write_pack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clawgit.history.git.libgit2 import Signature
    from clawgit.history.git.objects import Objects

COMMIT, TREE, BLOB = 1, 2, 3  # git's numbers, as in a pack
_NAMES = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob"}


class StoredObjects(NamedTuple):
    """The objects of a change as they were written: which, and in which packs."""

    objects: Path
    ids: tuple[str, ...]
    packs: tuple[Path, ...]

    def are_there(self) -> bool:
        """Say whether git still finds all of them: some `git gc` may have taken a pack away."""
        as_written = all(path.exists() for pack in self.packs for path in (pack, pack.with_suffix(".idx")))
        return as_written or are_stored(self.objects, self.ids)

    def let_go(self) -> None:
        """Leave the packs to git and to joining, once a reference names what is in them."""
        for pack in self.packs:
            with suppress(OSError):
                pack.with_suffix(KEEPER).unlink()


class NewObjects:
    """Objects that are not stored yet: ``write`` them, then ``store`` all of them."""

    def __init__(self, objects: Path, known: Objects, *, fsync: bool) -> None:
        self._objects = objects
        self._known = known
        self._fsync = fsync
        self._small: list[tuple[str, int, bytes]] = []
        self._new: dict[str, PackedObject] = {}
        self._size = 0
        self._ids: list[str] = []
        self._packs: list[Path] = []

    def write(self, kind: int, data: bytes) -> str:
        """Add an object and return its id; the same one is stored once."""
        header = b"%s %d\0" % (_NAMES[kind], len(data))
        object_id = sha1(header + data, usedforsecurity=False).hexdigest()
        if object_id not in self._new:
            self._new[object_id] = packed(object_id, kind, data)
            if kind != BLOB:
                self._small.append((object_id, kind, data))
            self._size += len(self._new[object_id].data)
            if self._size > MOST_BYTES:
                self._write_pack()
        return object_id

    def store(self) -> StoredObjects:
        """Write what was added; it is on the disk when this returns, if that is wanted.

        Raises:
            OSError: The disk is full or failing; what was written stays for git to clean up.
        """
        if self._new:
            self._write_pack()
        for object_id, kind, data in self._small:
            self._known.learn(object_id, kind, data)
        return StoredObjects(self._objects, tuple(self._ids), tuple(self._packs))

    def _write_pack(self) -> None:
        folder = self._objects / "pack"
        folder.mkdir(exist_ok=True)
        new = tuple(self._new.values())
        names = Names(HALF_A_PACK, OF_ONE_CHANGE, KEEPER)
        self._packs.append(write_pack(folder, new, names, fsync=self._fsync))
        self._ids += self._new
        self._new, self._size = {}, 0


def commit_bytes(tree_id: str, parent_ids: Sequence[str], who: Signature, message: str) -> bytes:
    """Return a commit as git stores it, made and committed by one hand."""
    minutes = abs(who.offset)
    sign = "-" if who.offset < 0 else "+"
    hand = f"{who.name} <{who.email}> {who.time} {sign}{minutes // 60:02}{minutes % 60:02}"
    parents = (f"parent {parent_id}" for parent_id in parent_ids)
    head = "\n".join((f"tree {tree_id}", *parents, f"author {hand}", f"committer {hand}"))
    return f"{head}\n\n{message}".encode()


def with_signature(commit: bytes, signature: bytes) -> bytes:
    """Return a commit with a signature of it, as git stores both."""
    head, _, message = commit.partition(b"\n\n")
    lines = b"\n ".join(signature.strip().split(b"\n"))
    return head + b"\ngpgsig " + lines + b"\n\n" + message
