"""A person's git that moves HEAD, the branch or the state while a change of clawgit's is on its way.

The change is stopped at one of its system calls, the person acts, the change goes on.

Mutants that these tests caught: the state is not looked at again under git's lock; nor the branch; nor before the
branch moves (a checkout gives the lock back before it moves HEAD); nor after that. The views are noted as those of the tip of
the moment after they were written.
"""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.repository import open_history
from clawgit.history.views import refresh_views, write_views
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY = "memory/2026-03-18.md"
OP = "op-under-test"
LINE = "- The host said this."
BEFORE_THE_LOCK = ("unlink", "clawgit/staging")
AFTER_THE_FILE = ("renameat", "2026-03-18.md")
AFTER_THE_BRANCH = ("rename", "refs/heads/main")


@pytest.fixture
def append_stopped(branches, stopped, start, work) -> Callable[..., list]:
    """Return a way to append a line to the day, stopped right after some of its calls, and to hear what it said."""
    return partial(stopped, lambda root: start(work.append, root, DAY, [LINE], OP), branches.root)


@pytest.fixture
def branches(room):
    """Return the workspace with a second branch on which the day reads otherwise at its end."""
    room.change({DAY: "- one\n- two\n- three\n"}, actor="operator")
    room.git("checkout", "-qb", "other")
    room.change({DAY: "- one\n- two\n- three\n- only there\n"}, actor="operator")
    room.git("checkout", "-q", "main")
    room.append("memory/learned.md", "- learned")
    return room


def test_a_rebase_that_begins_before_the_lock_is_taken_is_left_alone(branches, append_stopped, sound):
    """Not even for a moment does the line stand in a file."""
    room = branches
    before, file = room.head(), (room.root / DAY).stat().st_ino

    def rebase() -> None:
        subprocess.run(
            [
                "git",
                "-c",
                "user.name=Ada",
                "-c",
                "user.email=ada@example.org",
                "rebase",
                "-q",
                "-i",
                "HEAD~1",
            ],
            cwd=room.root,
            env={**os.environ, "GIT_SEQUENCE_EDITOR": "sed -i s/pick/edit/", "GIT_EDITOR": "true"},
            check=True,
            capture_output=True,
        )

    (said,) = append_stopped((BEFORE_THE_LOCK, rebase))

    assert said.kind == "RepositoryStateError"
    assert "rebase is not finished, so nothing was changed" in said.message
    assert room.git("status", "--porcelain") == ""
    assert (room.root / DAY).stat().st_ino == file
    room.git("rebase", "--abort")
    assert room.head() == before
    assert room.read(DAY) == "- one\n- two\n- three\n"
    sound.check(room.root)


def test_a_merge_that_begins_before_the_lock_is_taken_is_left_alone(branches, append_stopped):
    room = branches
    before = room.head()

    (said,) = append_stopped(
        (BEFORE_THE_LOCK, lambda: room.git("merge", "-q", "--no-commit", "--no-ff", "other"))
    )

    assert said.kind == "RepositoryStateError"
    assert "merge is not finished, so nothing was changed" in said.message
    assert room.head() == before
    assert room.read(DAY) == "- one\n- two\n- three\n- only there\n"
    room.git("commit", "-q", "--no-edit")
    assert LINE not in room.shown(DAY)


def test_a_person_who_switches_before_the_lock_is_taken_has_the_change_where_they_went(
    branches, append_stopped, sound
):
    room = branches
    before = room.head()

    (said,) = append_stopped((BEFORE_THE_LOCK, lambda: room.git("checkout", "-q", "other")))

    assert said == room.git("rev-parse", "other")
    assert room.git("rev-parse", "main") == before
    assert "- only there\n- The host said this." in room.read(DAY)
    sound.check(room.root)


@pytest.mark.smoke
def test_a_person_who_commits_before_the_lock_is_taken_loses_nothing(branches, append_stopped, sound):
    room = branches

    def commit() -> None:
        room.write(DAY, "- one\n- two\n- three\n- Ada was here.\n")
        room.git("commit", "-qam", "mine")

    (said,) = append_stopped((BEFORE_THE_LOCK, commit))

    assert said == room.head()
    assert "- Ada was here.\n- The host said this." in room.shown(DAY)
    assert room.git("log", "-1", "--format=%s", "HEAD^") == "mine"
    sound.check(room.root)


def test_a_branch_that_somebody_moves_while_the_lock_is_held_keeps_their_commit(
    branches, append_stopped, sound
):
    """What needs no staging needs no lock: a push, a fetch, `git update-ref`."""
    room = branches
    theirs = []

    def commit() -> None:
        tree = room.git("rev-parse", "HEAD^{tree}")
        theirs.append(room.git("commit-tree", tree, "-p", "HEAD", "-m", "theirs"))
        room.git("update-ref", "refs/heads/main", theirs[0])

    (said,) = append_stopped((AFTER_THE_FILE, commit))

    assert said == room.head()
    assert room.git("rev-parse", "HEAD^") == theirs[0]
    assert room.read(DAY).count(LINE) == 1
    sound.check(room.root)


def test_a_branch_that_moved_with_an_error_and_that_somebody_committed_on_is_not_moved_twice(
    branches, append_stopped, sound
):
    """The disk fails once the branch has its new value; before clawgit looks, somebody has gone on from there."""
    room = branches

    def commit() -> None:
        tree = room.git("rev-parse", "HEAD^{tree}")
        room.git("update-ref", "refs/heads/main", room.git("commit-tree", tree, "-p", "HEAD", "-m", "theirs"))

    (said,) = append_stopped((AFTER_THE_BRANCH, commit), failing=("fsync", ".git/refs/heads>"))

    assert said == room.git("rev-parse", "HEAD^")
    assert sound.times(room.root, OP) == 1
    assert room.read(DAY).count(LINE) == 1
    sound.check(room.root)


def to_the_other_tree(room) -> None:
    """Do what `git checkout other` does while it holds git's lock: staging and files."""
    room.git("update-index", "-q", "--refresh")
    room.git("read-tree", "-m", "-u", "HEAD", "other")


def to_the_other_branch(room) -> None:
    """Do what `git checkout other` does once it gave the lock back."""
    room.git("symbolic-ref", "HEAD", "refs/heads/other")


def test_a_checkout_that_has_not_moved_head_yet_is_noticed_before_the_branch_moves(
    branches, append_stopped, sound
):
    room = branches
    before = room.head()

    (said,) = append_stopped(
        (BEFORE_THE_LOCK, lambda: to_the_other_tree(room)),
        (AFTER_THE_FILE, lambda: to_the_other_branch(room)),
    )

    assert room.git("rev-parse", "main") == before
    assert said == room.git("rev-parse", "other")
    assert room.read(DAY).count(LINE) == 1
    sound.check(room.root)


def test_a_checkout_that_moves_head_after_the_branch_moved_leaves_the_line_on_the_branch_it_is_for(
    branches, append_stopped, sound
):
    room = branches

    (said,) = append_stopped(
        (BEFORE_THE_LOCK, lambda: to_the_other_tree(room)),
        (AFTER_THE_BRANCH, lambda: to_the_other_branch(room)),
    )

    assert said == room.git("rev-parse", "main")
    assert LINE in room.shown(DAY, "main")
    assert room.read(DAY) == "- one\n- two\n- three\n- only there\n"
    sound.check(room.root)


def test_nothing_says_that_nothing_was_changed_once_the_branch_has_moved(branches):
    """A staging that cannot be locked any more, after the edit that was kept first."""
    room = branches
    room.write("memory/hers.md", "- hers\n")
    room.keep()
    room.write("memory/hers.md", "- hers\n- more\n")
    hook = room.root / ".git/index.lock"

    def refuse(tree):
        if b"more" in (tree.read("memory/hers.md") or b""):
            hook.touch()
        return Plan("test", (Edit("memory/hers.md", b"- hers\n- more\n- mine\n"),))

    room.history.settings = room.history.settings._replace(lock_wait_seconds=0)
    before = room.head()
    with pytest.raises(WorkspaceBusyError) as refusal:
        apply_plan(room.history, refuse, Intent(new_op(), "memory-miner", room.now))

    assert room.git("rev-parse", "HEAD^") == before
    assert "nothing was changed" not in str(refusal.value)
    assert room.head()[:12] in str(refusal.value)


def write_the_views(say: Any, wait: Any, root: Path) -> None:
    history = open_history(root)
    wait()
    with history.locked():
        write_views(history, datetime.now(UTC))
    say("written")


def test_a_commit_made_while_the_views_are_written_is_rendered_by_the_next_look(room, stopped, start):
    def commit(words: str) -> None:
        with (room.root / "SOUL.md").open("a") as file:
            file.write(f"- {words}.\n")
        room.git("commit", "-qam", words)

    commit("Too hasty")
    after_the_file = (("renameat", "CHANGELOG.md"), lambda: commit("The sign"))

    assert stopped(lambda root: start(write_the_views, root), room.root, after_the_file) == ["written"]
    assert "The sign" not in (room.root / "CHANGELOG.md").read_text("utf-8")

    with room.history.locked():
        assert refresh_views(open_history(room.root), datetime.now(UTC)) == ()

    assert "The sign" in (room.root / "CHANGELOG.md").read_text("utf-8")
