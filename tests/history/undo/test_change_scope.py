"""What of a change an undo is about: of a correction only itself and its entries; of files that moved, where they went."""

from __future__ import annotations

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    add_correction,
    replace_correction,
)
from clawgit.plan import Edit, Plan

OLD = "- Tea at four. <!-- m:aa1111 -->\n"
NEW = "- Tea at five. <!-- m:aa1111 -->\n"
NOTE = b"# A note\n\n- with some lines\n- that are told apart\n"


def change(room, *edits: Edit) -> str:
    """Commit edits as the operator."""
    intent = Intent(new_op(), "operator", room.now, losses={edit.path: "It may go." for edit in edits})
    return apply_plan(room.history, lambda _: Plan("x", edits, verbatim=True), intent).commit_id


def correct(room, correction_id: str, *others: Edit, executable: bool | None = None) -> str:
    """Correct the entry in one change with other edits."""
    told = Correction(
        correction_id,
        "2026-03-19 10:22",
        said="Tea at four.",
        correct="Tea at five.",
        corrects=("aa1111",),
        status=Status.APPLIED,
    )
    ledger = add_correction(room.read(LEDGER).encode(), told)
    return change(room, Edit("MEMORY.md", NEW.encode(), executable), Edit(LEDGER, ledger), *others)


def taken_back(room, word: str) -> None:
    undo(room.history, find_undoing(room.history, word), "", Intent(new_op(), "operator", room.now))


def files(room) -> dict[str, str]:
    """Return path → mode and blob, without what a correction is about."""
    lines = (line.split("\t") for line in room.git("ls-tree", "-r", "HEAD").splitlines())
    return {
        path: entry
        for entry, path in lines
        if path not in ("MEMORY.md", LEDGER) and not path.startswith("Archive/Corrections")
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "others",
    [
        pytest.param((Edit("memory/a.md", None),), id="a file that went"),
        pytest.param((Edit("memory/a.md", None), Edit("memory/b.md", NOTE)), id="a file that moved"),
        pytest.param((Edit("memory/2026-03-01.md", None),), id="a note that went"),
        pytest.param(
            (Edit("memory/2026-03-01.md", NOTE + NEW.encode()),), id="a note that has a copy of the entry"
        ),
        pytest.param((Edit("memory/new.md", b"- new\n"),), id="a file that came"),
        pytest.param((Edit("memory/a.md", NOTE + b"- more\n"),), id="a file that grew"),
        pytest.param((Edit("memory/a.md", NOTE, executable=True),), id="a mode"),
        pytest.param((Edit("notes.txt", b"x\n", executable=True),), id="a mode of another file"),
        pytest.param((Edit("SOUL.md", b"Be blunt.\n"),), id="the soul"),
    ],
)
def test_undoing_a_correction_leaves_alone_what_the_same_change_did_besides(
    room, others: tuple[Edit, ...]
) -> None:
    """Mutants: the files are not limited to those of entries; their texts are not; a file that moved goes back."""
    notes = (
        Edit("memory/a.md", NOTE),
        Edit("memory/2026-03-01.md", NOTE + OLD.encode()),
        Edit("notes.txt", b"x\n"),
    )
    change(room, Edit("MEMORY.md", OLD.encode()), *notes)
    correct(room, "4f1c", *others)
    before = files(room)

    taken_back(room, "x:4f1c")

    assert room.read("MEMORY.md") == OLD
    assert files(room) == before


def test_undoing_a_correction_leaves_the_other_one_of_the_same_change_in_force(room) -> None:
    """Mutant: all corrections that the change brought are withdrawn."""
    change(room, Edit("MEMORY.md", OLD.encode()))
    other = Correction("77aa", "2026-03-19 10:22", correct="Lunch at one.", status=Status.LOGGED)
    room.write(LEDGER, add_correction(room.read(LEDGER).encode(), other).decode())
    ledger = room.read(LEDGER)
    room.git("checkout", "-q", LEDGER)
    told = Correction(
        "4f1c", "2026-03-19 10:22", correct="Tea at five.", corrects=("aa1111",), status=Status.APPLIED
    )
    both = add_correction(ledger.encode(), told)
    change(room, Edit("MEMORY.md", NEW.encode()), Edit(LEDGER, both))

    taken_back(room, "x:4f1c")

    assert room.read(LEDGER) == ledger
    assert room.read("MEMORY.md") == OLD


def test_undoing_a_correction_leaves_the_file_of_its_entry_where_the_change_moved_it(room) -> None:
    """Mutant: the file, or the entry alone, goes back."""
    change(room, Edit("memory/a.md", NOTE + OLD.encode()))
    told = Correction("4f1c", "2026-03-19 10:22", correct="Tea at five.", corrects=("aa1111",))
    ledger = add_correction(room.read(LEDGER).encode(), told)
    moved = (Edit("memory/a.md", None), Edit("memory/b.md", NOTE + OLD.encode()))
    change(room, *moved, Edit(LEDGER, ledger))
    before = files(room)

    taken_back(room, "x:4f1c")

    assert files(room) == before


def test_undoing_a_correction_leaves_the_mode_that_the_change_gave_to_its_file(room) -> None:
    change(room, Edit("MEMORY.md", OLD.encode()))
    correct(room, "4f1c", executable=True)

    taken_back(room, "x:4f1c")

    assert room.read("MEMORY.md") == OLD
    assert room.git("ls-tree", "HEAD", "MEMORY.md").startswith("100755")


@pytest.mark.parametrize("since", ["the ledger", "the entry"])
def test_an_answered_correction_goes_whatever_was_changed_since(room, since: str) -> None:
    """Mutants: the answer's change of the ledger is taken back by itself; the entries of an answer do not yield: conflicts."""
    change(room, Edit("MEMORY.md", OLD.encode()))
    asked = Correction("4f1c", "2026-03-19 10:22", trigger="You forgot.", status=Status.OPEN)
    change(room, Edit(LEDGER, add_correction(room.read(LEDGER).encode(), asked)))
    answer = asked._replace(correct="Tea at five.", corrects=("aa1111",), status=Status.APPLIED)
    answered = replace_correction(room.read(LEDGER).encode(), answer)
    change(room, Edit("MEMORY.md", NEW.encode()), Edit(LEDGER, answered))
    path, text = (LEDGER, answered) if since == "the ledger" else ("MEMORY.md", NEW.encode())
    change(room, Edit(path, text.replace(b"Tea at five.", b"Tea at 5, with milk.")))

    taken_back(room, "x:4f1c")

    assert "x:4f1c" not in room.read(LEDGER)
    assert ("with milk" in room.read("MEMORY.md")) == (since == "the entry")


def test_of_two_equal_files_that_moved_nobody_knows_which_went_where(room) -> None:
    """Mutant: the last one of each is taken for the other, and what was written since goes into the wrong file."""
    change(room, Edit("memory/a.md", NOTE), Edit("memory/b.md", NOTE))
    gone = (Edit("memory/a.md", None), Edit("memory/b.md", None))
    made = change(room, *gone, Edit("memory/c.md", NOTE), Edit("memory/d.md", NOTE))
    change(room, Edit("memory/d.md", NOTE + b"- later\n"))

    taken_back(room, made)

    assert {room.read(f"memory/{name}.md").encode() for name in "ab"} == {NOTE}
    assert room.read("memory/d.md") == "# A note\n\n- later\n"


def test_a_file_that_moved_goes_back_with_its_later_lines(room) -> None:
    """Mutant: no file counts as moved, and the later line is a conflict."""
    change(room, Edit("memory/a.md", NOTE))
    made = change(room, Edit("memory/a.md", None), Edit("memory/b.md", NOTE))
    change(room, Edit("memory/b.md", NOTE + b"- later\n"))

    taken_back(room, made)

    assert room.read("memory/a.md").encode() == NOTE + b"- later\n"
    assert not (room.root / "memory/b.md").exists()
