"""What makes a line the operator's own although somebody else wrote it, and what is but a reading of his words."""

from __future__ import annotations

import pytest

from clawgit.memory.provenance.readings import changes_one_value, is_reading, is_verbatim

BOARD = "Board meetings are in Zurich."


@pytest.mark.parametrize(
    ("statement", "old", "quote"),
    [
        pytest.param("The board meets in Basel.", "", "Hi! The board meets in Basel. Bye.", id="one of his sentences"),
        pytest.param("2026-03-08: the board meets in Basel #event", "", "The board meets in Basel.", id="a day and a tag"),
        pytest.param('User: "The board meets in Basel."', "", "The board meets in Basel.", id="quoted"),
        pytest.param("Board meetings are in Basel.", BOARD, "No, it is in Basel, not in Zurich.", id="the old value, too"),
        pytest.param("Board meetings are in Basel", BOARD, "Not in Zurich, in Basel!", id="no full stop"),
        pytest.param("Board meetings are in Basel.", BOARD, "Board meetings are now in Basel.", id="all of the subject"),
        pytest.param(f"Remember that {BOARD[:-7]}Basel.", f"Remember that {BOARD}", "Board meetings are now in Basel.", id="asked to be remembered"),
    ],
)  # fmt: skip
def test_his_own_sentence_and_one_value_that_he_names_are_his(statement: str, old: str, quote: str) -> None:
    assert not is_reading(statement, old, [quote])


@pytest.mark.parametrize(
    ("statement", "old", "quotes"),
    [
        pytest.param("The board meets in Basel.", "", [], id="no message"),
        pytest.param("The board meets in Basel.", "", [""], id="no words"),
        pytest.param("The board meets in Basel.", "", ["Ask whether the board meets in Basel."], id="a part of a sentence"),
        pytest.param("The board meets in Basel. It costs 4k.", "", ["The board meets in Basel."], id="one of two"),
        pytest.param("Board meetings are in Basel.", BOARD, ["It is in Basel."], id="nothing of the subject"),
        pytest.param("Board meetings are in Basel.", BOARD, ["Not in Zurich, in Basel or Bern."], id="another candidate"),
        pytest.param("Board dinners are in Basel.", BOARD, ["Not in Zurich, in Basel."], id="more than one value changes"),
    ],
)  # fmt: skip
def test_anything_else_is_a_reading(statement: str, old: str, quotes: list[str]) -> None:
    assert is_reading(statement, old, quotes)


def test_a_value_of_his_sentence_is_corrected_outside_of_quotation_marks() -> None:
    """Mutant: what he did not say so stands in quotation marks."""
    quoted = 'User: "I live in Rome now."'
    told = "No, I live in Milan now."

    assert changes_one_value(quoted, "User: I live in Milan now.", told)
    assert is_verbatim(quoted, "I live in Rome now.")
    assert not is_verbatim("User: I live in Milan now.", "I live in Rome now.")
