"""Where few lines hold words of a question, or none answers well, more of the notes is shown, the surest first.

Mutants seen to fail here: no rest of a note, half of the minimum without a budget, half of it beside a good answer,
guesses cut at the minimum, guesses where nothing is known, look-ups guessed, a large memory guessed from,
lines around that were corrected or belong to another section.
"""

from __future__ import annotations

import pytest

from clawgit.recall.search import Query, search

NOTE = "memory/notes.md"
LINES = (
    "Salt was taxed.",
    *(f"Caravans rest on day {number}." for number in range(5)),
    "Goitre needs iodine.",
)


def shown(room, wanted: Query) -> str:
    return "\n".join(result.snippet for result in search(room.history, wanted, room.now).results)


def test_the_rest_of_a_note_is_no_hit_above_the_minimum(room) -> None:
    room.write(NOTE, "".join(f"- {line}\n" for line in LINES))

    assert "iodine" not in shown(room, Query("Why is something added to salt?", min_score=0.2))


def test_a_line_that_holds_half_of_the_characters_of_an_unknown_chinese_word_answers_badly(room) -> None:
    room.write(NOTE, "- 宫里取暖靠火道，砖是细料。\n- 城墙很高。\n")

    found = search(room.history, Query("轨道板取代了什么材料？", min_score=0.1), room.now)

    assert ["取暖" in found.results[0].snippet, found.confidence] == [True, "medium"]
    assert found.results[0].score < 0.5


def test_where_nothing_answers_well_half_of_the_minimum_fills_the_budget(room) -> None:
    room.write(NOTE, "- The caravan carried salt.\n\n## Other\n\n- A late harvest.\n")
    question = "Which caravan carried salt to the harvest of agadez, bilma, taoudenni and timbuktu?"

    budget = search(room.history, Query(question, min_score=0.2, tokens=1250), room.now).results
    strict = search(room.history, Query(question, min_score=0.2), room.now).results

    assert [result.score for result in budget] == [
        pytest.approx(0.34, abs=0.06),
        pytest.approx(0.11, abs=0.04),
    ]
    assert strict == budget[:1]


def test_beside_a_good_answer_the_minimum_stays(room) -> None:
    room.write(NOTE, "- The caravan carried salt to the harvest.\n\n## Other\n\n- The salt was late.\n")

    found = shown(room, Query("caravan carried salt harvest", min_score=0.9, tokens=1250))

    assert "late" not in found


SALT = "Why is something added to salt nowadays?"
GUESSES = Query(SALT, tokens=1250, guesses=True)


def test_where_nothing_answers_well_guesses_fill_the_budget(room) -> None:
    room.write(NOTE, "".join(f"- {line}\n" for line in LINES))

    assert "iodine" in shown(room, GUESSES)
    assert "iodine" not in shown(room, GUESSES._replace(guesses=False))


@pytest.mark.parametrize(
    "question", ["the helicopter", "was salt taxed"], ids=["nothing known", "a good answer"]
)
def test_nothing_is_guessed_where_nothing_is_known_or_a_line_answers(room, question: str) -> None:
    room.write(NOTE, "".join(f"- {line}\n" for line in LINES))

    assert "iodine" not in shown(room, GUESSES._replace(query=question))


def test_a_guess_comes_with_the_lines_around_it_in_its_section(room) -> None:
    room.write(NOTE, "- Salt was taxed.\n- The tax was low.\n\n## Other\n\n- Goitre.\n" + "- x.\n" * 90)

    (first, *_) = search(room.history, Query(SALT, min_score=0.2), room.now).results

    assert first.snippet == "- Salt was taxed.\n- The tax was low."


def test_a_line_that_was_corrected_is_not_shown_around_a_guess(room) -> None:
    room.write(NOTE, "- Salt was taxed.\n- The office is in Berlin.\n")
    room.write(
        "CORRECTIONS.md",
        "## 2026-03-01 10:22 <!-- x:4f1c re-embedded:false -->\n\n- trigger: that is wrong\n"
        "- said: The office is in Berlin.\n- correct: The office is in Hamburg.\n- status: applied\n",
    )
    room.keep("operator")

    assert "Berlin" not in shown(room, Query(SALT, min_score=0.2))


def test_what_a_sessions_note_is_called_says_little_of_its_lines(room) -> None:
    """Mutants: turns, and items, that hold nothing of the question count as what stands above them."""
    turns = "user: rent is 1520\nassistant: noted\nuser: two bags\nassistant: ordered\nuser: bye\nassistant: bye\n"
    room.write("memory/2026-03-04-rent-talk.md", f"# Rent talk\n\n{turns}")
    room.write("memory/2026-03-05-rent-again.md", "# Rent\n\n- The cat has fleas.\n- Emil called.\n")

    found = search(room.history, Query("rent", min_score=0.5), room.now)

    assert [result.snippet.splitlines()[0] for result in found.results] == ["user: rent is 1520", "# Rent"]


def test_a_title_that_only_names_its_file_is_no_hit(room) -> None:
    """Seen: `memory/lessons.md:1  # Lessons`, also in a prompt."""
    room.write("memory/lessons.md", "# Lessons\n\n## Never paint in rain\n")

    assert search(room.history, Query("lessons"), room.now).results == ()
    (hit,) = search(room.history, Query("paint in rain"), room.now).results
    assert "Never paint in rain" in hit.snippet
