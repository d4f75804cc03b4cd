"""CHANGELOG.md after git's own commits: a process renews it that git does not wait for.

Mutants seen to fail here: the shell holds git's pipe open; two processes render at once; an edited view is overwritten
without a word; a working tree that has no views gets some; a command right after the commit finds the workspace busy.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from running_service import until

from clawgit.history.git.giving_way import SIGNAL
from clawgit.history.git.lock import is_locked
from clawgit.history.git.repository import History, open_history
from clawgit.history.reconcile import reconcile
from clawgit.history.views import render, renew_until_current, views_lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHANGELOG = "CHANGELOG.md"
RENEW = [sys.executable, "-m", "clawgit", "hooks", "run", "renew-views"]


def changelog(root: Path) -> str:
    return (root / CHANGELOG).read_text("utf-8")


def commit_soul(hooked, subject: str, *options: str, at: Path | None = None) -> None:
    """Commit a line of SOUL.md as a person does."""
    with ((at or hooked.root) / "SOUL.md").open("a") as file:
        file.write(f"- {subject}.\n")
    hooked.must("commit", "-q", "-a", "-m", subject, *options, at=at)


@contextmanager
def renewing_held(root: Path) -> Iterator[None]:
    """Be the one process that renews the views, so that those that git's hooks start leave it to this one."""
    with closing(os.fdopen(os.open(views_lock(open_history(root)), os.O_RDWR | os.O_CREAT, 0o600))) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _side_branch(hooked) -> None:
    hooked.must("switch", "-q", "-c", "side")
    commit_soul(hooked, "The sign")
    hooked.must("switch", "-q", "main")


def _amended(hooked) -> None:
    commit_soul(hooked, "Too hasty")
    commit_soul(hooked, "The sign", "--amend")


def _merged(hooked) -> None:
    _side_branch(hooked)
    hooked.unchecked("notes.md", "A note.\n")
    hooked.must("merge", "-q", "-m", "Merged", "side")


def _fast_forward(hooked) -> None:
    hooked.must("switch", "-q", "-c", "side")
    commit_soul(hooked, "The sign")
    hooked.must("switch", "-q", "main")
    hooked.must("merge", "-q", "--ff-only", "side")


def _reverted(hooked) -> None:
    commit_soul(hooked, "The sign")
    hooked.must("revert", "--no-edit", "HEAD")


def _switched(hooked) -> None:
    commit_soul(hooked, "The sign")
    hooked.must("switch", "-q", "-c", "side", "HEAD~1")
    hooked.must("switch", "-q", "main")


def _rebased(hooked) -> None:
    hooked.must("switch", "-q", "-c", "side")
    for number in range(6):
        commit_soul(hooked, f"The sign {number}")
    hooked.must("switch", "-q", "main")
    hooked.unchecked("notes.md", "A note.\n")
    hooked.must("switch", "-q", "side")
    hooked.must("rebase", "-q", "main")


def _committed(hooked) -> None:
    commit_soul(hooked, "The sign")


def _without_checks(hooked) -> None:
    commit_soul(hooked, "The sign", "--no-verify")


ACTS = [_committed, _without_checks, _amended, _merged, _fast_forward, _reverted, _switched, _rebased]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__.strip("_"))
def test_the_changelog_follows_what_git_does_without_a_service_or_a_command(hooked, act) -> None:
    act(hooked)

    def is_rendered() -> bool:
        history = open_history(hooked.root)
        return (hooked.root / CHANGELOG).read_bytes() == render(history, datetime.now(UTC))[CHANGELOG]

    until(lambda: "The sign" in changelog(hooked.root) and is_rendered())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shell", [name for name in ("sh", "dash", "bash") if shutil.which(name)])
def test_git_ends_and_its_pipes_close_before_the_views_are_renewed(room, hooked, shell) -> None:
    hook = hooked.root / ".git/hooks/post-commit"
    hook.write_text(hook.read_text().replace("#!/bin/sh", f"#!{shutil.which(shell)}", 1))
    with room.history.locked():  # nobody can renew them meanwhile
        commit_soul(hooked, "The sign")  # returns when nobody has what git prints to open any more
        until(lambda: is_locked(views_lock(room.history)))
        assert "The sign" not in changelog(hooked.root)

    until(lambda: "The sign" in changelog(hooked.root))


@pytest.mark.rest
def test_a_commit_made_while_another_waits_to_be_rendered_is_in_as_well(room, hooked) -> None:
    with room.history.locked():
        commit_soul(hooked, "The first sign")
        until(lambda: is_locked(views_lock(room.history)))
        commit_soul(hooked, "The second sign")

    until(lambda: "The second sign" in changelog(hooked.root))


@pytest.mark.rest
def test_only_one_process_renews_the_views_of_a_working_tree(hooked) -> None:
    before = changelog(hooked.root)
    with renewing_held(hooked.root):
        commit_soul(hooked, "The sign")
        subprocess.run(RENEW, cwd=hooked.root, check=True)
        assert changelog(hooked.root) == before

    subprocess.run(RENEW, cwd=hooked.root, check=True)  # ends at once where the hook's own process came first
    until(lambda: "The sign" in changelog(hooked.root))


@pytest.mark.rest
def test_a_look_that_fails_in_the_midst_of_gits_work_is_tried_again(hooked) -> None:
    (hooked.root / "SOUL.md").write_text("# The sign\n")
    hooked.must("-c", "core.hooksPath=/nowhere", "commit", "-q", "-a", "-m", "The sign")  # nobody else renews
    history = open_history(hooked.root)
    (history.state / SIGNAL).touch()
    looks = []

    def opened() -> History:
        looks.append(open_history(hooked.root))
        if len(looks) == 2:
            raise OSError("Git is writing.")
        return looks[-1]

    renew_until_current(opened)

    assert "The sign" in changelog(hooked.root)


@pytest.mark.rest
def test_hook_managers_that_call_the_program_have_the_views_renewed_too(hooked) -> None:
    (hooked.root / ".git/hooks/post-commit").unlink()
    commit_soul(hooked, "The sign")

    subprocess.run([*RENEW[:-1], "post-commit"], cwd=hooked.root, check=True, capture_output=True)

    until(lambda: "The sign" in changelog(hooked.root))


@pytest.mark.rest
def test_a_view_that_somebody_edited_is_left_to_a_command_that_says_so(hooked) -> None:
    (hooked.root / CHANGELOG).write_text("Mine.\n")
    commit_soul(hooked, "The sign")

    subprocess.run(RENEW, cwd=hooked.root, check=True)

    assert changelog(hooked.root) == "Mine.\n"


@pytest.mark.rest
def test_a_working_tree_without_views_gets_none(hooked, tmp_path) -> None:
    linked = tmp_path / "linked"
    hooked.must("worktree", "add", "-q", "-b", "side", str(linked))
    commit_soul(hooked, "Elsewhere", at=linked)

    subprocess.run(RENEW, cwd=linked, check=True)

    assert not (linked / CHANGELOG).exists()


@pytest.mark.rest
def test_a_workspace_that_is_removed_at_once_stays_removed(room, hooked) -> None:
    with room.history.locked():
        commit_soul(hooked, "The sign")
        place = views_lock(room.history)
        until(lambda: is_locked(place))
        with place.open() as lock:
            # that process may make a file between two steps of the removal
            until(lambda: shutil.rmtree(hooked.root, ignore_errors=True) or not hooked.root.exists())
            fcntl.flock(lock, fcntl.LOCK_EX)  # until that process has ended

    assert not hooked.root.exists()


def test_a_command_right_after_the_commit_waits_for_the_views(room, hooked) -> None:
    """Mutant: the workspace is busy for a moment, so the commit is looked at by the next command but one."""
    hooked.unchecked("notes.md", hooked.BAD)
    now = datetime.now(UTC)
    with ThreadPoolExecutor() as threads, renewing_held(hooked.root):
        with room.history.locked():
            later = threads.submit(reconcile, open_history(hooked.root), now, seconds=60)
            until(lambda: later.done() or is_locked(room.history.state / "queue"))

        assert later.result().arrivals.tip == hooked.must("rev-parse", "HEAD")
