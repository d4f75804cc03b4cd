"""What the index remembers of its folders' trees after a change of ours, against what git itself works out.

Mutants seen to fail here: a folder stays known although something else was staged in it, or beside it what changed; a new
folder is left out below a known one; one that is gone stays; files are miscounted; nothing is known after a change.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pygit2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.history.git.objects import Objects
from clawgit.history.git.trees import Tree
from clawgit.history.transaction.cached_trees import _Folder, _parsed, followed, trees_of
from clawgit.history.transaction.index_file import CACHED_TREES, HEADER, IndexFile, extensions

if TYPE_CHECKING:
    from pathlib import Path

BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
PATHS = st.sampled_from(["a", "b/a", "b/b", "b/c/a", "b/c/b", "d/a", "d/e/f/a", "d/e/f/b", "ee/a", "f/a"])
STATES = st.sets(PATHS, min_size=1)


def git(root: Path, *arguments: str, text: str = "") -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True, input=text.encode())
    return done.stdout.decode().strip()


def tree_of(root: Path, paths: set[str]) -> str:
    """Make the index hold exactly these empty files, and have git remember all trees."""
    git(root, "read-tree", "--empty")
    git(
        root,
        "update-index",
        "--index-info",
        text="".join(f"100644 {BLOB}\t{path}\n" for path in sorted(paths)),
    )
    return git(root, "write-tree")


def remembered(data: bytes) -> dict[str, tuple[int, str]]:
    """Return folder → number of files and tree, of those that are known."""
    at = HEADER.size + sum(map(len, IndexFile(data)._entries))
    raw = next((content for name, content in extensions(data, at) if name == CACHED_TREES), b"")
    found: dict[str, tuple[int, str]] = {}

    def look(folder: _Folder, path: str) -> None:
        if folder.files >= 0:
            found[path] = (folder.files, folder.object_id.hex())
        for below in folder.below:
            look(below, f"{path}/{below.name.decode()}")

    if raw:
        look(_parsed(raw, 0)[0], "")
    return found


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> Path:
    root: Path = tmp_path_factory.mktemp("repository")
    git(root, "init", "-q")
    git(root, "hash-object", "-w", "--stdin")
    return root


def changed(
    root: Path, before: set[str], after: set[str], staged: set[str], *, looked_at: bool
) -> tuple[bytes, bytes]:
    """Return the index after a change of ours on top of what somebody staged, as ours and as git makes it."""
    repo = pygit2.Repository(str(root))
    objects = Objects(lambda: repo, root / ".git/objects")
    new = Tree(objects, tree_of(root, after))
    old = Tree(objects, tree_of(root, before))
    for path in staged:
        git(root, "update-index", "--add", "--cacheinfo", f"100755,{BLOB},{path}")
    if looked_at:
        git(root, "write-tree")
    index = IndexFile((root / ".git/index").read_bytes())
    index.goes(old, new)
    for path in new.changed(old):
        if path not in staged:
            index.put(path.encode(), new.entry(path))
    ours = index.data()
    (root / ".git/index").write_bytes(ours)
    wanted = git(root, "ls-files", "-s")
    assert git(root, "write-tree")
    git(root, "read-tree", "--empty")
    git(root, "update-index", "--index-info", text=wanted + "\n" if wanted else "")
    git(root, "write-tree")
    return ours, (root / ".git/index").read_bytes()


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=STATES, after=STATES, staged=st.sets(PATHS, max_size=2), looked_at=st.booleans())
def test_what_is_known_is_what_git_works_out(repository, before, after, staged, looked_at) -> None:
    ours, gits = changed(repository, before, after, staged, looked_at=looked_at)

    known, right = remembered(ours), remembered(gits)

    assert known.items() <= right.items()
    for folder in known:  # git takes what is below a known folder for known
        assert {path for path in right if path.startswith(folder + "/")} <= known.keys()
    if not staged:
        assert known == right


def test_what_did_not_follow_is_known_no_more(repository) -> None:
    """The index knows the old state, and nothing was put in: it may hold anything."""
    repo = pygit2.Repository(str(repository))
    objects = Objects(lambda: repo, repository / ".git/objects")
    new, old = (Tree(objects, tree_of(repository, paths)) for paths in ({"a", "b/a", "b/b"}, {"a", "b/a"}))

    folder, _ = _parsed(followed(trees_of(old), old, new, ()), 0)

    assert [folder.files, folder.below[0].files] == [-1, -1]


def test_an_index_made_from_a_tree_knows_all_of_it(repository) -> None:
    tree_id = tree_of(repository, {"a", "b/a", "b/c/a", "d/e/f/a"})
    repo = pygit2.Repository(str(repository))
    raw = trees_of(Tree(Objects(lambda: repo, repository / ".git/objects"), tree_id))

    gits = remembered((repository / ".git/index").read_bytes())
    assert _parsed(raw, 0)[0].object_id.hex() == gits[""][1]
    data = (repository / ".git/index").read_bytes()
    assert raw in data


def test_git_needs_no_look_at_the_folders_after_a_change(room) -> None:
    room.git("write-tree")
    room.change({"memory/a.md": "x\n", "memory/new/b.md": "y\n", "USER.md": None})

    known = remembered((room.root / ".git/index").read_bytes())

    assert known[""][1] == room.git("rev-parse", "HEAD^{tree}")
    assert room.git("write-tree") == room.git("rev-parse", "HEAD^{tree}")
    assert room.git("status", "--porcelain") == ""
    room.git("fsck", "--full", "--strict")
    room.write("memory/a.md", "z\n")
    room.git("commit", "-qam", "hers")
    assert room.git("show", "--format=", "--name-only") == "memory/a.md"


def test_what_somebody_staged_is_committed_with_the_next_commit_of_theirs(room) -> None:
    room.write("memory/draft.md", "draft\n")
    room.git("add", "memory/draft.md")
    room.change({"memory/a.md": "x\n"})

    room.git("commit", "-qm", "hers")

    assert room.git("show", "--format=", "--name-only") == "memory/draft.md"
    assert room.shown("memory/a.md") == "x\n"
