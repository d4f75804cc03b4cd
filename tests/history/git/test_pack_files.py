"""Objects in packs: read as libgit2 reads them, deltas and all; what is damaged is not read at all.

Mutants seen to fail here: deltas are applied from the last to the first; a copy without a length is empty; what was
read is not compared with its id.
"""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pygit2
import pytest

from clawgit.history.git.objects import FIRST_PARTS, DamagedObjectError
from clawgit.history.git.ordinary_repository import PackFiles
from clawgit.history.git.repository import open_history

if TYPE_CHECKING:
    from pathlib import Path

WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *WHO, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture(scope="module")
def packed(tmp_path_factory) -> Path:
    """Return a repository whose objects are in two packs, most of them as deltas, one larger than a delta copies."""
    root: Path = tmp_path_factory.mktemp("packed")
    git(root, "init", "-q")
    chance = random.Random(7)
    lines = [f"- {chance.random()} and {chance.random()}\n" for _ in range(4000)]
    for number in range(12):
        lines[chance.randrange(4000)] = f"- line {number}\n"
        lines.insert(chance.randrange(4000), f"- another {number}\n")
        (root / "long.md").write_text("".join(lines))
        (root / f"{number}.md").write_text(f"{number}\n")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"commit {number}")
        if number == 7:
            git(root, "repack", "-q", "-d")
    git(root, "tag", "-a", "-m", "a tag", "v1")
    git(root, "repack", "-q", "-d", "--window=20", "--depth=20")
    return root


@pytest.mark.rest
def test_every_object_reads_as_libgit2_reads_it(packed) -> None:
    repo, packs = pygit2.Repository(str(packed)), PackFiles(str(packed / ".git/objects"))
    names = [str(name) for name in repo]

    assert len(list((packed / ".git/objects/pack").glob("*.pack"))) == 2
    assert len(names) > 45
    assert {name: packs.read(name) for name in names} == {name: repo.read(name) for name in names}


def test_what_is_not_there_is_not_found(packed, tmp_path) -> None:
    assert PackFiles(str(packed / ".git/objects")).read("12" * 20) is None
    assert PackFiles(str(tmp_path)).read("12" * 20) is None


@pytest.mark.rest
@pytest.mark.parametrize("ending", ["pack", "idx"])
def test_what_is_damaged_is_never_read_as_something_else(packed, tmp_path, ending) -> None:
    repo = pygit2.Repository(str(packed))
    names = [str(name) for name in repo]
    folder = tmp_path / "pack"
    folder.mkdir()
    chance = random.Random(11)
    for _ in range(60):
        for path in (packed / ".git/objects/pack").iterdir():
            data = bytearray(path.read_bytes())
            if path.suffix == f".{ending}":
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            (folder / path.name).unlink(missing_ok=True)
            (folder / path.name).write_bytes(data)
        packs = PackFiles(str(tmp_path))
        for name in chance.sample(names, 9):
            assert packs.read(name) in (None, repo.read(name))


def test_an_index_that_leads_to_another_object_is_not_believed(packed, tmp_path) -> None:
    (tmp_path / "pack").mkdir()
    for path in (packed / ".git/objects/pack").iterdir():
        data = path.read_bytes()
        if path.suffix == ".idx":
            count = int.from_bytes(data[8 + 4 * 255 : 8 + 4 * 256], "big")
            at = 8 + 4 * 256 + 24 * count
            offsets = [data[at + 4 * number : at + 4 * number + 4] for number in range(count)]
            data = data[:at] + b"".join([*offsets[1:], offsets[0]]) + data[at + 4 * count :]
        (tmp_path / "pack" / path.name).write_bytes(data)
    packs = PackFiles(str(tmp_path))

    assert {packs.read(str(name)) for name in pygit2.Repository(str(packed))} == {None}


@pytest.mark.rest
def test_many_objects_read_as_the_first_ones_do(tmp_path) -> None:
    """Mutant: what is read after the first thousands comes from nowhere, or from somewhere else."""
    git(tmp_path, "init", "-q")
    for number in range(FIRST_PARTS + 200):
        (tmp_path / f"{number}.md").write_text(f"{number}\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "many")
    git(tmp_path, "repack", "-q", "-a", "-d")
    history = open_history(tmp_path)
    tree = history.tip().tree

    assert {path: tree.read(path) for path, _ in tree.files()} == {
        f"{number}.md": b"%d\n" % number for number in range(FIRST_PARTS + 200)
    }
    with pytest.raises(DamagedObjectError):
        history.objects.blob("12" * 20)
