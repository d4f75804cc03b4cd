"""Keeping the repository small: packs of single changes are joined, loose objects packed, nothing is ever pruned."""

from __future__ import annotations

import struct
from contextlib import suppress
from hashlib import sha1
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.history.authorship.op_lookup import count_own
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, run_git
from clawgit.history.git.leftovers import HALF_A_PACK, JOINED, KEEPER, OF_ONE_CHANGE
from clawgit.history.git.refs import BRANCHES
from clawgit.history.transaction.pack_writing import INDEX_HEAD, MOST_BYTES, Names, PackedObject, write_pack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clawgit.history.git.repository import History

EVERY = 25  # changes; by itself, git packs everything again once there are 50 packs
_FANOUT, _NAMES = 8, 8 + 4 * 256
_HASH = 20
_WHOLE_KINDS = range(1, 5)
_DAMAGED = (OSError, ValueError, IndexError, struct.error)
# As git estimates, but from four of the 256 folders: of one alone, 4,000 objects in all go unseen once in forty times.
SAMPLE = ("17", "5b", "a3", "e9")
LOOSE_IN_SAMPLE = 32
MOST_PACKS = 16  # of 25 changes each, whose objects are whole ones
TASKS = ("--task=loose-objects", "--task=incremental-repack")


def is_time_to_tidy(history: History) -> bool:
    """Say whether the changes made since the workspace was locked reached the next round number."""
    return bool(history.made) and count_own(history) % EVERY < len(history.made)


def join_packs_if_time(history: History) -> None:
    """Join what has gathered, after every so many changes; callers hold the workspace lock and made one just now.

    A change never fails because this did.
    """
    if count_own(history) % EVERY == 0:
        with suppress(OSError):
            _join(history.folder / "objects" / "pack", fsync=history.settings.fsync)
        history.repo.free()  # libgit2 keeps each pack open that it ever saw
        history.objects.let_go_of_packs()


def _join(folder: Path, *, fsync: bool) -> None:
    objects: dict[str, PackedObject] = {}
    done: list[Path] = []
    size = 0
    for pack in _single(folder):
        with suppress(*_DAMAGED):
            found = {item.object_id: item for item in _objects_of(pack)}
            size += pack.stat().st_size
            if size > MOST_BYTES:
                break
            objects |= found
            done.append(pack)
    if len(done) < 2:
        return
    new = write_pack(folder, tuple(objects.values()), Names(HALF_A_PACK, JOINED), fsync=fsync)
    for pack in done:
        if new.exists():
            pack.unlink(missing_ok=True)
            pack.with_suffix(".idx").unlink(missing_ok=True)


def _single(folder: Path) -> list[Path]:
    """Return the packs of single changes that are nobody else's to keep or to remove."""
    named = b""
    with suppress(FileNotFoundError):
        named = (folder / "multi-pack-index").read_bytes()
    return [
        pack
        for pack in sorted(folder.glob(f"{OF_ONE_CHANGE}*.pack"))
        if pack.stem.encode() not in named and not pack.with_suffix(KEEPER).exists()
    ]


def _objects_of(pack: Path) -> Iterator[PackedObject]:
    """Yield the objects of a pack."""
    data = pack.read_bytes()
    index = pack.with_suffix(".idx").read_bytes()
    _refuse_damaged(data)
    _refuse_damaged(index)
    (count,) = struct.unpack_from(">I", index, _NAMES - 4)
    if index[:_FANOUT] != INDEX_HEAD or index[-2 * _HASH : -_HASH] != data[-_HASH:]:
        raise ValueError(pack)
    names = (index[_NAMES + _HASH * at : _NAMES + _HASH * (at + 1)].hex() for at in range(count))
    starts = struct.unpack_from(f">{count}I", index, _NAMES + 24 * count)
    places = sorted(zip(starts, names, strict=True))
    ends = [*(start for start, _ in places), len(data) - _HASH]
    for (start, end), (_, name) in zip(pairwise(ends), places, strict=True):
        if data[start] >> 4 & 7 not in _WHOLE_KINDS:
            raise ValueError(pack)
        yield PackedObject(name, data[start:end])


def _refuse_damaged(data: bytes) -> None:
    if sha1(data[:-_HASH], usedforsecurity=False).digest() != data[-_HASH:]:
        raise ValueError(len(data))


def needs_maintenance(history: History) -> bool:
    """Say whether about 2,000 loose objects have gathered, or the packs of 400 changes."""
    objects = history.folder / "objects"
    packs = sum(1 for _ in (objects / "pack").glob(f"{JOINED}*.pack"))
    return packs > MOST_PACKS or sum(_count(objects / name) for name in SAMPLE) > LOOSE_IN_SAMPLE


def _count(folder: Path) -> int:
    with suppress(FileNotFoundError):
        return sum(1 for _ in folder.iterdir())
    return 0


def maintain(history: History) -> None:
    """Pack what has gathered, if it is time; a change is never refused because this failed."""
    with suppress(GitProgramError, OSError, pygit2.GitError):
        if needs_maintenance(history):
            pack(history)


def pack(history: History) -> None:
    """Pack loose objects, join small packs, and write the commit-graph."""
    run_git(history, "maintenance", "run", "--quiet", *TASKS, seconds=600)
    tips = "\n".join(history.refs(BRANCHES).values()).encode()
    run_git(
        history,
        "commit-graph",
        "write",
        "--stdin-commits",
        "--split",
        "--changed-paths",
        stdin=tips,
        seconds=600,
    )
