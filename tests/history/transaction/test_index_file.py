"""The index that clawgit writes against the one that git writes."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.history.git.index_entries import ConflictedIndexError, DamagedIndexError, UnusualIndexError
from clawgit.history.git.objects import TreeEntry
from clawgit.history.transaction.index_file import IndexFile, present_index

if TYPE_CHECKING:
    from pathlib import Path

EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
NAMES = st.text(alphabet="ab/-.é", min_size=1, max_size=12).filter(
    lambda name: not any(part in ("", ".", "..") for part in name.split("/"))
)


def git(root: Path, *arguments: str, text: str = "") -> str:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "core.quotePath=false"]
    done = subprocess.run(
        ["git", *who, *arguments], cwd=root, capture_output=True, check=True, input=text.encode()
    )
    return done.stdout.decode()


def staged(root: Path) -> list[str]:
    return git(root, "ls-files", "--stage").splitlines()


def without_clashes(names: set[str]) -> set[str]:
    return {name for name in names if not any(other.startswith(name + "/") for other in names)}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for name in ("a.md", "memory/b.md", "memory/deep/c.md", "z/d.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "all")
    return tmp_path


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=st.sets(NAMES, max_size=8), put=st.sets(NAMES, max_size=5), gone=st.sets(NAMES, max_size=5))
def test_git_reads_what_was_put_and_taken_out(tmp_path_factory, before, put, gone) -> None:
    root = tmp_path_factory.mktemp("index")
    git(root, "init", "-q")
    git(root, "hash-object", "-w", "--stdin")
    clean = without_clashes(before | put)
    before, put = before & clean, put & clean
    git(
        root,
        "update-index",
        "--index-info",
        text="".join(f"100644 {EMPTY_BLOB}\t{n}\n" for n in sorted(before)),
    )
    git(root, "write-tree")  # caches the folders' trees in the index
    index = IndexFile((root / ".git/index").read_bytes()) if before else None
    if index is None:
        return
    for name in put:
        index.put(name.encode(), TreeEntry(EMPTY_BLOB, 0o100755))
    for name in gone - put:
        index.put(name.encode(), None)
    (root / ".git/index").write_bytes(index.data())

    wanted = {name: "100755" if name in put else "100644" for name in (before | put) - (gone - put)}
    assert staged(root) == [
        f"{wanted[name]} {EMPTY_BLOB} 0\t{name}" for name in sorted(wanted, key=lambda name: name.encode())
    ]
    tree = git(root, "write-tree").strip()
    listed = git(root, "ls-tree", "-r", "--name-only", tree).splitlines()
    assert sorted(listed) == sorted(wanted)


def test_other_entries_keep_their_dates(repository: Path) -> None:
    before = git(repository, "ls-files", "--debug", "a.md")
    index = IndexFile((repository / ".git/index").read_bytes())
    index.put(b"z/d.md", TreeEntry(EMPTY_BLOB, 0o100644))
    (repository / ".git/index").write_bytes(index.data())

    assert git(repository, "ls-files", "--debug", "a.md") == before


def test_a_whole_index_can_be_made_from_nothing(repository: Path) -> None:
    entries = [line.split() for line in staged(repository)]
    whole = staged(repository)
    git(repository, "read-tree", "--empty")
    index = IndexFile((repository / ".git/index").read_bytes())
    for mode, object_id, _, name in entries:
        index.put(name.encode(), TreeEntry(object_id, int(mode, 8)))
    (repository / ".git/index").write_bytes(index.data())

    assert staged(repository) == whole
    assert git(repository, "status", "--porcelain") == ""


def test_what_was_said_of_another_entry_stays(repository: Path) -> None:
    git(repository, "update-index", "--assume-unchanged", "z/d.md")
    index = IndexFile((repository / ".git/index").read_bytes())
    index.put(b"a.md", TreeEntry(EMPTY_BLOB, 0o100644))
    (repository / ".git/index").write_bytes(index.data())

    assert git(repository, "ls-files", "-v", "z/d.md") == "h z/d.md\n"


def test_an_index_that_git_replaced_is_read_again(repository: Path) -> None:
    path = repository / ".git/index"
    before = present_index(path).object_id(b"a.md")
    (repository / "a.md").write_text("other")
    git(repository, "add", "a.md")

    assert present_index(path).object_id(b"a.md") not in (before, None)


def test_names_of_every_length_are_found(tmp_path: Path) -> None:
    """An entry is as long as its name, filled up to a multiple of eight."""
    git(tmp_path, "init", "-q")
    names = ["n" * length for length in range(1, 40)]
    listed = "".join(f"100644 {EMPTY_BLOB}\t{name}\n" for name in names)
    git(tmp_path, "update-index", "--index-info", text=listed)

    index = IndexFile((tmp_path / ".git/index").read_bytes())

    assert [index.object_id(name.encode()) for name in names] == [EMPTY_BLOB] * len(names)
    assert index.object_id(b"n" * 40) is None


def test_long_names_are_found(repository: Path) -> None:
    name = "x/" * 2000 + "y.md"
    index = IndexFile((repository / ".git/index").read_bytes())
    index.put(name.encode(), TreeEntry(EMPTY_BLOB, 0o100644))

    again = IndexFile(index.data())

    assert again.object_id(name.encode()) == EMPTY_BLOB
    assert again.object_id(b"z/d.md") is not None


def test_a_conflict_is_noticed(repository: Path) -> None:
    info = f"0 {'0' * 40}\ta.md\n100644 {EMPTY_BLOB} 1\ta.md\n100644 {EMPTY_BLOB} 2\ta.md\n"
    git(repository, "hash-object", "-w", "--stdin")
    git(repository, "update-index", "--index-info", text=info)

    with pytest.raises(ConflictedIndexError):
        IndexFile((repository / ".git/index").read_bytes())


def test_damage_is_noticed(repository: Path) -> None:
    data = bytearray((repository / ".git/index").read_bytes())
    data[40] ^= 1

    with pytest.raises(DamagedIndexError):
        IndexFile(bytes(data))


def test_what_only_git_knows_is_left_to_git(repository: Path) -> None:
    git(repository, "update-index", "--index-version", "4")

    with pytest.raises(UnusualIndexError):
        IndexFile((repository / ".git/index").read_bytes())


@pytest.mark.parametrize("version", ["2", "4"])
def test_a_change_leaves_git_clean_with_any_version(room, version: str) -> None:
    room.git("update-index", "--index-version", version)

    room.change({"memory/a.md": "x\n", "USER.md": None})

    assert room.git("status", "--porcelain") == ""
    assert room.git("diff", "--cached", "--name-only") == ""


def test_a_damaged_index_is_made_anew(room) -> None:
    index = room.root / ".git/index"
    index.write_bytes(index.read_bytes()[:100])

    room.change({"memory/a.md": "x\n"})

    assert room.git("status", "--porcelain") == ""


def test_an_intent_to_add_survives(room) -> None:
    room.write("draft.md", "draft\n")
    room.git("add", "-N", "draft.md")

    room.change({"memory/a.md": "x\n"})

    assert room.git("status", "--porcelain") == "A draft.md"


def test_an_index_without_a_checksum_is_not_damaged(room) -> None:
    """`index.skipHash` writes zeros: what is staged was once taken for damaged and dropped."""
    room.write("staged.md", "staged\n")
    room.git("add", "staged.md")
    index = room.root / ".git/index"
    index.write_bytes(index.read_bytes()[:-20] + bytes(20))

    room.change({"memory/a.md": "a\n"})

    assert room.git("diff", "--cached", "--name-only") == "staged.md"
