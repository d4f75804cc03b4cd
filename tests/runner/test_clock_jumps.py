"""Clocks that step and machines that sleep."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from clawgit.runner.resident_runner import Reading, jump_between, read_clocks

NOON = Reading(1_774_000_000.0, 5000.0, 4000.0)


def later(wall: float, steady: float, awake: float) -> Reading:
    return Reading(NOON.wall + wall, NOON.steady + steady, NOON.awake + awake)


@pytest.mark.parametrize(
    ("now", "moved", "slept", "sentence"),
    [
        pytest.param(later(20, 20, 20), 0.0, 0.0, "", id="time goes on"),
        pytest.param(later(25, 20, 20), 0.0, 0.0, "", id="some seconds are a correction"),
        pytest.param(
            later(-86_380, 20, 20), -86_400.0, 0.0, "The clock was moved back by 1 d.", id="a day back"
        ),
        pytest.param(later(3620, 20, 20), 3600.0, 0.0, "The clock was moved ahead by 1 h.", id="an hour"),
        pytest.param(
            later(30_020, 30_020, 20),
            0.0,
            30_000.0,
            "The machine slept for 8 h 20 min.",
            id="a night's sleep",
        ),
        pytest.param(
            later(33_620, 30_020, 20),
            3600.0,
            30_000.0,
            "The machine slept for 8 h 20 min. The clock was moved ahead by 1 h.",
            id="both",
        ),
        pytest.param(later(-20, 20, 20), -40.0, 0.0, "The clock was moved back by 40 s.", id="seconds"),
    ],
)
def test_what_three_clocks_say_of_a_time(now: Reading, moved: float, slept: float, sentence: str) -> None:
    """Mutants: only steps ahead are seen; sleep counts as a step."""
    jump = jump_between(NOON, now)

    assert jump == (datetime.fromtimestamp(now.wall, UTC), moved, slept)
    assert jump.sentence == sentence


def test_the_machines_clocks_go_on() -> None:
    before, after = read_clocks(), read_clocks()

    assert after.steady >= before.steady
    assert after.awake >= before.awake
