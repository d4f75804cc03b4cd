"""Whether the clock was moved, or the machine slept: looked for at each tick of the resident runner.

Ticks are given by `schedule`, which goes by the time of day: where that steps back, its next ticks are as far away, and
it would stop for so long.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NOTICED = 30.0  # seconds
if sys.platform == "darwin":
    _STEADY, _AWAKE = time.CLOCK_MONOTONIC, 8  # CLOCK_UPTIME_RAW, which `time` names only where it is
else:
    _STEADY, _AWAKE = time.CLOCK_BOOTTIME, time.CLOCK_MONOTONIC


class Reading(NamedTuple):
    """The seconds that three clocks show: that of the day, one that never steps, and one that stops while the machine sleeps."""

    wall: float
    steady: float
    awake: float


def read_clocks() -> Reading:
    """Return what the machine's clocks show."""
    return Reading(time.time(), time.clock_gettime(_STEADY), time.clock_gettime(_AWAKE))


class Moves(NamedTuple):
    """By how much the clock was moved between two readings, and how long the machine slept, in seconds."""

    stepped: float = 0.0
    slept: float = 0.0

    @property
    def sentence(self) -> str:
        """Return what happened in words, empty where nothing did."""
        said = []
        if self.slept:
            said.append(f"The machine slept for {_span(self.slept)}.")
        if self.stepped:
            way = "ahead" if self.stepped > 0 else "back"
            said.append(f"The clock was moved {way} by {_span(self.stepped)}.")
        return " ".join(said)


def moves_between(before: Reading, now: Reading) -> Moves:
    """Return what is more than a correction of some seconds."""
    passed = now.steady - before.steady
    stepped = now.wall - before.wall - passed
    slept = passed - (now.awake - before.awake)
    return Moves(stepped if abs(stepped) > NOTICED else 0.0, slept if slept > NOTICED else 0.0)


def _span(seconds: float) -> str:
    whole = round(abs(seconds))
    units = (("d", whole // 86_400), ("h", whole % 86_400 // 3600), ("min", whole % 3600 // 60))
    return " ".join(f"{count} {unit}" for unit, count in units if count) or f"{whole} s"


class Ticks:
    """What is done every so many seconds."""

    def __init__(self, every: Mapping[int, Callable[[], object]]) -> None:
        self._every = every
        self._scheduler = schedule.Scheduler()

    def run(self) -> None:
        """Do what is due; where the next tick is further away than the shortest span, the clock stepped back: begin again."""
        ahead = self._scheduler.idle_seconds
        if ahead is None or ahead > min(self._every) + 1:
            self._begin()
        self._scheduler.run_pending()

    def _begin(self) -> None:
        self._scheduler.clear()
        for seconds, do in self._every.items():
            self._scheduler.every(seconds).seconds.do(do)
