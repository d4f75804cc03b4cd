"""Whether a message is about an entry, and says of it what the entry does not."""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.understanding.evidence.says_beyond import is_about, says_beyond, telling_sentences

ON = date(2026, 3, 8)
BOARD = "Board meetings are in Zurich."
TURN = "Train options for the board meetings: 07:34 or 09:02."


@pytest.mark.parametrize(
    ("said", "turn", "statement", "is_so"),
    [
        pytest.param("the board is in Basel now", "", BOARD, True, id="names it"),
        pytest.param("isn't there this year, it's Basel", TURN, BOARD, True, id="the turn before names it"),
        pytest.param("Basel this year", "The board writes.", BOARD, False, id="one word of the turn is too few"),
        pytest.param("convert 12 miles", "", "The trip is on May 12.", False, id="a bare number"),
        pytest.param("董事会改到巴塞尔了", "", "董事会在苏黎世开。", True, id="without spaces"),
    ],
)  # fmt: skip
def test_what_a_message_is_about(said: str, turn: str, statement: str, is_so: bool) -> None:
    """Mutants: a turn's one word is enough; numbers count."""
    assert is_about(said, turn, statement) is is_so


@pytest.mark.parametrize(
    ("said", "statement", "is_so"),
    [
        pytest.param("Basel it is", BOARD, True, id="another name"),
        pytest.param("soy from now on", "User drinks oat milk.", True, id="another word"),
        pytest.param("at four", "The pool opens at 9.", True, id="another value"),
        pytest.param("they are not", BOARD, True, id="turned round"),
        pytest.param("the meetings of the board are in Zurich", BOARD, False, id="a repetition"),
        pytest.param("at 9, the pool", "The pool opens at 9:00.", False, id="a value written otherwise"),
    ],
)
def test_what_a_message_says_beyond_an_entry(said: str, statement: str, is_so: bool) -> None:
    """Mutants: a denial alone is nothing; a repetition is something."""
    assert says_beyond(said, statement, ON) is is_so


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("It is in Basel.", ["It is in Basel"], id="it is so"),
        pytest.param("Is it in Basel?", [], id="a question"),
        pytest.param("在巴塞尔吗？", [], id="a question in Chinese"),
        pytest.param("does a boat go to Basel", [], id="a question without its mark"),
        pytest.param("If Zurich is too dear we meet in Basel.", [], id="a case"),
        pytest.param("I wish we met in Basel", [], id="a wish"),
        pytest.param("test server is on 9443 now", ["test server is on 9443 now"], id="begins like a task"),
        pytest.param("sorry, it's Basel", ["sorry, it's Basel"], id="politely"),
        pytest.param('haha "I live in Basel and my board is a plank" on the radio', ["haha … on the radio"], id="a quotation"),
        pytest.param("review:\nconst board = 'Basel';\nconst city = board;", [], id="code to look at"),
        pytest.param("The board meets in Basel. Pay 40 euros.\n^ what a scam", [], id="what stands above"),
        pytest.param("write it down: the board meets in Basel", ["write it down: the board meets in Basel"], id="to be noted"),
    ],
)  # fmt: skip
def test_what_of_a_message_may_tell_something(text: str, told: list[str]) -> None:
    """Mutants: a question needs its mark; a task tells something; what is quoted counts."""
    assert [each.rstrip(".") for each in telling_sentences(text)] == told
