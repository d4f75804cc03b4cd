"""What becomes of a change that was interrupted: an intent that is there, and files that read so or not yet."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import open_history
from clawgit.history.review.keep import keep
from clawgit.history.transaction.transaction import recover

DAY = "memory/2026-03-18.md"
INTENT = "refs/clawgit/intent/"


@pytest.fixture
def elsewhere(room, tmp_path):
    """Return a copy of the workspace, to make the change in that is interrupted here."""
    room.change({DAY: "- one\n"}, actor="operator")
    shutil.copytree(room.root, tmp_path / "copy", symlinks=True)
    return replace(room, root=tmp_path / "copy", history=open_history(tmp_path / "copy"))


def interrupted(room, elsewhere, branch: str = "main") -> str:
    """Leave the intent of the latest change there; return its commit."""
    room.git("fetch", "-q", str(elsewhere.root), f"+{branch}:{INTENT}{branch}")
    return elsewhere.git("rev-parse", branch)


def commit_of_hers(room) -> None:
    room.write("notes.md", "hers\n")
    room.git("add", "notes.md")
    room.git("commit", "-qm", "hers")


def recovered(room) -> list[str]:
    with room.history.locked():
        return recover(room.history)


def test_a_change_that_the_branch_went_on_without_is_taken_out_of_the_files_and_kept_aside(
    room, elsewhere
) -> None:
    elsewhere.append(DAY, "- two")
    made = interrupted(room, elsewhere)
    room.write(DAY, elsewhere.read(DAY))
    commit_of_hers(room)

    (said,) = recovered(room)

    assert "was dropped, since the branch went on without it" in said
    assert room.read(DAY) == "- one\n"
    assert room.git("status", "--porcelain") == ""
    assert room.git("for-each-ref", "--format=%(objectname)", "refs/clawgit/rescue/") == made
    assert room.git("for-each-ref", INTENT) == ""


def test_a_change_that_the_branch_can_still_take_is_finished_and_said_to_be(room, elsewhere) -> None:
    elsewhere.append(DAY, "- two")
    made = interrupted(room, elsewhere)

    (said,) = recovered(room)

    assert "was finished" in said
    assert room.head() == made
    assert room.read(DAY) == elsewhere.read(DAY)
    assert room.git("status", "--porcelain") == ""
    assert room.git("for-each-ref", INTENT, "refs/clawgit/rescue/") == ""


def test_an_edit_that_was_being_kept_stays_in_its_file_when_that_is_dropped(room, elsewhere) -> None:
    """What stands in the file is somebody's own, and the next `keep` commits it."""
    elsewhere.write(DAY, "- one\n- by hand\n")
    elsewhere.keep()
    interrupted(room, elsewhere)
    room.write(DAY, "- one\n- by hand\n")
    commit_of_hers(room)

    (said,) = recovered(room)

    assert "was dropped" in said
    assert room.read(DAY) == "- one\n- by hand\n"
    assert room.git("status", "--porcelain") == f"M {DAY}"


def test_an_edit_that_was_being_kept_and_taken_back_by_hand_is_not_put_into_the_file_again(
    room, elsewhere
) -> None:
    elsewhere.write(DAY, "- one\n- by hand\n")
    elsewhere.keep()
    made = interrupted(room, elsewhere)

    (said,) = recovered(room)

    assert "was finished" in said
    assert room.head() == made
    assert room.read(DAY) == "- one\n"


def test_a_change_on_a_branch_of_another_working_tree_is_left_to_that(room, elsewhere, tmp_path) -> None:
    room.git("branch", "side")
    elsewhere.git("checkout", "-qb", "side")
    elsewhere.append(DAY, "- two")
    made = interrupted(room, elsewhere, "side")
    room.git("worktree", "add", "-q", str(tmp_path / "linked"), "side")
    before = room.git("rev-parse", "side")

    assert recovered(room) == []

    assert room.git("rev-parse", "side") == before
    assert room.git("for-each-ref", "--format=%(objectname)", INTENT) == made
    linked = replace(room, root=tmp_path / "linked", history=open_history(tmp_path / "linked"))
    (said,) = recovered(linked)
    assert "was finished" in said
    assert linked.read(DAY) == elsewhere.read(DAY)
    assert linked.git("status", "--porcelain") == ""


def test_a_keep_says_what_it_recovered_and_goes_on(room, elsewhere) -> None:
    elsewhere.append(DAY, "- two")
    interrupted(room, elsewhere)
    room.write("memory/other.md", "x\n")

    kept = keep(room.history, Intent(new_op("keep"), "unknown", room.now))

    assert len(kept.recovered) == 1
    assert kept.paths == ("memory/other.md",)


@pytest.mark.parametrize("more", ["", "- five\n"], ids=["as committed", "with an edit on top"])
def test_what_the_branch_got_meanwhile_is_not_taken_out_with_the_dropped_change(
    room, elsewhere, more: str
) -> None:
    """Mutant: bytes of the tip count as an edit of the dropped change, and lose the line that both have."""
    elsewhere.append(DAY, "- two")
    interrupted(room, elsewhere)
    room.write(DAY, "- one\n- two\n- three\n- four\n")
    room.git("add", DAY)
    room.git("commit", "-qm", "hers")
    room.write(DAY, "- one\n- two\n- three\n- four\n" + more)

    recovered(room)

    assert room.read(DAY) == "- one\n- two\n- three\n- four\n" + more


@pytest.mark.parametrize("kind", ["blob", "tree", "commit"])
def test_a_change_of_which_git_pruned_a_part_is_dropped_and_the_files_stay(
    room, elsewhere, kind: str
) -> None:
    """Mutant: nobody looks whether the intent is whole."""
    elsewhere.append(DAY, "- two")
    made = interrupted(room, elsewhere)
    room.write(DAY, "- one\n- two\n")
    gone = {"commit": made, "tree": f"{made}^{{tree}}", "blob": f"{made}:{DAY}"}[kind]
    room.lose(room.git("rev-parse", gone))
    room.history = open_history(room.root)

    (said,) = recovered(room)

    assert "git had pruned it" in said
    assert room.read(DAY) == "- one\n- two\n"
    assert room.git("for-each-ref", INTENT) == ""


def test_an_edit_that_was_being_kept_is_finished_where_the_text_before_it_is_damaged(room, elsewhere) -> None:
    """Seen: recovery read what it would not move, and every writing command failed until `doctor` had mended it."""
    elsewhere.write(DAY, "- one\n- by hand\n")
    elsewhere.keep()
    made = interrupted(room, elsewhere)
    room.write(DAY, "- one\n- by hand\n")
    room.lose(room.git("rev-parse", f"HEAD:{DAY}"))
    room.history = open_history(room.root)

    (said,) = recovered(room)

    assert "was finished" in said
    assert room.head() == made
    assert room.read(DAY) == "- one\n- by hand\n"
