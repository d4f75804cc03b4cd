"""An index that is none any more is named so, whatever its bytes make of it."""

from __future__ import annotations

import os

import pytest

from clawgit.history.git.index_entries import (
    DamagedIndexError,
    UnusualIndexError,
    look_through,
    read_index,
)
from clawgit.history.git.objects import TreeEntry
from clawgit.history.workspace_status import is_clean


@pytest.mark.parametrize("version", [2, 4])
def test_an_index_cut_anywhere_is_unreadable_where_no_checksum_says_so(room, version: int) -> None:
    """`index.skipHash` writes zeros in the place of the checksum. Mutant: what the parser meets comes through."""
    room.write("memory/x.md", "- x\n")
    room.keep()
    room.git("update-index", f"--index-version={version}", "--force-write-index")
    index = room.root / ".git/index"
    data = index.read_bytes()
    found = set()

    for length in range(len(data) - 20):
        index.write_bytes(data[:length] + bytes(20))
        try:
            read_index(index.read_bytes())
        except (DamagedIndexError, UnusualIndexError):
            found.add(is_clean(room.history, room.history.tip()))

    assert found == {False}


NAMES = ("a", "a-b", "a/b", "a/b/c", "a/b0", "b/" + "n" * 5000, "deep/er/x", "deep/x", "ü/x")
CHANGES = (
    pytest.param({"a/b/c": "put", "deep/x": "put"}, id="others in their place"),
    pytest.param({"a/b0": None, "deep/er/x": None}, id="out"),
    pytest.param({"a/a": "put", "b/m": "put", "zz/new": "put"}, id="new"),
    pytest.param({"a": "put"}, id="a file where a folder was"),
    pytest.param({"a-b/x": "put", "a/b/c": None}, id="a folder where a file was"),
    pytest.param({"b/" + "n" * 5000: "put", "b/" + "n" * 4999: "put"}, id="names longer than their field"),
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("kind", ["2", "4", "with flags"])
def test_an_index_with_other_entries_is_as_git_makes_it(room, kind: str, changes) -> None:
    """Mutants: the noted trees are left as they were; a folder stays below a file."""
    room.write("x", "x\n")
    room.write("y", "y\n")
    blob, other = room.git("hash-object", "-w", "x", "y").split()
    room.git("read-tree", "--empty")
    for name in NAMES:
        if not any(each.startswith(f"{name}/") for each in NAMES):
            room.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    room.git("write-tree")
    if kind == "with flags":
        room.git("update-index", "--skip-worktree", "deep/er/x")
    else:
        room.git("update-index", "--force-write-index", "--index-version", kind)
    index = room.root / ".git/index"
    before = look_through(index.read_bytes())
    entries = {"put": TreeEntry(other, 0o100755)}
    wanted = {os.fsencode(name): entries.get(change) for name, change in changes.items()}
    made = before.with_entries(wanted)

    for name, entry in wanted.items():
        if entry is None:
            room.git("update-index", "--force-remove", os.fsdecode(name))
    for name, entry in wanted.items():
        if entry is not None:
            room.git(
                "update-index", "--add", "--replace", "--cacheinfo", f"100755,{other},{os.fsdecode(name)}"
            )
    gits = room.git("ls-files", "--stage", "-t"), room.git("write-tree")
    index.write_bytes(made.data)
    again = look_through(made.data)

    assert (room.git("ls-files", "--stage", "-t"), room.git("write-tree")) == gits
    assert (again.starts, again.end) == (made.starts, made.end)
