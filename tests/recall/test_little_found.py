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


def test_an_answer_in_other_words_is_found_in_the_note_of_the_words(room) -> None:
    room.write(NOTE, "".join(f"- {line}\n" for line in LINES))

    assert "iodine" in shown(room, Query("Why is something added to salt?", min_score=0))


def test_the_rest_of_a_note_is_no_hit_above_the_minimum(room) -> None:
    room.write(NOTE, "".join(f"- {line}\n" for line in LINES))

    assert "iodine" not in shown(room, Query("Why is something added to salt?", min_score=0.2))


def test_from_nothing_on_a_line_that_holds_only_what_asks_comes_last(room) -> None:
    """Mutants: words that only ask are left out; they count as the others."""
    room.write(NOTE, "- La bebida con azúcar.\n")
    room.write("memory/other.md", "- Los monjes de Oaxaca.\n")
    question = "¿Quiénes endulzaron la receta con azúcar de los palacios?"

    answer = search(room.history, Query(question, min_score=0), room.now).results
    least = search(room.history, Query(question, min_score=0.01), room.now).results

    assert ["bebida" in answer[0].snippet, "monjes" in answer[-1].snippet] == [True, True]
    assert "monjes" not in "".join(result.snippet for result in least)


def test_a_line_that_holds_half_of_the_characters_of_an_unknown_chinese_word_answers_badly(room) -> None:
    room.write(NOTE, "- 宫里取暖靠火道，砖是细料。\n- 城墙很高。\n")

    found = search(room.history, Query("轨道板取代了什么材料？", min_score=0.1), room.now)

    assert ["取暖" in found.results[0].snippet, found.confidence] == [True, "medium"]
    assert found.results[0].score < 0.5


KOREAN = "- 방바닥이 늘 따뜻하다.\n- 버스가 늦었다.\n"


def test_from_nothing_on_a_syllable_of_a_korean_word_is_enough(room) -> None:
    room.write(NOTE, KOREAN)

    assert "방바닥" in shown(room, Query("온돌은 방을 데우나요?", min_score=0))
    assert not shown(room, Query("온돌은 방을 데우나요?", min_score=0.01))


@pytest.mark.parametrize(
    ("question", "lines", "is_found"),
    [
        ("온돌은 겨울에 방을 데우나요?", 2, True),
        ("방송국", 2, False),
        ("온돌은 겨울에 방을 데우나요?", 250, False),
    ],
    ids=["a whole question", "a look-up", "a large memory"],
)
def test_where_nothing_is_known_a_whole_question_is_guessed_in_a_small_memory(
    room, question: str, lines: int, *, is_found: bool
) -> None:
    room.write(NOTE, KOREAN + "".join(f"- Bus {number}.\n" for number in range(lines)))

    assert ("방바닥" in shown(room, GUESSES._replace(query=question))) is is_found


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
