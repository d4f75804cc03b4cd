"""A branch moves from where it was read to the new commit, or not at all.

Mutants seen to fail here: git's logs get no line, or one without the zone; HEAD's log gets one for a branch that is not
checked out; a log that is not wanted is begun; the lock of somebody else is taken for none; the lock stays; through
libgit2, a branch moves wherever it is; the branch is not read again after an error; an empty lock is a leftover at once.
"""

from __future__ import annotations

import os
import re
import time
from threading import Event, Thread, Timer

import pytest

from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.refs import delete_ref, move_branch, remove_leftover_lock, remove_leftover_locks
from clawgit.history.git.repository import open_history

MAIN = "refs/heads/main"
OURS = "refs/clawgit/rescue/x"


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


def logs(room) -> list[str]:
    """Return the last line of the branch's log and of HEAD's, without the moment."""
    found = []
    for name in (MAIN, "HEAD"):
        line = (room.root / ".git/logs" / name).read_text().splitlines()[-1]
        found.append(re.sub(r"> \d+ ", "> ", line))
    return found


def test_gits_logs_say_it_as_libgit2_has_it(room) -> None:
    old, ours = room.head(), commit(room, "ours", room.head())
    room.git("config", "user.name", "Ada")
    room.git("config", "user.email", "ada@example.org")
    reference = room.history.repo.references.get(MAIN)
    reference.set_target(ours, "clawgit")
    theirs = logs(room)
    room.git("update-ref", MAIN, old)

    assert move_branch(room.history, MAIN, old, ours)

    assert logs(room) == theirs
    assert room.git("reflog", "-1", "--format=%gs %gn") == "clawgit Ada"
    assert not (room.root / f".git/{MAIN}.lock").exists()


def test_the_log_of_head_is_about_the_branch_that_is_checked_out(room) -> None:
    room.git("branch", "other")
    before = (room.root / ".git/logs/HEAD").read_text()

    assert move_branch(room.history, "refs/heads/other", room.head(), commit(room, "ours", room.head()))

    assert (room.root / ".git/logs/HEAD").read_text() == before
    assert room.git("reflog", "-1", "--format=%gs", "other") == "clawgit"


def test_where_no_logs_are_wanted_none_is_begun(room) -> None:
    room.git("config", "core.logAllRefUpdates", "false")
    (room.root / ".git/logs" / MAIN).unlink()

    assert move_branch(room.history, MAIN, room.head(), commit(room, "ours", room.head()))

    assert not (room.root / ".git/logs" / MAIN).exists()


@pytest.mark.parametrize("packed", [False, True])
def test_a_branch_that_somebody_holds_is_waited_for_and_stays(room, packed) -> None:
    if packed:
        room.git("pack-refs", "--all")
    room.history.settings = room.history.settings._replace(lock_wait_seconds=0)
    old, lock = room.head(), room.root / f".git/{MAIN}.lock"
    lock.touch()

    with pytest.raises(WorkspaceBusyError, match="holds"):
        move_branch(room.history, MAIN, old, commit(room, "ours", old))

    assert room.head() == old
    lock.unlink()
    assert move_branch(room.history, MAIN, old, commit(room, "ours", old))


def test_a_branch_whose_file_git_packed_away_moves_in_the_same_way(room) -> None:
    room.git("pack-refs", "--all")
    ours = commit(room, "ours", room.head())

    assert move_branch(room.history, MAIN, room.head(), ours)

    assert room.head() == ours
    assert room.git("reflog", "-1", "--format=%gs", "main") == "clawgit"


def test_a_git_that_packs_references_is_waited_for_before_one_of_ours_goes(room) -> None:
    room.git("update-ref", OURS, "HEAD")
    room.git("pack-refs", "--all")
    lock = room.root / ".git/packed-refs.lock"
    lock.touch()
    later = Timer(0.1, lock.unlink)
    later.start()

    delete_ref(room.history, OURS)

    later.join()
    assert room.git("for-each-ref", OURS) == ""


@pytest.fixture
def beside(room, tmp_path):
    """Return another working tree of the repository: libgit2 moves the branches there."""
    room.git("worktree", "add", "-q", "-b", "beside", str(tmp_path / "beside"))
    history = open_history(tmp_path / "beside")
    assert not history.is_ordinary
    return history


def test_libgit2_leaves_a_branch_where_somebody_moved_it(room, beside) -> None:
    read = room.head()
    theirs = commit(room, "theirs", read)
    room.git("update-ref", "refs/heads/beside", theirs)

    assert not move_branch(beside, "refs/heads/beside", read, commit(room, "ours", read))

    assert room.git("rev-parse", "beside") == theirs


def test_libgit2_moves_a_branch_that_stands_where_it_was_read(room, beside) -> None:
    ours = commit(room, "ours", room.head())

    assert move_branch(beside, "refs/heads/beside", room.head(), ours)

    assert room.git("rev-parse", "beside") == ours


@pytest.mark.parametrize("on_top", ["ours", "theirs", "ours itself"])
def test_after_an_error_the_branch_says_whether_it_moved(room, on_top: str) -> None:
    read = room.head()
    commits = {"ours": commit(room, "ours", read), "theirs": commit(room, "theirs", read)}
    name = on_top.split(maxsplit=1)[0]
    there = commits[name] if "itself" in on_top else commit(room, "on top", commits[name])
    room.git("update-ref", MAIN, there)
    lock = room.root / f".git/{MAIN}.lock"
    lock.write_text("")  # whoever committed on top of it is not done yet

    assert move_branch(room.history, MAIN, read, commits["ours"]) is (name == "ours")

    assert lock.exists()
    lock.unlink()
    assert room.head() == there


def test_an_empty_lock_that_somebody_is_still_at_is_no_leftover(room) -> None:
    lock = room.root / f".git/{MAIN}.lock"
    lock.write_text("")
    is_over = Event()

    def go_on() -> None:
        while not is_over.wait(0.01):
            os.utime(lock, ns=(time.time_ns(), time.time_ns()))

    holder = Thread(target=go_on)
    holder.start()
    try:
        remove_leftover_lock(room.history, MAIN, room.head())
        assert lock.exists()
    finally:
        is_over.set()
        holder.join()
    os.utime(lock, (0, 0))
    remove_leftover_lock(room.history, MAIN, room.head())
    assert not lock.exists()


def test_a_lock_that_holds_another_commit_is_no_leftover(room) -> None:
    lock = room.root / f".git/{MAIN}.lock"
    lock.write_text("0" * 40)
    os.utime(lock, (0, 0))

    remove_leftover_lock(room.history, MAIN, room.head())
    assert lock.exists()


def test_a_folder_with_the_name_of_a_lock_and_one_that_vanishes_stop_nothing(room) -> None:
    """Seen: `git pack-refs` removes emptied folders meanwhile, and the command failed."""
    ours = room.root / ".git/refs/clawgit/past"
    (ours / "x.lock").mkdir(parents=True)
    (ours / "y.lock").write_text("")
    is_over = Event()

    def make_and_remove() -> None:
        while not is_over.is_set():
            for number in range(20):
                (ours / f"{number}/a").mkdir(parents=True)
            for number in range(20):
                (ours / f"{number}/a").rmdir()
                (ours / f"{number}").rmdir()

    other = Thread(target=make_and_remove)
    other.start()
    try:
        for _ in range(200):
            remove_leftover_locks(room.history)
    finally:
        is_over.set()
        other.join()

    assert [path.name for path in ours.iterdir()] == ["x.lock"]
