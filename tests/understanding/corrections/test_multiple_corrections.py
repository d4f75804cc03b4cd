"""What comes of a message that says several things: none is dropped without a word.

Mutants that it caught: parts that were not understood are forgotten; every part with a value is asked about.
"""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import Exchange
from clawgit.memory.corrections.write_correction import Remembered
from clawgit.understanding.corrections.multiple_corrections import LEFT_OUT, judge_each

ENTRIES = b"- The request timeout is 30 seconds.\n- The retry limit is 5.\n- The school run leaves at 8:15.\n"
SAID = "The request timeout is 30 seconds and the retry limit is 5."


def verdicts(told: str, said: str = SAID) -> list[tuple[Status, str, str]]:
    found = judge_each(Exchange(told, "medium", (said,)), Remembered({"MEMORY.md": ENTRIES}).entries())
    return [(each.status, each.said, each.note) for each in found]


SET_RIGHT = (Status.APPLIED, "The request timeout is 30 seconds", "")


def test_a_part_that_is_about_another_statement_and_not_understood_is_asked_about() -> None:
    told = "No, the timeout is 45 seconds. The retry limit seems to be 7 for us."
    assert verdicts(told) == [SET_RIGHT, (Status.OPEN, "the retry limit is 5.", LEFT_OUT)]


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("No, the timeout is 45 seconds. We leave at 8:00.", id="it names nothing that is known"),
        pytest.param("No, the timeout is 45 seconds. Is the retry limit really 7?", id="a question"),
        pytest.param("No, the timeout is 45 seconds. Maybe the retry limit was 7 once.", id="a guess"),
        pytest.param("No, the timeout is 45 seconds. The retry limit of 5 stays.", id="the same value"),
    ],
)
def test_a_part_that_sets_nothing_right_is_not_asked_about(told: str) -> None:
    assert verdicts(told) == [SET_RIGHT]


def test_what_holds_once_is_noted_and_nobody_is_asked() -> None:
    ((status, _, _),) = verdicts("This week it's 60 seconds.", "The request timeout is 30 seconds.")
    assert status is Status.LOGGED
