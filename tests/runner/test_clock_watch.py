"""Clocks that step and machines that sleep."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest
import schedule

from clawgit.runner.clock_watch import Moves, Reading, Ticks, moves_between, read_clocks

NOON = Reading(1_774_000_000.0, 5000.0, 4000.0)


def later(wall: float, steady: float, awake: float) -> Reading:
    return Reading(NOON.wall + wall, NOON.steady + steady, NOON.awake + awake)


@pytest.mark.parametrize(
    ("now", "moves", "sentence"),
    [
        pytest.param(later(20, 20, 20), Moves(), "", id="time goes on"),
        pytest.param(later(25, 20, 20), Moves(), "", id="some seconds are a correction"),
        pytest.param(
            later(-86_380, 20, 20), Moves(-86_400.0), "The clock was moved back by 1 d.", id="a day back"
        ),
        pytest.param(later(3620, 20, 20), Moves(3600.0), "The clock was moved ahead by 1 h.", id="an hour"),
        pytest.param(
            later(30_020, 30_020, 20),
            Moves(0.0, 30_000.0),
            "The machine slept for 8 h 20 min.",
            id="a night's sleep",
        ),
        pytest.param(
            later(33_620, 30_020, 20),
            Moves(3600.0, 30_000.0),
            "The machine slept for 8 h 20 min. The clock was moved ahead by 1 h.",
            id="both",
        ),
        pytest.param(later(-20, 20, 20), Moves(-40.0), "The clock was moved back by 40 s.", id="seconds"),
    ],
)
def test_what_three_clocks_say_of_a_time(now: Reading, moves: Moves, sentence: str) -> None:
    """Mutants: only steps ahead are seen; sleep counts as a step."""
    found = moves_between(NOON, now)

    assert found == moves
    assert found.sentence == sentence


def test_the_machines_clocks_go_on() -> None:
    before, after = read_clocks(), read_clocks()

    assert after.steady >= before.steady
    assert after.awake >= before.awake


def test_ticks_go_on_after_the_clock_stepped_back(monkeypatch) -> None:
    """Mutant: `schedule` alone waits for the time that the clock had. It goes by the time of day."""

    class Moved(datetime):
        by = timedelta(0)

        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + cls.by

    done: list[float] = []
    ticks = Ticks({1: lambda: done.append(time.monotonic())})
    monkeypatch.setattr(schedule.datetime, "datetime", Moved)

    def tick() -> None:
        begin = len(done)
        while len(done) == begin:
            ticks.run()

    tick()
    Moved.by = timedelta(days=-1)
    tick()
    Moved.by = timedelta(days=1)
    tick()

    assert len(done) == 3
