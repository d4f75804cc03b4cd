"""`1 yes 2 no` in five languages, and which lines of an agent's turn are clawgit's.

Mutants that these tests caught: a word that only begins with a yes; the rest of a message is passed over; a line that is
nearly clawgit's.
"""

from __future__ import annotations

import pytest

from clawgit.understanding.forms.numbered_answers import answers_in, lines_in

BASEL = "1 Board meetings: Zurich → Basel?"
THURSDAY = "2 The Apollo review: Wednesday → Thursday?"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("1 yes 2 no", {1: True, 2: False}),
        ("1: Ja, 2: nein.", {1: True, 2: False}),
        ("1是2不", {1: True, 2: False}),
        ("1 是的，2 不是", {1: True, 2: False}),
        ("1 sí / 2 no", {1: True, 2: False}),
        ("1 si", {1: True}),
        ("1 네 2 아니요", {1: True, 2: False}),
        ("1 oui - 2 non", {1: True, 2: False}),
        ("１ YES", {1: True}),
        ("1. yes\n2. no\n", {1: True, 2: False}),
        ("1 yes 2 no 3 maybe", {}),
        ("yes", {}),
        ("1 yesterday", {}),
        ("2 不要", {}),
        ("1 no idea", {}),
        ("1 yes 1 no", {}),
        ("1 yes 2", {}),
        ("ok 1 yes", {}),
        ("1 yes" + " " * 200, {}),
        ("", {}),
    ],
)
def test_only_a_message_that_is_nothing_else_answers(text: str, answers: dict[int, bool]) -> None:
    assert answers_in(text) == answers


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("turn", "held", "asks_more"),
    [
        pytest.param(f"{BASEL}\n{THURSDAY}", {BASEL, THURSDAY}, False, id="both"),
        pytest.param(f"Please answer these:\n\n- {BASEL}", {BASEL}, False, id="a bullet"),
        pytest.param(BASEL.replace("1 ", "**1.** "), {BASEL}, False, id="bold"),
        pytest.param(f"2 questions from memory:\n{BASEL}", {BASEL}, False, id="a heading with a number"),
        pytest.param("1 Board meetings: Basel?", set(), True, id="not word for word"),
        pytest.param(BASEL.replace("Zurich", "zurich"), set(), True, id="small letters"),
        pytest.param(BASEL.replace("1 ", "2 "), set(), True, id="another number"),
        pytest.param(f"{BASEL}\nShall I book it?", {BASEL}, True, id="another question"),
        pytest.param(f"{BASEL}\n好吗？", {BASEL}, True, id="another question in Chinese"),
        pytest.param(f"{BASEL}\n2) Delete the branch.", {BASEL}, True, id="another item"),
        pytest.param(f"{BASEL}\n2 Delete the branch", {BASEL}, True, id="another item without a mark"),
        pytest.param(f"{BASEL} And shall I book it", set(), True, id="more on the line"),
        pytest.param(
            f"{BASEL}\nAlso: delete the backups (yes/no)",
            {BASEL},
            True,
            id="another question without its mark",
        ),
        pytest.param(f"{BASEL}\nb) Delete the backups", {BASEL}, True, id="another item with a letter"),
        pytest.param(f"A yes keeps it as it is:\n{BASEL}", {BASEL}, True, id="what a yes would mean"),
        pytest.param(
            f"Das ist ja schnell gesagt, z. B. „1 ja 2 nein“:\n{BASEL}",
            {BASEL},
            False,
            id="a ja that is none",
        ),
        pytest.param(f"May I ask, answer with 1 yes 2 no:\n{BASEL}", {BASEL}, False, id="how to answer"),
        pytest.param("Nothing to ask.", set(), False, id="nothing"),
    ],
)
def test_lines_count_word_for_word_and_alone(turn: str, held: set[str], *, asks_more: bool) -> None:
    assert lines_in(turn, [BASEL, THURSDAY]) == (held, asks_more)
