"""Undoing what set something right: the correction is withdrawn, never lost, and an undo of that brings it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.remember import remember
from clawgit.history.states import restore_soul
from clawgit.history.undo.take_back import Taking, take_back
from clawgit.history.undo.undo import RevertConflictError, UndoError, Undoing, find_undoing, undo
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    add_correction,
    move_corrections,
    read_corrections,
    replace_correction,
    without_corrections,
)
from clawgit.memory.entries.tiers import is_correction_file
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from clawgit.history.apply_plan import Recorded

MARCH = "Archive/Corrections/2026-03.md"


def operator(room, **more) -> Intent:
    return Intent(new_op(), "operator", room.now, **more)


def taken_back(room, word: str = "", **more) -> Recorded:
    return undo(room.history, find_undoing(room.history, word, **more), "I was wrong.", operator(room))


def correct(room, *told: tuple[str, str, str], run: str = "") -> str:
    """Commit corrections in one change, as (x id, entry id, right words), and return the commit."""

    def plan(tree):
        memory, ledger = (tree.read(path).decode() for path in ("MEMORY.md", LEDGER))
        for correction_id, entry_id, words in told:
            (old,) = [line for line in memory.splitlines() if f"m:{entry_id}" in line]
            memory = memory.replace(old, f"- 2026-03-19: {words} <!-- m:{entry_id} -->")
            new = Correction(
                correction_id,
                "2026-03-19 10:22",
                said=old,
                correct=words,
                corrects=(entry_id,),
                status=Status.APPLIED,
            )
            ledger = add_correction(ledger.encode(), new).decode()
        edits = (Edit("MEMORY.md", memory.encode()), Edit(LEDGER, ledger.encode()))
        return Plan("correct: it is so", edits)

    return apply_plan(room.history, plan, Intent(new_op(), "operator", room.now, run=run)).commit_id


def rewrite(room, path: str, change) -> str:
    return apply_plan(
        room.history,
        lambda tree: Plan("x", (Edit(path, change(tree.read(path) or b"")),), verbatim=True),
        operator(room),
    ).commit_id


def states(room) -> list[tuple[str, str, str]]:
    tree = room.history.tip().tree
    return [
        (path, each.correction_id, each.status.value)
        for path, _ in tree.files()
        if is_correction_file(path)
        for each in read_corrections(tree.read(path), path)
    ]


@pytest.fixture
def wrong(room):
    """Return a workspace with two memories, the first of which was set right."""
    room.first = remember(room.history, "The review is on Wednesday.", operator(room)).entry_id
    room.second = remember(room.history, "Tea at four.", operator(room)).entry_id
    room.before = room.read("MEMORY.md")
    room.made = correct(room, ("4f1c", room.first, "The review is on Thursday."), run="run-7")
    return room


@pytest.mark.sampled(2)
@pytest.mark.parametrize("way", ["commit", "run", "correction", "revert"])
def test_the_correction_is_withdrawn_and_the_entry_reads_as_before(wrong, way: str) -> None:
    """Mutants: without the withdrawal the correction is gone; with the ledger left as it is, it stays in force."""
    if way == "revert":
        taking = Taking((wrong.history.objects.commit(wrong.made),), "it is so", verb="revert")
        undoing = Undoing(taking, (), take_back(wrong.history, wrong.history.tip().tree, taking))
        undo(wrong.history, undoing, "I was wrong.", operator(wrong))
    else:
        taken_back(wrong, {"commit": wrong.made, "run": "run-7", "correction": "x:4f1c"}[way])

    assert states(wrong) == [(MARCH, "4f1c", "withdrawn")]
    assert wrong.read("MEMORY.md") == wrong.before
    said = wrong.git("log", "-1", "--format=%B")
    assert "x:4f1c" in said.splitlines()[0]
    assert "withdrawn" in said.splitlines()[0]
    assert f"Clawgit-Loss: {LEDGER}: x:4f1c withdrawn by the operator; it is kept in {MARCH}" in said
    assert wrong.git("status", "--porcelain") == ""


def test_a_preview_says_that_it_would_be_withdrawn(wrong) -> None:
    tree = wrong.git("rev-parse", "HEAD^{tree}")

    undoing = find_undoing(wrong.history, wrong.made)

    assert [each.correction_id for each in undoing.taken.withdrawn] == ["4f1c"]
    assert wrong.git("rev-parse", "HEAD^{tree}") == tree


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "later", ["nothing", "another correction", "another withdrawal", "a note in the archive"]
)
def test_undoing_the_undo_brings_it_back_with_its_state_and_once(wrong, later: str) -> None:
    before = (wrong.read("MEMORY.md"), wrong.read(LEDGER))
    back = taken_back(wrong, wrong.made).commit_id
    if later != "nothing":
        correct(wrong, ("77aa", wrong.second, "Tea at five."))
    if later == "another withdrawal":
        taken_back(wrong, "x:77aa")
    if later == "a note in the archive":
        rewrite(wrong, MARCH, lambda data: data.replace(b"- trigger:\n", b"- trigger: seen\n"))

    undoing = find_undoing(wrong.history, back)
    undo(wrong.history, undoing, "", operator(wrong))

    assert [each.correction_id for each in undoing.taken.restored] == ["4f1c"]
    assert (LEDGER, "4f1c", "applied") in states(wrong)
    assert len([key for _, key, _ in states(wrong) if key == "4f1c"]) == 1
    assert "The review is on Thursday." in wrong.read("MEMORY.md")
    if later == "nothing":
        assert (wrong.read("MEMORY.md"), wrong.read(LEDGER)) == before
        assert not (wrong.root / MARCH).exists()


@pytest.mark.rest
def test_there_and_back_as_often_as_wanted(wrong) -> None:
    trees = [wrong.git("rev-parse", "HEAD^{tree}")]
    commit = wrong.made
    for _ in range(4):
        commit = taken_back(wrong, commit).commit_id
        trees.append(wrong.git("rev-parse", "HEAD^{tree}"))

    assert trees[0] == trees[2] == trees[4]
    assert trees[1] == trees[3]


@pytest.mark.parametrize("way", ["flag", "archived"])
def test_a_correction_that_was_touched_since_is_withdrawn_as_it_stands_now(wrong, way: str) -> None:
    """Mutants: line by line the flag conflicts; by the ledger alone the archived one stays in force."""
    if way == "flag":
        told = read_corrections(wrong.read(LEDGER).encode())[0]
        rewrite(wrong, LEDGER, lambda data: data.replace(b"re-embedded:false", b"re-embedded:true"))
        assert told.re_embedded is False
    else:
        ledger, archive = move_corrections(wrong.read(LEDGER).encode(), b"", {"4f1c"})
        edits = (Edit(LEDGER, ledger), Edit(MARCH, archive))
        apply_plan(wrong.history, lambda _: Plan("archive", edits), operator(wrong))

    taken_back(wrong, wrong.made)

    assert states(wrong) == [(MARCH, "4f1c", "withdrawn")]
    assert ("re-embedded:true" in wrong.read(MARCH)) == (way == "flag")
    assert wrong.read("MEMORY.md") == wrong.before


@pytest.mark.parametrize("word", ["commit", "x:4f1c"])
def test_an_entry_that_was_changed_again_stays_and_that_is_said(wrong, word: str) -> None:
    """Mutant: without the exception it is a conflict, and the operator cannot withdraw."""
    rewrite(wrong, "MEMORY.md", lambda data: data.replace(b"on Thursday", b"on Thursday at noon"))

    undoing = find_undoing(wrong.history, wrong.made if word == "commit" else word)
    undo(wrong.history, undoing, "", operator(wrong))

    assert undoing.taken.notes == (f"m:{wrong.first} was changed again since, so it stays as it is now.",)
    assert states(wrong) == [(MARCH, "4f1c", "withdrawn")]
    assert "on Thursday at noon" in wrong.read("MEMORY.md")


def test_two_corrections_of_one_entry_can_be_withdrawn_in_either_order(wrong) -> None:
    """Mutant: with the later one taken back last, the entry reads as the first made it, which is withdrawn."""
    correct(wrong, ("77aa", wrong.first, "The review is on Friday."))
    taken_back(wrong, "x:4f1c")
    assert "on Friday" in wrong.read("MEMORY.md")

    taken_back(wrong, "x:77aa")

    assert wrong.read("MEMORY.md") == wrong.before
    assert sorted(states(wrong)) == [(MARCH, "4f1c", "withdrawn"), (MARCH, "77aa", "withdrawn")]


@pytest.mark.rest
def test_words_that_were_written_after_a_withdrawal_are_not_the_withdrawn_corrections(wrong) -> None:
    """Mutant: any withdrawn correction of the entry is taken out again, the operator's later words with it."""
    taken_back(wrong, "x:4f1c")
    rewrite(wrong, "MEMORY.md", lambda data: data.replace(b"on Wednesday", b"on Thursday"))
    thursday = wrong.read("MEMORY.md")
    correct(wrong, ("77aa", wrong.first, "The review is on Friday."))

    taken_back(wrong, "x:77aa")

    assert wrong.read("MEMORY.md").replace("2026-03-19: ", "") == thursday.replace("2026-03-19: ", "")


def test_of_two_corrections_in_one_change_the_named_one_goes(room) -> None:
    first = remember(room.history, "The review is on Wednesday.", operator(room)).entry_id
    second = remember(room.history, "Tea at four.", operator(room)).entry_id
    correct(room, ("4f1c", first, "The review is on Thursday."), ("77aa", second, "Tea at five."))

    taken_back(room, "x:77aa")

    assert states(room) == [(MARCH, "77aa", "withdrawn"), (LEDGER, "4f1c", "applied")]
    assert "on Thursday" in room.read("MEMORY.md")
    assert "Tea at four" in room.read("MEMORY.md")


def test_what_rests_on_a_correction_goes_along(wrong) -> None:
    edits = (Edit("memory/b.md", b"- b\n"),)
    trailers = (("Clawgit-Derived-From", "x:4f1c"),)
    apply_plan(wrong.history, lambda _: Plan("x", edits, trailers=trailers), operator(wrong))
    on_the_change = (("Clawgit-Derived-From", wrong.made),)
    apply_plan(
        wrong.history,
        lambda _: Plan("y", (Edit("memory/c.md", b"- c\n"),), trailers=on_the_change),
        operator(wrong),
    )

    undoing = find_undoing(wrong.history, "x:4f1c")
    undo(wrong.history, undoing, "", operator(wrong))

    assert [commit.subject for commit in undoing.along] == ["y", "x"]
    assert not (wrong.root / "memory/b.md").exists()
    assert not (wrong.root / "memory/c.md").exists()


def test_a_correction_that_stood_there_at_adoption_can_be_withdrawn(room) -> None:
    ledger = add_correction(room.read(LEDGER).encode(), Correction("4f1c", "2026-03-01", correct="Tea."))
    room.write(LEDGER, ledger.decode())
    room.git("commit", "-qam", "by hand", "--amend")

    taken_back(room, "x:4f1c")

    assert states(room) == [(MARCH, "4f1c", "withdrawn")]


def test_a_change_of_its_state_is_an_ordinary_change(wrong) -> None:
    ledger = wrong.read(LEDGER).encode()
    (told,) = read_corrections(ledger)
    made = rewrite(
        wrong, LEDGER, lambda data: replace_correction(data, Correction("4f1c", told.at, correct="Friday."))
    )

    taken_back(wrong, made)

    assert wrong.read(LEDGER).encode() == ledger


@pytest.mark.rest
def test_undone_newest_first_everything_but_the_archive_reads_as_before(wrong) -> None:
    trees = []
    made = []
    for number, word in enumerate(("five", "six", "seven")):
        trees.append(dict(line.split("\t")[::-1] for line in wrong.git("ls-tree", "-r", "HEAD").splitlines()))
        made.append(correct(wrong, (f"77a{number}", wrong.second, f"Tea at {word}.")))

    for number in reversed(range(3)):
        taken_back(wrong, made[number])
        files = dict(line.split("\t")[::-1] for line in wrong.git("ls-tree", "-r", "HEAD").splitlines())
        files.pop(MARCH)
        assert files == trees[number]
    assert [key for path, key, state in states(wrong) if state == "withdrawn"] == ["77a2", "77a1", "77a0"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        pytest.param("x:4f1c", "x:4f1c is already withdrawn; it is in Archive", id="withdrawn already"),
        pytest.param("x:0000", "called x:0000", id="never there"),
        pytest.param("x:4f1", "called x:4f1", id="half an id"),
        pytest.param("x:.*", "called", id="no id at all"),
    ],
)
def test_a_correction_that_is_not_in_force_is_told_in_a_sentence(wrong, word: str, sentence: str) -> None:
    taken_back(wrong, wrong.made)

    with pytest.raises(UndoError, match=sentence):
        find_undoing(wrong.history, word)


@pytest.mark.parametrize("actor", ["host", "recall-validator", "unknown"])
def test_only_the_operator_withdraws(wrong, actor: str) -> None:
    """Mutant: without the look at the actor, a host's plan takes a correction away."""
    taking = Taking((wrong.history.objects.commit(wrong.made),), "it is so", verb="revert")
    undoing = Undoing(taking, (), take_back(wrong.history, wrong.history.tip().tree, taking))
    head = wrong.head()

    with pytest.raises(ClawgitError, match="only the operator may"):
        undo(wrong.history, undoing, "", Intent(new_op(), actor, wrong.now))

    assert wrong.head() == head


def test_another_conflict_in_the_same_change_is_still_one(wrong) -> None:
    def plan(tree):
        told = Correction("77aa", "2026-03-19", correct="x", corrects=("nosuch",))
        ledger = add_correction(tree.read(LEDGER), told)
        return Plan("x", (Edit(LEDGER, ledger), Edit("SOUL.md", b"Be blunt.\n")))

    made = apply_plan(wrong.history, plan, operator(wrong)).commit_id
    rewrite(wrong, "SOUL.md", lambda _: b"Be very blunt.\n")

    with pytest.raises(RevertConflictError):
        taken_back(wrong, made)

    assert (LEDGER, "77aa", "logged") in states(wrong)


def test_a_ledger_put_back_as_it_was_withdraws_what_came_later(wrong) -> None:
    """Mutant: without the look at the ledgers, `restore --file CORRECTIONS.md` loses the correction."""
    then = wrong.history.objects.commit(wrong.git("rev-parse", f"{wrong.made}~1"))

    restore_soul(wrong.history, then, (LEDGER,), "A fresh start.", operator(wrong))

    assert wrong.read(LEDGER) == wrong.shown(LEDGER, f"{wrong.made}~1")
    assert states(wrong) == [(MARCH, "4f1c", "withdrawn")]
    assert "Clawgit-Loss: CORRECTIONS.md: x:4f1c withdrawn" in wrong.git("log", "-1", "--format=%B")


def link_of(correction_id: str, said: str) -> Correction:
    return Correction(correction_id, "2026-03-19 10:22", said=said, status=Status.LINKED)


def approve(room, path: str, link: Correction, words: str) -> None:
    """Answer a link as `approve` does: the line says ``words``, and the correction is at the end of the ledger."""

    def plan(tree):
        text = tree.read(path).decode().replace(link.said, words)
        ledger = without_corrections(tree.read(LEDGER), {link.correction_id})
        answered = link._replace(correct=words, status=Status.APPLIED)
        return Plan(
            "correct: a line", (Edit(path, text.encode()), Edit(LEDGER, add_correction(ledger, answered)))
        )

    apply_plan(room.history, plan, operator(room))


def test_a_line_and_the_words_beside_it_read_as_before_where_another_link_was_answered_later(room) -> None:
    """Seen: the line had its old value again, and his later words were beside it no more."""
    first = link_of("aaaa1", "The bench is green.")
    second = link_of("bbbb2", "The fee is 45 euros.")
    for path, link in (("old/M.md", first), ("MEMORY.md", second)):
        rewrite(room, path, lambda data, link=link: data + f"- {link.said}\n- Another line.\n".encode())
    rewrite(room, LEDGER, lambda data: add_correction(add_correction(data, first), second))
    approve(room, "old/M.md", first, "The bench is red.")
    approve(room, "MEMORY.md", second, "The fee is 50 euros.")

    taken_back(room, "x:aaaa1")

    tree = room.history.tip().tree
    assert tree.read("old/M.md") == b"- The bench is green.\n- Another line.\n"
    assert b"- The fee is 50 euros." in tree.read("MEMORY.md")
    assert sorted((key, status) for _, key, status in states(room)) == [
        ("aaaa1", "linked"),
        ("bbbb2", "applied"),
    ]
    taken_back(room, "x:aaaa1")
    assert (MARCH, "aaaa1", "withdrawn") in states(room)


def test_words_stay_beside_a_line_whose_later_correction_is_undone_too(clawgit, room) -> None:
    """Mutant: what made the link is taken back with the answer to it."""
    room.change({"MEMORY.md": "- The fee is 45 euros.\n"}, actor="operator")
    link = link_of("aaaa1", "The fee is 45 euros.")
    rewrite(room, LEDGER, lambda data: add_correction(data, link))
    clawgit("correct", "x:aaaa1", "The fee is 50 euros.")
    later = clawgit("correct", "The fee is 50 euros.", "The fee is 55 euros.", "--json").data["id"]

    taken_back(room, "x:aaaa1")
    taken_back(room, later)

    assert "The fee is 45 euros." in room.read("MEMORY.md")
    assert (LEDGER, "aaaa1", "linked") in states(room)


def test_a_line_beside_memory_that_was_corrected_again_names_the_later_correction(room) -> None:
    link = link_of("aaaa1", "The bench is green.")
    again = link_of("bbbb2", "The bench is red.")
    rewrite(room, "old/M.md", lambda data: b"- The bench is green.\n")
    approve(room, "old/M.md", link, "The bench is red.")
    approve(room, "old/M.md", again, "The bench is blue.")

    with pytest.raises(RevertConflictError) as refused:
        taken_back(room, "x:aaaa1")

    assert "`clawgit undo x:bbbb2`" in refused.value.hint
    assert room.history.tip().tree.read("old/M.md") == b"- The bench is blue.\n"
