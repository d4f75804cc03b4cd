"""A line about another name or number than the question's is no sure answer.

Mutants seen to fail here: numbers are no names, a word in small letters is none, neighbours in a list count, the heading,
the file's name, the item above or the speaker do not, a number counts without the thing that it numbers.
"""

from __future__ import annotations

import pytest

from clawgit.recall.search import search
from clawgit.recall.search_results import Hits, Query

MEMORY = """# Memory

- Ada is allergic to hazelnuts.
- Ada: invoice 5590 due on 2 May
- Ada: invoice 6843 due on 11 June
- The contact at the gallery is Ines Prado.
"""


@pytest.fixture
def memory(room):
    notes = [f"- Emil keeps item {n} for the house on shelf {n % 7}.\n" for n in range(20, 60)]
    room.write("MEMORY.md", MEMORY + "".join(notes))
    room.write("memory/2026-03-01.md", "- Batch 77 of the kiln is done.\n")
    room.write("recipe-4.md", "# Bread\n\nBake 24 minutes.\n")
    room.write(
        "memory/people.md", "# Greta\n\n- allergic to nettles\n\n# Others\n\n- Otto\n  - allergic to wool\n"
    )
    return room


def found(room, question: str) -> Hits:
    return search(room.history, Query(question), room.now)


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("what is Emil allergic to", id="a name"),
        pytest.param("what is emil allergic to", id="in small letters, as people type"),
        pytest.param("who keeps item 77", id="a number"),
        pytest.param("who keeps batch 40 for the house", id="a number of another thing"),
    ],
)
def test_a_line_about_another_one_is_not_sure(memory, question: str) -> None:
    answer = found(memory, question)

    assert (answer.confidence, answer.notes) == ("medium", ())


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        pytest.param("when is the invoice 9999 due", "'9999'", id="a number"),
        pytest.param("what is Lotte allergic to", "'Lotte'", id="a name"),
        pytest.param("what does plan.md say of hazelnuts", "'plan.md'", id="a file"),
    ],
)
def test_what_no_file_has_is_said_and_no_answer_is_sure(memory, question: str, unknown: str) -> None:
    answer = found(memory, question)

    assert answer.results
    assert answer.notes == (f"No file has {unknown}.",)
    assert answer.confidence != "high"


def test_a_name_that_was_taken_for_another_one_is_not_sure(memory) -> None:
    answer = found(memory, "what is Grete allergic to")

    assert answer.notes == ("No file has 'Grete'. Also searched for: greta.",)
    assert answer.confidence != "high"


@pytest.mark.parametrize(
    ("question", "line"),
    [
        pytest.param("what is Ada allergic to", "hazelnuts", id="in the line"),
        pytest.param("what is ada allergic to", "hazelnuts", id="in small letters"),
        pytest.param("when is invoice 6843 due", "11 June", id="a number"),
        pytest.param("what is Greta allergic to", "nettles", id="in the heading"),
        pytest.param("what is Otto allergic to", "wool", id="in the item above"),
        pytest.param("how long does recipe 4 bake", "24 minutes", id="in the file's name"),
    ],
)
def test_a_line_about_it_is_sure(memory, question: str, line: str) -> None:
    answer = found(memory, question)

    assert line in answer.results[0].snippet
    assert (answer.confidence, answer.notes) == ("high", ())


@pytest.mark.parametrize(
    ("question", "confidence"),
    [
        pytest.param("who fired the kiln on 2 March", "medium", id="half of it"),
        pytest.param("who was on call on 2 March", "medium", id="nothing of it"),
        pytest.param("which batch of the kiln was it on 2 March", "high", id="most of it"),
        pytest.param("what happened on 2 March", "high", id="only the day is asked for"),
    ],
)
def test_a_line_that_has_hardly_more_than_the_day_is_not_sure(room, question: str, confidence: str) -> None:
    """Seen: whatever was asked of a day, any line of that day was a sure answer."""
    room.write("MEMORY.md", "- 2026-03-02: The kiln's batch is 77.\n- 2026-03-02: The port is 9191.\n")

    assert found(room, question).confidence == confidence


def test_a_file_is_found_by_its_name(memory) -> None:
    """Seen: a word of no text but the name of a file found nothing, and was said to be in no file."""
    memory.write("roadmap.md", "- first the kiln, then the shelves\n")

    assert [each.path for each in found(memory, "roadmap").results] == ["roadmap.md"]
    assert not found(memory, "what does roadmap.md say of the kiln").notes
