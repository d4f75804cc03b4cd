"""What the operator staged stays staged, whatever a change makes of the same file.

Mutants seen to fail here: every path follows, whoever staged something there.
"""

from __future__ import annotations

import pytest

from clawgit.errors import ClawgitError

DAY = "memory/2026-03-18.md"


@pytest.fixture(params=["2", "4"], ids=["plain", "names cut short"])
def staged(request, room):
    """Return a workspace where the operator staged other words for a file than it has; git's index in two kinds."""
    room.change({DAY: "- one\n", "notes.md": "- a\n"}, actor="operator")
    room.git("update-index", "--index-version", request.param)
    room.write(DAY, "- one\n- staged\n")
    room.git("add", DAY)
    room.write(DAY, "- one\n")
    return room


def in_index(room, path: str) -> str:
    return room.git("show", f":{path}")


def test_what_is_staged_stays_beside_a_change_of_the_same_file(staged) -> None:
    staged.append(DAY, "- two")

    assert in_index(staged, DAY) == "- one\n- staged"
    assert staged.git("show", f"HEAD:{DAY}") == "- one\n- two"


def test_what_is_staged_stays_beside_the_end_of_the_file(staged) -> None:
    staged.change({DAY: None}, actor="operator")

    assert in_index(staged, DAY) == "- one\n- staged"


def test_what_nobody_staged_follows(staged) -> None:
    staged.append("notes.md", "- b")

    assert in_index(staged, "notes.md") == "- a\n- b"


def test_a_new_file_that_was_staged_stays_as_it_was_staged(staged) -> None:
    staged.write("new.md", "hers\n")
    staged.git("add", "new.md")
    (staged.root / "new.md").unlink()

    staged.append("new.md", "- ours")

    assert in_index(staged, "new.md") == "hers"


@pytest.mark.parametrize("version", ["2", "4"])
def test_a_change_leaves_git_clean_with_any_version(room, version: str) -> None:
    room.git("update-index", "--index-version", version)

    room.change({"memory/a.md": "x\n", "USER.md": None})

    assert room.git("status", "--porcelain") == ""
    assert room.git("diff", "--cached", "--name-only") == ""


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="emptied"),
        pytest.param(lambda data: data[:100], id="cut"),
        pytest.param(lambda data: data[:80] + bytes([data[80] ^ 255]) + data[81:], id="another byte"),
        pytest.param(lambda data: data[:100] + bytes(20), id="cut, without a checksum"),
    ],
)
def test_a_damaged_index_is_made_anew(room, damage) -> None:
    """Mutant: only a wrong checksum is damage."""
    index = room.root / ".git/index"
    index.write_bytes(damage(index.read_bytes()))

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


def test_what_was_said_of_another_entry_stays(room) -> None:
    room.change({"memory/a.md": "x\n", "memory/b.md": "y\n"})
    room.git("update-index", "--refresh")
    room.git("update-index", "--assume-unchanged", "memory/b.md")
    before = room.git("ls-files", "--debug", "memory/b.md")

    room.change({"memory/a.md": "z\n"})

    assert room.git("ls-files", "-v", "memory/b.md") == "h memory/b.md"
    assert room.git("ls-files", "--debug", "memory/b.md") == before


def test_a_change_leaves_no_other_entry_out(room) -> None:
    """Names of every length: an entry is as long as its name, filled up to a multiple of eight."""
    files = {f"memory/{'n' * length}.md": f"- {length}\n" for length in (1, 2, 3, 4, 5, 6, 7, 8, 9, 200)}
    room.change(files)
    room.change({"memory/deep/er/a.md": "x\n", "memory/n.md": None})

    wanted = sorted({*files, "memory/deep/er/a.md"} - {"memory/n.md"})
    assert room.git("ls-files", "memory/n*", "memory/deep").split() == wanted
    assert room.git("write-tree") == room.git("rev-parse", "HEAD^{tree}")


def test_a_split_index_is_refused(room) -> None:
    room.git("update-index", "--split-index")

    with pytest.raises(ClawgitError, match="split or sparse"):
        room.append("memory/n.md", "- one")

    assert not (room.root / "memory/n.md").exists()
