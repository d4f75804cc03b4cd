"""What the operator staged stays staged, whatever a change makes of the same file.

Mutants seen to fail here: every path follows, whoever staged something there; in an index that only libgit2 reads.
"""

from __future__ import annotations

import pytest

DAY = "memory/2026-03-18.md"


@pytest.fixture(params=["2", "4"], ids=["plain", "only libgit2 reads it"])
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
