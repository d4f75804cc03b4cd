"""A question is asked only where a person can answer it, and shown as what changes.

Mutants that these tests caught: a line without a word of his, a value that is gone, a fragment, a full stop that is new.
"""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.write_correction import change_in_short, is_askable

BOARD = "Board meetings are in Zurich."
REVIEW = "The review is on Thursday at 10:00."
RENT = "The rent is 900 euros, due on the 1st."


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("old", "new", "his_words"),
    [
        pytest.param(BOARD, "Board meetings are in Basel.", "isn't in Zurich, it's in Basel", id="a name"),
        pytest.param(BOARD, "Board meetings are in Basel.", "basel this year", id="small letters"),
        pytest.param(REVIEW, "The review is on Friday at 10:00.", "no, Friday", id="a weekday"),
        pytest.param(REVIEW, "The review is on Friday at 11:30.", "Friday at 11:30", id="two values"),
        pytest.param("The port is 9091.", "The port is 9092.", "9092, not 9091.", id="a number"),
        pytest.param("Rent is due on 1 March.", "Rent is due on 22 March.", "the 22, actually", id="a part of a date"),
        pytest.param("User eats meat.", "User does not eat meat.", "I do not eat meat.", id="a denial"),
        pytest.param("User prefers tabs.", "User prefers spaces.", "spaces please", id="no value, a word"),
        pytest.param("董事会在苏黎世开会。", "董事会在巴塞尔开会。", "今年在巴塞尔", id="Chinese"),
        pytest.param("이사회는 취리히에서 열린다.", "이사회는 바젤에서 열린다.", "바젤에서 열려요", id="Korean"),
    ],
)  # fmt: skip
def test_a_whole_line_with_his_value_is_asked(old: str, new: str, his_words: str) -> None:
    assert is_askable(old, new, his_words)


@pytest.mark.parametrize(
    ("old", "new", "his_words"),
    [
        pytest.param(BOARD, "Board meetings are in Basel.", "thanks, see you", id="nothing of his"),
        pytest.param(BOARD, "Board meetings are in Basel.", "", id="no message of his"),
        pytest.param(BOARD, "Board meetings are in Basel and Oslo.", "in Basel", id="one value of two is his"),
        pytest.param(BOARD, "Board meetings are in Zurich", "in Zurich", id="a full stop"),
        pytest.param(BOARD, "board meetings are in ＺＵＲＩＣＨ.", "in Zurich", id="other letters"),
        pytest.param(BOARD, "Basel", "in Basel", id="a fragment"),
        pytest.param(BOARD, "It's in Basel this year.", "it's in Basel this year", id="no subject"),
        pytest.param(BOARD, "Are board meetings in Basel?", "in Basel", id="a question"),
        pytest.param(BOARD, "Board meetings are in Basel,", "in Basel", id="broken off"),
        pytest.param(BOARD, "Board meetings are in Basel " * 12, "in Basel", id="too long"),
        pytest.param(REVIEW, "The review is on Friday.", "It is on Friday.", id="a time is gone"),
        pytest.param(RENT, "The rent is 950 euros.", "The rent is 950 euros.", id="a day is gone"),
        pytest.param("User's wife is called Anna and she is vegetarian.", "User is vegetarian since 2019", "I am vegetarian since 2019.", id="a name is gone"),
        pytest.param("用户住在上海。", "用户住在上海", "上海", id="Chinese full stop"),
    ],
)  # fmt: skip
def test_what_nobody_can_answer_is_not_asked(old: str, new: str, his_words: str) -> None:
    assert not is_askable(old, new, his_words)


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (BOARD, "Board meetings are in Basel.", "Board meetings: Zurich → Basel"),
        ("The review is on Monday at 10:00.", "The review is on Friday at 10:00.", "The review: Monday → Friday"),
        ("Rent is due on 1 March.", "Rent is due on 22 March.", "Rent is due: 1 March → 22 March"),
        ("The dog gets 200 g a day.", "The dog gets 300 g a day.", "The dog gets: 200 g → 300 g"),
        ("User prefers tabs.", "User prefers spaces.", "User prefers: tabs → spaces"),
        (REVIEW, "The review is on Friday at 11:30.", "The review is on Thursday at 10:00 → The review is on Friday at 11:30"),
        ("| Garden review | 3 May | Nora |", "| Garden review | 5 May | Nora |", "Garden review: 3 May → 5 May"),
        ("Zurich hosts the board.", "Basel hosts the board.", "Zurich hosts the board → Basel hosts the board"),
    ],
)  # fmt: skip
def test_one_value_is_shown_by_itself_more_by_the_whole_line(old: str, new: str, shown: str) -> None:
    assert change_in_short(old, new) == shown


def test_a_secret_is_not_shown() -> None:
    old, new = (f"The key is sk-ant-api03-{letter * 40}." for letter in "ab")
    assert "a" * 40 not in change_in_short(old, new)
    assert "b" * 40 not in change_in_short(old, new)
