"""Withdrawing corrections of lines that had no id before: files that people wrote by hand read as before, byte for byte."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from rounds import some

from clawgit.memory.corrections.correction_log import LEDGER, Correction, add_correction

OLD, NEW, LAST = "Deploys happen on Wednesdays.", "Deploys happen on Thursdays.", "Deploys happen on Fridays."


def written_by_hand(room, text: str, path: str = "MEMORY.md") -> None:
    """Let the operator have a file that clawgit never wrote to."""
    room.write(path, text)
    room.git("add", path)
    room.git("commit", "-qm", "my notes")


def correction(clawgit, old: str, new: str, *more: str) -> str:
    """Correct something, and return how the correction is called."""
    return clawgit("correct", old, new, *more, "--json").data["id"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"- {OLD}\n", id="the only line"),
        pytest.param(f"- {OLD}", id="no line end"),
        pytest.param(f"- {OLD}  \n", id="spaces at its end"),
        pytest.param(f"# Work\n\n- Tea at four.\n- {OLD}\n- Coffee at nine.\n", id="between others"),
        pytest.param(
            f"- Tea. <!-- m:aa1111 -->\n- {OLD}\n- Coffee. <!-- m:bb2222 -->\n", id="between marked ones"
        ),
        pytest.param(f"- {OLD}\n  - on the blue cluster\n  - after lunch\n- Tea.\n", id="with sub-items"),
        pytest.param(f"- Work\n  - {OLD}\n  - Tea.\n", id="a sub-item"),
        pytest.param("- Deploys happen\n  on Wednesdays.\n- Tea.\n", id="on two lines"),
        pytest.param(f"# Work\r\n\r\n- {OLD}\r\n- Tea.\r\n", id="CRLF"),
        pytest.param(f"- {OLD}\n- {OLD}\n", id="twice"),
        pytest.param(f"* {OLD}\n* Tea.\n", id="another marker"),
        pytest.param(f"1. {OLD}\n2. Tea.\n", id="numbered"),
        pytest.param(f"- 2026-01-02: {OLD} #work\n- Tea.\n", id="dated and tagged"),
        pytest.param(f"- {OLD}\n\n\n- Tea.\n\n## Later\n\n- {LAST}\n", id="odd gaps"),
        pytest.param(f"\ufeff- Tea.\n- {OLD}\n", id="a byte order mark"),
    ],
)
@pytest.mark.parametrize("path", some(["MEMORY.md", "memory/topic.md"], each=2))
def test_a_line_without_an_id_reads_as_before(clawgit, room, text: str, path: str) -> None:
    written_by_hand(room, text, path)
    ledger = room.read(LEDGER)
    name = correction(clawgit, OLD, NEW)
    assert NEW in room.read(path)

    preview = clawgit("undo", name, "--dry-run")
    done = clawgit("undo", name)

    assert (preview.code, done.code) == (0, 0)
    assert room.read(path) == text
    assert room.read(LEDGER) == ledger
    assert room.git("status", "--porcelain") == ""


@pytest.mark.rest
@pytest.mark.parametrize("order", ["newest first", "oldest first"])
def test_a_line_that_was_corrected_twice_reads_as_before_without_both(clawgit, room, order: str) -> None:
    """Mutant: only the id of the old line decides whether a correction may yield: a conflict."""
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    made = [correction(clawgit, *words) for words in pairwise((OLD, NEW, LAST))]

    for name in made if order == "oldest first" else made[::-1]:
        assert clawgit("undo", name).code == 0

    assert room.read("MEMORY.md") == f"- {OLD}\n- Tea.\n"


@pytest.mark.rest
def test_a_correction_that_was_reworded_since_is_withdrawn_and_the_words_stay(clawgit, room) -> None:
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    name = correction(clawgit, OLD, NEW)
    reworded = room.read("MEMORY.md").replace("on Thursdays", "on Thursdays at noon")
    room.change({"MEMORY.md": reworded}, actor="operator")

    done = clawgit("undo", name)

    assert done.code == 0, done.err
    assert "was changed again since, so it stays" in done.err
    assert room.read("MEMORY.md") == reworded


@pytest.mark.rest
def test_a_corrected_line_that_was_removed_since_stays_away(clawgit, room) -> None:
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    name = correction(clawgit, OLD, NEW)
    room.change({"MEMORY.md": "- Tea.\n"}, actor="operator")

    done = clawgit("undo", name)

    assert done.code == 0, done.err
    assert room.read("MEMORY.md") == "- Tea.\n"


@pytest.mark.rest
def test_a_corrected_line_that_went_to_another_file_gets_its_earlier_words_there(clawgit, room) -> None:
    """Mutant: of an entry that only its correction gave an id nothing stood there before, so it goes."""
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    name = correction(clawgit, OLD, NEW)
    entry = room.read("MEMORY.md").removesuffix("- Tea.\n")
    room.change({"MEMORY.md": "- Tea.\n", "memory/topic.md": f"# Work\n\n{entry}"}, actor="operator")

    clawgit("undo", name)

    assert room.read("memory/topic.md") == f"# Work\n\n- {OLD}\n"
    assert room.read("MEMORY.md") == "- Tea.\n"


@pytest.mark.rest
@pytest.mark.parametrize("way", ["undo the correction", "undo its change"])
def test_every_way_to_take_it_back_brings_the_line_back(clawgit, room, way: str) -> None:
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    name = correction(clawgit, OLD, NEW)
    made = room.head()
    clawgit("memory", "add", "Lunch at one.", "--to", "MEMORY.md")

    done = clawgit("undo", name if way == "undo the correction" else made)

    assert done.code == 0, done.err
    assert room.read("MEMORY.md").startswith(f"- {OLD}\n- Tea.\n")
    assert "Lunch at one." in room.read("MEMORY.md")


@pytest.mark.rest
def test_undone_undoing_stands_again(clawgit, room) -> None:
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    name = correction(clawgit, OLD, NEW)
    corrected = (room.read("MEMORY.md"), room.read(LEDGER))

    clawgit("undo", name)
    clawgit("undo", room.head())

    assert (room.read("MEMORY.md"), room.read(LEDGER)) == corrected


def test_the_undo_of_a_yes_is_not_told_as_the_loss_of_a_correction(clawgit, room) -> None:
    """Seen: "MEMORY.md lacks 1 corrected line … The corrections stay in force", of one that was a link again."""
    room.change({"MEMORY.md": "- Stand-up is at 09:30.\n"}, actor="operator")
    done = clawgit("chat", "add", "Stand-up is at 10:00.", "--json").data
    clawgit("approve", done["linked"][0]["link"])

    assert "lacks" not in clawgit("undo", "HEAD").err

    assert "lacks" not in clawgit("status").out


@pytest.mark.rest
def test_an_entry_that_another_correction_names_keeps_the_id_that_the_first_one_gave_it(
    clawgit, room
) -> None:
    """Mutant: without the look at the others, that one names an entry which nobody finds any more."""
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    name = correction(clawgit, OLD, NEW)
    (entry,) = re.findall("m:([0-9a-z]+)", room.read("MEMORY.md"))
    other = Correction("77aa", "2026-03-19 10:22", said="Deploys", corrects=(entry,))
    room.change({LEDGER: add_correction(room.read(LEDGER).encode(), other).decode()}, actor="operator")

    done = clawgit("undo", name)

    assert room.read("MEMORY.md") == f"- {OLD} <!-- m:{entry} -->\n- Tea.\n"
    assert " corrected line" not in done.err


def test_an_entry_that_is_taken_back_takes_its_correction_along(clawgit, room) -> None:
    """Seen: the correction was the first hit, and in each prompt, also above the words that were remembered afterwards."""
    written_by_hand(room, f"- {OLD}\n- Tea.\n")
    correction(clawgit, OLD, NEW)
    (entry,) = re.findall("m:([0-9a-z]+)", room.read("MEMORY.md"))

    said = clawgit("undo", f"m:{entry}", "--dry-run").err

    assert "withdraws the correction x:" in said
    clawgit("undo", f"m:{entry}")
    assert NEW not in clawgit("search", NEW).out
    clawgit("remember", OLD)
    assert clawgit("search", OLD, "--json").data["results"][0]["path"] == "MEMORY.md"


def test_undoing_a_correction_of_a_line_beside_memory_sets_the_line_back(clawgit, room) -> None:
    """Seen: `Undone`, and the file said the new line still."""
    calendar = "# Calendar\n\n- Tue 8 Dec 10:30: Helen Yates\n"
    room.change({"family/calendar.md": calendar}, actor="operator")
    named = clawgit("correct", "Tue 8 Dec 10:30: Helen Yates", "Tue 8 Dec 14:00: Helen Yates", "--json").data[
        "id"
    ]
    assert "14:00" in room.read("family/calendar.md")

    clawgit("undo", named)

    assert room.read("family/calendar.md") == calendar
    assert "14:00" not in clawgit("search", "Helen Yates").out


def test_undoing_a_correction_of_a_row_of_memory_sets_the_row_back(clawgit, room) -> None:
    """Seen: `Undone`, and the row said the new day still."""
    row = "| Kiln review | 4 May | 9:00 |"
    table = f"# Memory\n\n| what | day | at |\n|---|---|---|\n{row}\n| Glaze review | 6 May | 10:00 |\n"
    room.change({"MEMORY.md": table}, actor="operator")
    named = clawgit("correct", row, row.replace("4 May", "10 May"), "--yes", "--json").data["id"]
    assert "| 10 May | 9:00 |" in room.read("MEMORY.md")

    clawgit("undo", named)

    assert room.read("MEMORY.md") == table


def test_what_goes_is_declared_by_name_and_nothing_remarks_on_it(clawgit, room) -> None:
    clawgit("memory", "add", "Lunch at one.", "--to", "MEMORY.md")
    made = room.head()

    said = clawgit("undo", made).err

    assert "loses" not in said
    assert "Clawgit-Loss: MEMORY.md: taken back: " in room.git("log", "-1", "--format=%B")
