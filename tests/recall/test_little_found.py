"""Where few lines hold words of a question, or none answers well, more of the notes is shown, the surest first.

Mutants seen to fail here: no rest of a note, half of the minimum without a budget, half of it beside a good answer.
"""

from __future__ import annotations

import pytest

from clawgit.recall.search import Wanted, search

NOTE = "memory/notes.md"
LINES = (
    "Salt was taxed.",
    *(f"Caravans rest on day {number}." for number in range(5)),
    "Goitre needs iodine.",
)


def shown(room, wanted: Wanted) -> str:
    return "\n".join(result.snippet for result in search(room.history, wanted, room.now).results)


def test_an_answer_in_other_words_is_found_in_the_note_of_the_words(room) -> None:
    room.write(NOTE, "".join(f"- {line}\n" for line in LINES))

    assert "iodine" in shown(room, Wanted("Why is something added to salt?", min_score=0))


def test_the_rest_of_a_note_is_no_hit_above_the_minimum(room) -> None:
    room.write(NOTE, "".join(f"- {line}\n" for line in LINES))

    assert "iodine" not in shown(room, Wanted("Why is something added to salt?", min_score=0.2))


def test_from_nothing_on_a_line_that_holds_only_what_asks_comes_last(room) -> None:
    """Mutants: words that only ask are left out; they count as the others."""
    room.write(NOTE, "- La bebida con azúcar.\n")
    room.write("memory/other.md", "- Los monjes de Oaxaca.\n")
    question = "¿Quiénes endulzaron la receta con azúcar de los palacios?"

    answer = search(room.history, Wanted(question, min_score=0), room.now).results
    least = search(room.history, Wanted(question, min_score=0.01), room.now).results

    assert ["bebida" in answer[0].snippet, "monjes" in answer[-1].snippet] == [True, True]
    assert "monjes" not in "".join(result.snippet for result in least)


def test_where_nothing_answers_well_half_of_the_minimum_fills_the_budget(room) -> None:
    room.write(NOTE, "- The caravan carried salt.\n\n## Other\n\n- A late harvest.\n")
    question = "Which caravan carried salt to the harvest of agadez, bilma, taoudenni and timbuktu?"

    budget = search(room.history, Wanted(question, min_score=0.2, tokens=1250), room.now).results
    strict = search(room.history, Wanted(question, min_score=0.2), room.now).results

    assert [result.score for result in budget] == [
        pytest.approx(0.34, abs=0.06),
        pytest.approx(0.11, abs=0.04),
    ]
    assert strict == budget[:1]


def test_beside_a_good_answer_the_minimum_stays(room) -> None:
    room.write(NOTE, "- The caravan carried salt to the harvest.\n\n## Other\n\n- The salt was late.\n")

    found = shown(room, Wanted("caravan carried salt harvest", min_score=0.9, tokens=1250))

    assert "late" not in found
