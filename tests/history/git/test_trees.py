"""The trees that clawgit builds against those of git."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pygit2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.history.git.objects import Objects
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
