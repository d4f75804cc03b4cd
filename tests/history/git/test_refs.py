"""A branch moves from where it was read to the new commit, or not at all."""

from __future__ import annotations

from clawgit.history.git.refs import move_branch

MAIN = "refs/heads/main"


def commit(room, message: str, parent: str) -> str:
    return room.git("commit-tree", f"{parent}^{{tree}}", "-p", parent, "-m", message)


def test_a_branch_that_somebody_moved_since_stays_where_they_moved_it(room) -> None:
    read = room.head()
    theirs = commit(room, "theirs", read)
    room.git("update-ref", MAIN, theirs)

    assert not move_branch(room.history, MAIN, read, commit(room, "ours", read))

    assert room.head() == theirs


def test_a_branch_that_somebody_made_since_stays_as_they_made_it(room) -> None:
    theirs = room.head()

    assert not move_branch(room.history, MAIN, None, commit(room, "ours", theirs))

    assert room.head() == theirs


def test_a_branch_that_stands_where_it_was_read_moves(room) -> None:
    ours = commit(room, "ours", room.head())

    assert move_branch(room.history, MAIN, room.head(), ours)

    assert room.head() == ours
