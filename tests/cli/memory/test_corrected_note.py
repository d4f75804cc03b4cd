"""A line of a day's note that is corrected: for that day alone, whatever notes of other days say."""

from __future__ import annotations

import pytest

NOTE = "# {}\n\n- Fired the small kiln.\n- The van needed {} litres.\n"
DAYS = {"2026-01-13": 12, "2026-01-15": 10, "2026-02-03": 10, "2026-02-04": 10}
PLACE = "memory/2026-02-03.md:4"
RIGHT = "The van needed 12 litres (2026-02-03)."


@pytest.fixture
def diary(clawgit, room):
    for day, litres in DAYS.items():
        room.write(f"memory/{day}.md", NOTE.format(day, litres))
    room.keep("operator")
    assert clawgit("config", "set", "operator_ids", "cli:user").code == 0
    return room


def first_hit(clawgit, day: str) -> str:
    hits = clawgit("search", f"how many litres did the van need on {day}", "--json").data["results"]
    return hits[0]["snippet"]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("correct", PLACE, "The van needed 12 litres."), id="by its place"),
        pytest.param(("chat", "add", "No, the van needed 12 litres on 3 February, not 10."), id="in chat"),
    ],
)
def test_only_that_day_says_otherwise(clawgit, diary, words) -> None:
    """Seen: the new line had no day; search, prompt and notes of all other days went by it. Seen in chat: only stored."""
    assert clawgit(*words).code == 0

    assert RIGHT in diary.read("MEMORY.md")
    assert diary.read("memory/2026-02-03.md") == NOTE.format("2026-02-03", 10)
    assert RIGHT in first_hit(clawgit, "3 February")
    assert "12 litres" not in first_hit(clawgit, "15 January")
    assert "12 litres" not in first_hit(clawgit, "4 February")
    assert "instead of" not in first_hit(clawgit, "13 January")


def test_the_answer_says_that_the_note_stays_and_a_line_is_new(clawgit, diary) -> None:
    """Seen: `Corrected: MEMORY.md "The van needed 10 litres …"`, which MEMORY.md never said. Mutant: its own line is called new."""
    first = clawgit("chat", "add", "No, the van needed 12 litres on 3 February, not 10.").out
    why = clawgit("why", RIGHT).out
    second = clawgit("chat", "add", "No, the van needed 14 litres on 3 February, not 12.").out

    assert f'Corrected: the day\'s note stays; new in MEMORY.md: "{RIGHT}" (undo x:' in first
    assert "No, the van needed 12 litres on 3 February, not 10." in why
    assert f'Corrected: MEMORY.md "{RIGHT}" → ' in second


def test_a_day_of_may_is_one_too(clawgit, diary) -> None:
    """Seen: only stored. Mutant: the month is the verb."""
    diary.write("memory/2025-05-06.md", NOTE.format("2025-05-06", 10))
    diary.keep("operator")

    answer = clawgit("chat", "add", "The van needed 12 litres on 6 May 2025, not 10.").out

    assert "The van needed 12 litres (2025-05-06)." in answer


def test_the_same_line_is_corrected_again(clawgit, diary) -> None:
    """Seen: `It already says that.`, while the note said otherwise."""
    clawgit("correct", PLACE, "The van needed 12 litres.")

    again = clawgit("correct", PLACE, "The van needed 12 litres.")
    other = clawgit("correct", PLACE, "The van needed 13 litres.")

    assert "corrects that already" in again.err
    assert "already says" not in again.err
    assert other.code == 0
    assert "- 2026-03-19: The van needed 13 litres (2026-02-03). <!--" in diary.read("MEMORY.md")
    assert "13 litres" in first_hit(clawgit, "3 February")


def test_a_rehearsal_tells_the_reach(clawgit, diary) -> None:
    of_note = clawgit("correct", PLACE, "The van needed 12 litres.", "--dry-run")
    of_all = clawgit("correct", "The van needed 10 litres.", "The van needed 12 litres.", "--dry-run")

    assert "for that day alone" in of_note.err
    assert f"also holds for memory/2026-01-15.md:4, {PLACE}, memory/2026-02-04.md:4" in of_all.err


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("The van needed 14 litres (2026-01-13).", id="of another day"),
        pytest.param("Tomasz drives the van on fridays.", id="with one of its words"),
        pytest.param("The van needed 10 litres.", id="with its words and no day"),
    ],
)
def test_the_line_of_the_day_that_is_named_comes_first(clawgit, diary, line) -> None:
    """Seen: the words went beside the other line, and search had the old number alone."""
    diary.write("MEMORY.md", f"- {line} <!-- m:aaaaaa -->\n")
    diary.keep("operator")

    answer = clawgit("chat", "add", "the van needed 12 litres on 3 february, not 10").out

    assert "Corrected" in answer
    assert "beside" not in answer
    assert f"- {line} <!-- m:aaaaaa -->\n" in diary.read("MEMORY.md")
    assert RIGHT in first_hit(clawgit, "3 February")


@pytest.mark.rest
def test_an_entry_with_the_same_words_stays(clawgit, diary) -> None:
    diary.write("MEMORY.md", "- The van needed 10 litres. <!-- m:aaaaaa -->\n")
    diary.keep("operator")

    assert clawgit("correct", PLACE, "The van needed 12 litres.").code == 0

    assert "- The van needed 10 litres. <!-- m:aaaaaa -->\n" in diary.read("MEMORY.md")
