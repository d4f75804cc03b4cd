"""Of a long message, which is a page or a prompt as often as not, rules read only what is asked for."""

from __future__ import annotations

import pytest

from clawgit.understanding.evidence.own_sentences import own_sentences, without_pages

MIB = 1 << 19
STORY = "I live by the sea. My brother is called Silas, and he hates it. We decided to leave.\n\n" * 16


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I live in Rome.\nWe chose REST.\nTom sings.", id="three lines"),
        pytest.param("Facts for later:\n- no pets\n- the roof leaks\n- Ito has the keys\n- tea", id="a list that is introduced"),
        pytest.param("$ 5 for soup\nok", id="a price"),
        pytest.param("ERROR 500 again, never deploy on a Friday.", id="one line with a word of a log"),
        pytest.param("The ERROR was mine\nok", id="a word"),
    ],
)  # fmt: skip
def test_a_short_message_is_talk(text: str) -> None:
    """Mutants: a list is a page; one line is a log."""
    assert without_pages(text) == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        pytest.param(STORY, "", id="a story"),
        pytest.param("I live by the sea. " * 120, "", id="one long paragraph"),
        pytest.param("Rent.\n" * 12 + "Decision: pay by card.\nTea.", "", id="a label"),
        pytest.param(f"Remember: I live in Rome.\n{STORY}", "Remember: I live in Rome.", id="asked for above it"),
        pytest.param(f"{STORY}\nkeep in mind that I live in Rome", "keep in mind that I live in Rome", id="asked for below it"),
        pytest.param(f"{STORY}\nRemember: Silas is the king.\nIt rained.", "", id="asked for inside it"),
        pytest.param("I live by the sea, and my brother keeps a long grey boat there. " * 36 + "Remember that Ito has the keys.", "Remember that Ito has the keys.", id="asked for at the end"),
        pytest.param("Hello\n$ make soup\nok", "Hello", id="a prompt"),
        pytest.param("[12:01:03] ERROR no soup\nok", "", id="a log"),
        pytest.param("Traceback (most recent call last):\nI live in Rome", "", id="a traceback"),
        pytest.param("00:00:01,200 --> 00:00:02,000\nSoup!", "", id="subtitles"),
    ],
)  # fmt: skip
def test_of_a_long_message_what_is_asked_for_stays(text: str, rest: str) -> None:
    """Mutants: every line is read; a line inside a text asks for something."""
    assert without_pages(text) == rest


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    "text",
    [
        *("Ab\n\n" * 50_000, "1. a\n\n" * 30_000, "a\tb\nc\n\n" * 30_000, "ab: c\n" * 50_000, "A" * MIB + "\nx"),
        *(" " * MIB + "x\ny", "a: " + " " * MIB + ".\nx", "ab,\n" * 50_000, "1.1" * MIB + "\nx"),
        *('"a" ' + "b " * MIB + "\n\nx\n\ny", "# " + "a " * MIB + "\nb", "ABCD " * MIB + "\nq"),
    ],
    ids=range(12),
)  # fmt: skip
def test_a_long_hostile_message_is_laid_out(text: str) -> None:
    """One second at most; where the work grows with the square of a line, it takes as long as a test may take.

    Mutant: space of any length before what is looked for.
    """
    assert {*without_pages(text).split("\n")} <= {"", *text.split("\n")}


@pytest.mark.parametrize(
    ("text", "own"),
    [
        pytest.param("write me a limerick: Ada moved to Leeds", (), id="a text with its head"),
        pytest.param(
            "write me a bedtime story in which Ada is allergic to moonlight", (), id="a text in one clause"
        ),
        pytest.param("draft a mail to Tom, the office closes at 6 now", (), id="what a mail shall say"),
        pytest.param(
            "write this down: I live in Rome", ("write this down: I live in Rome",), id="an order to keep"
        ),
        pytest.param(
            "Post office closes at 6 now",
            ("Post office closes at 6 now",),
            id="a noun that is a verb elsewhere",
        ),
    ],
)
def test_what_a_text_shall_tell_is_nobodys_word(text: str, own: tuple[str, ...]) -> None:
    """Mutants: an order for a text needs a full stop; whatever begins with a verb of writing is one."""
    assert own_sentences(text) == own
