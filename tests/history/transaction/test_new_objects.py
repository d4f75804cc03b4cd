"""The pack of a change: git reads it as its own, and the packs of many changes become one.

Mutants seen to fail here: a size of more than four bits without its mark, objects of the index out of order, an offset
that forgets the head, a commit whose zone loses its sign; packs are joined without one of them, also those that are kept
or that git's index of several packs names, or the one that is damaged; small packs stay; a
long-lived process keeps them open.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pygit2
import pytest

from clawgit.history.git.objects import Objects
from clawgit.history.transaction import pack_writing
from clawgit.history.transaction.pack_writing import BLOB, COMMIT, NewObjects, commit_bytes

SIZES = (0, 1, 15, 16, 17, 2047, 2048, 70_000)


@pytest.fixture
def repo(tmp_path) -> pygit2.Repository:
    return pygit2.init_repository(str(tmp_path / "repository"))


def new_objects(repo) -> NewObjects:
    return NewObjects(Path(repo.path) / "objects", fsync=True)


def packs(root) -> list[str]:
    return sorted(path.name.rpartition("-")[0] for path in (root / ".git/objects/pack").glob("*.pack"))


def test_git_reads_every_object_as_its_own(repo) -> None:
    dice, objects = random.Random(3), new_objects(repo)
    texts = [dice.randbytes(size) for size in SIZES]

    names = [objects.write(BLOB, text) for text in texts]
    stored = objects.store()

    assert [repo[name].data for name in names] == texts
    assert names == [str(pygit2.hash(text)) for text in texts]
    for pack in stored.packs:
        subprocess.run(["git", "verify-pack", str(pack)], check=True)
    subprocess.run(["git", "fsck", "--full", "--strict"], cwd=repo.workdir, check=True, capture_output=True)


@pytest.mark.parametrize("minutes", [0, 60, -570, 345])
@pytest.mark.parametrize("parents", [0, 1, 2])
def test_a_commit_reads_as_libgit2_writes_it(repo, minutes, parents) -> None:
    who = pygit2.Signature("Ada Ünal", "ada@example.org", 1773915720, minutes)
    tree = str(repo.TreeBuilder().write())
    above = [str(repo.create_commit(None, who, who, f"{number}", tree, [])) for number in range(parents)]
    message = "memory: a line\n\nWhy: ümlaut\n\nClawgit-Op: x\n"

    theirs = str(repo.create_commit(None, who, who, message, tree, above))

    assert new_objects(repo).write(COMMIT, commit_bytes(tree, above, who, message)) == theirs


def test_an_object_is_stored_once(repo) -> None:
    objects = new_objects(repo)
    assert objects.write(BLOB, b"x") == objects.write(BLOB, b"x")
    stored = objects.store()
    assert len(stored.ids) == 1


def test_what_was_stored_is_missed_when_it_is_taken_away(repo) -> None:
    objects = new_objects(repo)
    objects.write(BLOB, b"x")
    stored = objects.store()
    assert stored.are_there()
    stored.packs[0].unlink()
    assert not stored.are_there()


@pytest.mark.rest
def test_the_packs_of_many_changes_become_one(room) -> None:
    room.git("repack", "-a", "-d", "-q")
    for number in range(pack_writing.EVERY + 1):
        room.now += timedelta(minutes=1)
        room.append("memory/learned.md", f"- line {number}")

    names = packs(room.root)
    assert names.count("clawgit-changes") == 1
    assert 0 < names.count("clawgit-change") < pack_writing.EVERY
    room.git("fsck", "--full", "--strict")
    assert room.git("rev-list", "--objects", "HEAD").count("\n") > 3 * pack_writing.EVERY


def join(room) -> None:
    pack_writing._join(room.history)


@pytest.mark.parametrize("whose", ["kept by a person", "in git's index of several packs", "damaged"])
def test_a_pack_that_is_not_ours_to_remove_stays(room, whose) -> None:
    before_it = set((room.root / ".git/objects/pack").glob("*.pack"))
    room.change({"memory/a.md": "a\n"})
    (left,) = set((room.root / ".git/objects/pack").glob("clawgit-change-*.pack")) - before_it
    if whose == "in git's index of several packs":
        room.git("multi-pack-index", "write")
    for name in "bc":
        room.change({f"memory/{name}.md": f"{name}\n"})
    if whose == "kept by a person":
        left.with_suffix(".keep").touch()
    elif whose == "damaged":
        data = left.read_bytes()
        left.unlink()
        left.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])

    join(room)

    assert left.exists()
    assert "clawgit-changes" in packs(room.root)


def test_what_a_killed_git_left_of_joining_goes_once_nobody_can_still_write_it(room) -> None:
    """Mutants: it stays for ever; what is being written goes."""
    folder = room.root / ".git/objects/pack"
    for name in ("tmp_pack_old", "tmp_idx_old", "tmp_pack_young"):
        (folder / name).touch()
    for name in ("tmp_pack_old", "tmp_idx_old"):
        os.utime(folder / name, (0, 0))

    room.change({"memory/a.md": "a\n"})

    assert [path.name for path in folder.glob("tmp_*")] == ["tmp_pack_young"]


@pytest.mark.rest
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows which files a process has open")
def test_who_makes_many_changes_does_not_keep_every_pack_open(room) -> None:
    for number in range(2 * pack_writing.EVERY):
        room.change({"memory/2026-03-18.md": f"- {number}\n"})

    opened = [str(path.readlink()) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
    gone = [name for name in opened if name.startswith(str(room.root)) and name.endswith("(deleted)")]
    assert len(gone) < pack_writing.EVERY


def test_a_reader_that_looked_before_finds_what_was_joined_since(room) -> None:
    """libgit2 and our own reader alike: the pack that they know of is gone."""
    room.change({"memory/a.md": "a\n"})
    room.change({"memory/b.md": "b\n"})
    blobs = [room.git("rev-parse", f"HEAD:memory/{name}.md") for name in "ab"]
    repo = pygit2.Repository(str(room.root))
    objects = Objects(lambda: repo, room.root / ".git/objects")
    assert repo[blobs[0]].data
    assert objects.blob(blobs[0])

    join(room)

    assert packs(room.root).count("clawgit-changes") == 1
    assert repo[blobs[1]].data == b"b\n"
    assert objects.blob(blobs[1]) == b"b\n"
