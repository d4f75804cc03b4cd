"""Writes one change's objects as one small pack with its index (version 2); git joins packs."""

from __future__ import annotations

import os
import struct
import zlib
from contextlib import suppress
from hashlib import sha1
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.commit_messages import count_own
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, run_git
from clawgit.history.git.leftovers import HALF_A_PACK, JOINED, KEEPER, OF_ONE_CHANGE
from clawgit.history.git.lock import are_stored
from clawgit.history.git.objects import id_of
from clawgit.history.git.refs import BRANCHES
from clawgit.workspace.safe_files import sync_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from clawgit.history.git.libgit2 import Signature
    from clawgit.history.git.repository import History

MOST_BYTES = 1 << 28  # of a pack: an index of small offsets reaches 2 GiB
_HEAD = struct.Struct(">4sII")
_INDEX_HEAD = b"\xfftOc\x00\x00\x00\x02"
_FASTEST = 1
_CHECKSUM = 20  # bytes
COMMIT, TREE, BLOB = 1, 2, 3  # git's numbers, as in a pack
_NAMES = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob"}
EVERY = 25  # changes; git itself repacks at 50 packs
# As git estimates, but from four of the 256 folders: one alone would miss 4,000 objects once in forty times.
SAMPLE = ("17", "5b", "a3", "e9")
LOOSE_IN_SAMPLE = 32
MOST_PACKS = 16  # of 25 changes each, with whole objects
TASKS = ("--task=loose-objects", "--task=incremental-repack")


def _put_pack(folder: Path, objects: Mapping[str, bytes], *, fsync: bool) -> Path:
    """Write a pack and its index, and return its path; git sees only whole ones, and keeps them while a file is beside them."""
    body = _HEAD.pack(b"PACK", 2, len(objects)) + b"".join(objects.values())
    digest = sha1(body, usedforsecurity=False).digest()
    place = folder / f"{OF_ONE_CHANGE}{digest.hex()}.pack"
    keeper = place.with_suffix(KEEPER)
    halves = [folder / f"{HALF_A_PACK}{os.urandom(8).hex()}" for _ in range(2)]
    try:
        _write(halves[0], body + digest, fsync=fsync)
        _write(halves[1], _index_of(objects, digest), fsync=fsync)
        keeper.touch()
        halves[1].replace(place.with_suffix(".idx"))  # git ignores it without its pack
        halves[0].replace(place)
        if fsync:
            sync_folder(folder)
    except BaseException:
        for path in (*halves, keeper):
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise
    return place


def _write(path: Path, data: bytes, *, fsync: bool) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        if fsync:
            os.fsync(handle)


def _index_of(objects: Mapping[str, bytes], digest: bytes) -> bytes:
    rows = []
    start = _HEAD.size
    for object_id, data in objects.items():
        rows.append((bytes.fromhex(object_id), zlib.crc32(data), start))
        start += len(data)
    rows.sort()
    counts = [0] * 256
    for name, _, _ in rows:
        counts[name[0]] += 1
    table = (
        _INDEX_HEAD,
        struct.pack(">256I", *accumulate(counts)),
        *(name for name, _, _ in rows),
        struct.pack(f">{len(rows)}I", *(check for _, check, _ in rows)),
        struct.pack(f">{len(rows)}I", *(start for _, _, start in rows)),
        digest,
    )
    whole = b"".join(table)
    return whole + sha1(whole, usedforsecurity=False).digest()


def _packed(kind: int, data: bytes) -> bytes:
    """Return an object in a pack's form, without a delta."""
    size = len(data)
    head = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        head[-1] |= 0x80
        head.append(size & 0x7F)
        size >>= 7
    return bytes(head) + zlib.compress(data, _FASTEST)


class StoredObjects(NamedTuple):
    """The written objects of a change and their packs."""

    objects: Path
    ids: tuple[str, ...]
    packs: tuple[Path, ...]

    def are_there(self) -> bool:
        """Say whether git still finds all of them: a `git gc` may have deleted a pack."""
        as_written = all(path.exists() for pack in self.packs for path in (pack, pack.with_suffix(".idx")))
        return as_written or are_stored(self.objects, self.ids)

    def let_go(self) -> None:
        """Release the packs to git and to joining, once a reference names their objects."""
        for pack in self.packs:
            with suppress(OSError):
                pack.with_suffix(KEEPER).unlink()


class NewObjects:
    """Objects that are not stored yet: ``write`` them, then ``store`` all of them."""

    def __init__(self, objects: Path, *, fsync: bool) -> None:
        self._objects = objects
        self._fsync = fsync
        self._new: dict[str, bytes] = {}
        self._size = 0
        self._ids: list[str] = []
        self._packs: list[Path] = []

    def write(self, kind: int, data: bytes) -> str:
        object_id = id_of(_NAMES[kind], data)
        if object_id not in self._new:
            self._new[object_id] = _packed(kind, data)
            self._size += len(self._new[object_id])
            if self._size > MOST_BYTES:
                self._write_pack()
        return object_id

    def store(self) -> StoredObjects:
        """Write the objects; with `fsync` they are on the disk when this returns."""
        if self._new:
            self._write_pack()
        return StoredObjects(self._objects, tuple(self._ids), tuple(self._packs))

    def _write_pack(self) -> None:
        folder = self._objects / "pack"
        folder.mkdir(exist_ok=True)
        self._packs.append(_put_pack(folder, self._new, fsync=self._fsync))
        self._ids += self._new
        self._new, self._size = {}, 0


def commit_bytes(tree_id: str, parent_ids: Sequence[str], who: Signature, message: str) -> bytes:
    sign = "-" if who.offset < 0 else "+"
    hours, minutes = divmod(abs(who.offset), 60)
    hand = f"{who.name} <{who.email}> {who.time} {sign}{hours:02}{minutes:02}"
    parents = (f"parent {parent_id}" for parent_id in parent_ids)
    head = "\n".join((f"tree {tree_id}", *parents, f"author {hand}", f"committer {hand}"))
    return f"{head}\n\n{message}".encode()


def with_signature(commit: bytes, signature: bytes) -> bytes:
    head, _, message = commit.partition(b"\n\n")
    lines = b"\n ".join(signature.strip().split(b"\n"))
    return head + b"\ngpgsig " + lines + b"\n\n" + message


def join_packs_if_time(history: History) -> None:
    """Join packs after every so many changes; an error does not fail the change. Callers hold the workspace lock."""
    if count_own(history) % EVERY == 0:
        with suppress(OSError, GitProgramError):
            _join(history)
        history.repo.free()  # libgit2 keeps every pack open
        history.objects.let_go_of_packs()


def _join(history: History) -> None:
    folder = history.folder / "objects" / "pack"
    joined_by_git = b""
    with suppress(FileNotFoundError):
        joined_by_git = (folder / "multi-pack-index").read_bytes()
    chosen: list[Path] = []
    names: list[str] = []
    size = 0
    for pack in sorted(folder.glob(f"{OF_ONE_CHANGE}*.pack")):
        index = pack.with_suffix(".idx")
        is_taken = pack.stem.encode() in joined_by_git or pack.with_suffix(KEEPER).exists()
        if not is_taken and is_whole(pack) and is_whole(index):
            size += pack.stat().st_size
            if size > MOST_BYTES:
                break
            chosen.append(pack)
            rows = index.read_bytes()
            first = len(_INDEX_HEAD) + 4 * 256
            last = first + 20 * int.from_bytes(rows[first - 4 : first], "big")
            names += (rows[at : at + 20].hex() for at in range(first, last, 20))
    if len(chosen) < 2:
        return
    synced = "committed" if history.settings.fsync else "none"
    # Without a window git searches no deltas and copies compressed data: writers wait for this.
    words = ("-c", f"core.fsync={synced}", "pack-objects", "-q", "--window=0", f"{folder / JOINED[:-1]}")
    done = run_git(history, *words, stdin="".join(f"{name}\n" for name in names).encode())
    if done.returncode != 0 or not (folder / f"{JOINED}{done.stdout.decode().strip()}.pack").exists():
        return
    for pack in chosen:
        pack.unlink(missing_ok=True)
        pack.with_suffix(".idx").unlink(missing_ok=True)


def is_whole(path: Path) -> bool:
    """Say whether a pack or index ends in its own hash."""
    digest = sha1(usedforsecurity=False)
    try:
        left = path.stat().st_size - _CHECKSUM
        with path.open("rb") as file:
            while left > 0:
                part = file.read(min(left, 1 << 20))
                digest.update(part)
                left -= len(part) or left
            return digest.digest() == file.read()
    except FileNotFoundError:
        return False


def needs_maintenance(history: History) -> bool:
    """Say whether there are about 2,000 loose objects, or packs of 400 changes."""
    objects = history.folder / "objects"
    packs = sum(1 for _ in (objects / "pack").glob(f"{JOINED}*.pack"))
    loose = sum(1 for name in SAMPLE for _ in (objects / name).glob("*"))
    return packs > MOST_PACKS or loose > LOOSE_IN_SAMPLE


def maintain(history: History) -> None:
    """Pack the objects after every so many changes; an error does not fail the change."""
    made = len(history.made)  # since the lock: they may have passed the round number
    if not made or count_own(history) % EVERY >= made:
        return
    with suppress(GitProgramError, OSError, pygit2.GitError):
        if needs_maintenance(history):
            pack(history)


def pack(history: History) -> None:
    run_git(history, "maintenance", "run", "--quiet", *TASKS, seconds=600)
    write_graph(history, "--changed-paths")


def write_graph(history: History, *options: str) -> None:
    """Write git's commit graph: with it, git follows a file through 50,000 commits without reading them."""
    tips = "\n".join(history.refs(BRANCHES).values()).encode()
    run_git(history, "commit-graph", "write", "--stdin-commits", "--split", *options, stdin=tips, seconds=600)
