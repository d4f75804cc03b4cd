"""No question is asked that a person would not ask.

Mutants that these tests caught: a full stop that is new, a name that is gone, a number of pages in the place of a year.
"""

from __future__ import annotations

import pytest

from clawgit.understanding.corrections.judge_message import is_sensible

VET = "The vet is Dr. Weber."


@pytest.mark.parametrize(
    ("entry", "line", "told"),
    [
        pytest.param("We use Postgres 16.", "We use Postgres 16", "", id="a full stop"),
        pytest.param("We use Postgres 16.", "we use postgres 16", "", id="small letters"),
        pytest.param("The key is 'blue'.", "The key is “blue”.", "", id="other quotes"),
        pytest.param("The port is 9091.", "The port is ９０９１.", "", id="full width"),
        pytest.param("The  port is 9091.", "The port is 9091!", "", id="white space"),
        pytest.param("用户住在上海。", "用户住在上海", "", id="Chinese full stop"),
        pytest.param(
            "User's wife is called Anna and she is vegetarian.",
            "User is vegetarian since 2019",
            "I am vegetarian since 2019.",
            id="a name is gone",
        ),
        pytest.param(
            "The review is on Thursday at 10:00.",
            "The review is on Friday.",
            "It is on Friday.",
            id="a time is gone",
        ),
        pytest.param(
            "The rent is 900 euros, due on the 1st.",
            "The rent is 950 euros.",
            "The rent is 950 euros.",
            id="a day is gone",
        ),
        pytest.param(
            "Decided to print the 2027 calendar.",
            "Decided to print the 13 calendar.",
            "No, the calendar has 13 pages.",
            id="pages for a year",
        ),
        pytest.param(
            "The team has 8 desks.",
            "The team has 12 desks.",
            "No, the team has 12 chairs.",
            id="chairs for desks",
        ),
        pytest.param(
            "Decided to print the 2027 calendar.",
            "Decided to print the 13 calendar.",
            "",
            id="a number for a year",
        ),
    ],
)
def test_senseless_lines_are_not_asked_about(entry: str, line: str, told: str) -> None:
    assert not is_sensible(entry, line, told)


@pytest.mark.parametrize(
    ("entry", "line", "told"),
    [
        pytest.param(VET, "The vet is Dr. Braun.", "No, it's Dr. Braun.", id="another name"),
        pytest.param(
            "The team has 8 desks.",
            "The team has 12 desks.",
            "No, the team has 12 desks.",
            id="as many of the same",
        ),
        pytest.param("The port is 9091.", "The port is 9092.", "9092, not 9091.", id="a bare number"),
        pytest.param(
            "The launch is on 3 March.",
            "The launch is on the 12th.",
            "It is on the 12th.",
            id="a day of a date",
        ),
        pytest.param("User eats meat.", "User does not eat meat.", "I do not eat meat.", id="a denial"),
        pytest.param("The temperature is 5 degrees.", "The temperature is -5 degrees.", "", id="below zero"),
    ],
)
def test_what_says_something_else_is_asked(entry: str, line: str, told: str) -> None:
    assert is_sensible(entry, line, told)
