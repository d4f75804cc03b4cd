"""git's own commands before, between and after undo, revert and restore: every command still reads the history."""

from __future__ import annotations

import pytest
from rounds import some

from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status, add_correction
from clawgit.memory.entries.entries import read_entries


@pytest.fixture
def taken(clawgit, room):
    """Return a workspace in which changes were taken back in every way; the last commit is the operator's own."""
    clawgit("memory", "add", "Tea at four.", "--to", "MEMORY.md")
    clawgit("memory", "add", "The review is on Wednesday.", "--to", "MEMORY.md")
    room.append("SOUL.md", "- Be harsh.", actor="soul-keeper")
    harsh = room.head()
    room.append("SOUL.md", "- Ask first.", actor="soul-keeper")
    ledger = add_correction(
        room.read(LEDGER).encode(),
        Correction("4f1c", "2026-03-19", correct="Thursday.", status=Status.APPLIED),
    )
    room.change({LEDGER: ledger.decode()}, actor="operator")
    assert clawgit("soul", "snapshot", "-m", "before").code == 0
    assert clawgit("soul", "revert", harsh, "--reason", "Nobody asked.").code == 0
    assert clawgit("undo", "x:4f1c", "--reason", "Wrong.").code == 0
    first = read_entries(room.read("MEMORY.md").encode())[0].entry_id
    assert clawgit("undo", f"m:{first}", "--reason", "No.").code == 0
    assert clawgit("soul", "restore", "before", "--reason", "Back.").code == 0
    room.write("notes.md", "by hand\n")
    room.git("add", "notes.md")
    room.git("commit", "-qm", "by hand")
    return room


def nothing(room) -> None:
    del room


def reverted(room) -> None:
    for name in ("HEAD~1", "HEAD~3"):  # the restore, the withdrawal
        room.git("revert", "--no-edit", name)


def merged(room) -> None:
    room.branch_off("HEAD~4")
    room.git("merge", "-q", "--no-edit", "other")


def rebased(room) -> None:
    room.rebase("HEAD~5")


def picked(room) -> None:
    room.git("checkout", "-qb", "other", "HEAD~5")
    room.git("cherry-pick", "-x", "main~4", "main~3", "main~2", "main~1")
    room.git("branch", "-f", "main")
    room.git("checkout", "-q", "main")


def amended(room) -> None:
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.git("commit", "-q", "--amend", "-m", "amended by hand")


def squashed(room) -> None:
    room.git("reset", "-q", "--soft", "HEAD~5")
    room.git("commit", "-qm", "all in one")


def detached_note(room) -> None:
    room.git(
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x",
        "-m",
        "Clawgit-Reverts: HEAD\nClawgit-Derived-From: x:4f1c",
    )


READS = [
    *[["soul", "log"], ["soul", "show"], ["soul", "diff", "HEAD~2"], ["soul", "blame"], ["changelog"]],
    *[
        ["memory", "list"],
        ["why", "SOUL.md:1"],
        ["why", "The review is on Wednesday."],
        ["status"],
        ["soul", "show", "before"],
    ],
]
ACTS = [nothing, reverted, merged, rebased, picked, amended, squashed, detached_note]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("act", some(ACTS, each=4), ids=lambda act: act.__name__)
def test_every_command_still_reads_and_undo_still_works(clawgit, taken, act) -> None:
    act(taken)
    taken.keep()
    head = taken.head()

    for words in READS:
        said = clawgit(*words, "--json")
        assert said.code == 0, (words, said.err)
    for commit in taken.git("rev-list", "--max-count=6", "HEAD").split():
        said = clawgit("undo", commit, "--dry-run")
        assert said.code in (0, 1), said.err
        assert "bug" not in said.err
    assert taken.head() == head

    clawgit("memory", "add", "Something new.", "--to", "MEMORY.md")
    tree = taken.git("rev-parse", "HEAD^{tree}")
    assert clawgit("undo", "HEAD").code == 0
    assert clawgit("undo", "HEAD").code == 0
    assert taken.git("rev-parse", "HEAD^{tree}") == tree
    assert taken.git("fsck", "--strict") == ""
    assert taken.git("status", "--porcelain") == ""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("act", [rebased, picked], ids=lambda act: act.__name__)
def test_an_undo_that_was_rebased_or_picked_can_be_undone(clawgit, taken, act) -> None:
    act(taken)
    (withdrawal,) = taken.git("log", "--format=%H", "--grep=^undo: the correction x:4f1c").split()

    assert clawgit("undo", withdrawal).code == 0

    assert "x:4f1c" in taken.read(LEDGER)
    assert not (taken.root / "Archive/Corrections/2026-03.md").exists()


@pytest.mark.rest
def test_a_git_revert_of_a_withdrawal_and_an_undo_of_that(clawgit, taken) -> None:
    withdrawal = taken.git("log", "--format=%H", "--grep=^undo: the correction x:4f1c").split()[0]
    taken.git("revert", "--no-edit", withdrawal)
    assert "x:4f1c" in taken.read(LEDGER)

    assert clawgit("undo", "HEAD").code == 0

    assert "x:4f1c" not in taken.read(LEDGER)
    assert "- status: withdrawn" in taken.read("Archive/Corrections/2026-03.md")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", ["staged", "not staged", "half staged", "untracked in its place"])
def test_whatever_is_uncommitted_survives(clawgit, room, how: str) -> None:
    made = room.append("notes.md", "- one").commit_id
    if how == "untracked in its place":
        room.git("rm", "-q", "--cached", "notes.md")
        room.git("commit", "-qm", "not tracked")
    else:
        room.write("notes.md", "- one\n- mine\n")
    if how in ("staged", "half staged"):
        room.git("add", "notes.md")
    if how == "half staged":
        room.write("notes.md", "- one\n- mine\n- more\n")
    room.write("other.md", "staged\n")
    room.git("add", "other.md")

    clawgit("undo", made)

    lines = room.read("notes.md")
    assert lines == {"half staged": "- mine\n- more\n", "untracked in its place": "- one\n"}.get(
        how, "- mine\n"
    )
    assert "A  other.md" in room.git("status", "--porcelain")
