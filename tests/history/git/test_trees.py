"""The trees that clawgit builds against those of git."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pygit2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.history.git.objects import DamagedObjectError, Objects
from clawgit.history.git.trees import Tree
from clawgit.history.transaction.working_tree import Draft
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from pathlib import Path

PARTS = st.text(alphabet="ab.-0é\udcff", min_size=1, max_size=3).filter(lambda part: part not in (".", ".."))
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
STATES = st.dictionaries(PATHS, st.binary(max_size=4), max_size=8)


def without_clashes(state: dict[str, bytes]) -> dict[str, bytes]:
    return {
        path: data for path, data in state.items() if not any(other.startswith(path + "/") for other in state)
    }


def git_tree(root: Path, state: dict[str, bytes]) -> str:
    """Return the tree that git makes of ``state``."""
    subprocess.run(["git", "read-tree", "--empty"], cwd=root, check=True)
    lines = []
    for path, data in state.items():
        made = subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=root, input=data, capture_output=True, check=True
        )
        lines.append(b"100644 %s\t%s\0" % (made.stdout.strip(), path.encode("utf-8", "surrogateescape")))
    subprocess.run(["git", "update-index", "-z", "--index-info"], cwd=root, input=b"".join(lines), check=True)
    return subprocess.run(
        ["git", "write-tree"], cwd=root, capture_output=True, check=True, text=True
    ).stdout.strip()


@pytest.mark.rest
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(old=STATES.map(without_clashes), new=STATES.map(without_clashes))
def test_a_stored_draft_is_the_tree_that_git_would_make(tmp_path_factory, old, new) -> None:
    root = tmp_path_factory.mktemp("trees")
    repo = pygit2.init_repository(str(root))
    objects = Objects(lambda: repo, root / ".git/objects")
    empty = Tree(objects, None)
    first = Tree(objects, Draft(empty, {path: FileContent(data) for path, data in old.items()}).store(repo))
    assert first.tree_id == git_tree(root, old)

    changes = {path: None for path in old if path not in new} | {
        path: FileContent(data) for path, data in new.items()
    }
    draft = Draft(first, changes)
    second = Tree(objects, draft.store(repo))

    assert second.tree_id == git_tree(root, new)
    assert set(second.changed(first)) == set(draft.changed_paths())
    assert {path: second.read(path) for path, _ in second.files()} == new


def test_what_is_no_file_cannot_be_read(tmp_path) -> None:
    repo = pygit2.init_repository(str(tmp_path))
    empty = Tree(Objects(lambda: repo, tmp_path / ".git/objects"), None)
    tree = Tree(empty.objects, Draft(empty, {"a/b.md": FileContent(b"x")}).store(repo))

    assert tree.read("a") is None
    assert tree.read("a/b.md/c") is None
    assert tree.read("a/b.md") == b"x"
    assert empty.read("a") is None


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"100644 a\0" + b"\x12" * 20, id="a file"),
        pytest.param(
            b"100644 40000 b\0%b120000 l\0%b40000 sub\0%b160000 o\0%b40000 z\n\0%b"
            % (b"40000 c\0" + b"\n" * 12, b"\0" * 20, b"4" * 20, b"5" * 20, b"\xff" * 20),
            id="names and ids like modes",
        ),
        pytest.param(b"040000 old\0%b100664 a\0%b" % (b"1" * 20, b"2" * 20), id="modes of old"),
    ],
)
def test_the_folders_of_a_tree_are_those_among_its_entries(tmp_path, lines) -> None:
    """Mutants: a name that begins like a folder is one; what git writes otherwise today is left out."""
    repo = pygit2.init_repository(str(tmp_path))
    objects = Objects(lambda: repo, tmp_path / ".git/objects")
    tree_id = str(repo.write(pygit2.enums.ObjectType.TREE, lines))
    there = [entry.object_id for entry in objects.tree(tree_id).values() if entry.is_folder]

    assert objects.folders(tree_id) == there


def test_a_tree_that_ends_too_early_is_damaged(tmp_path) -> None:
    repo = pygit2.init_repository(str(tmp_path))
    tree_id = str(repo.write(pygit2.enums.ObjectType.TREE, b"40000 a\0" + b"1" * 20 + b"40000 b"))

    with pytest.raises(DamagedObjectError):
        Objects(lambda: repo, tmp_path / ".git/objects").folders(tree_id)


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_damaged_folder_deep_down_is_refused_before_libgit2_reads_it(tmp_path, is_gone) -> None:
    """Mutant: only the first level is looked at."""
    repo = pygit2.init_repository(str(tmp_path))
    empty = Tree(Objects(lambda: repo, tmp_path / ".git/objects"), None)
    tree = Tree(empty.objects, Draft(empty, {"a/b/c/d.md": FileContent(b"x")}).store(repo))
    tree.check_folders()
    entry = tree.entry("a/b/c")
    assert entry is not None
    place = tmp_path / ".git/objects" / entry.object_id[:2] / entry.object_id[2:]
    place.chmod(0o644)
    place.write_bytes(place.read_bytes()[:-8])
    if is_gone:
        place.unlink()

    again = Objects(lambda: pygit2.Repository(str(tmp_path)), tmp_path / ".git/objects")
    with pytest.raises(DamagedObjectError):
        Tree(again, tree.tree_id).check_folders()
