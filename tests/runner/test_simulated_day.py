"""Whole days of every job in a clock that is told: across a change of the clocks, with jumps and sleep, and no growth.

Mutants that these tests caught: the slot of an hour that the day does not have is left out, a step back runs slots again,
a look leaves its records open.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawgit.runner.jobs import JOBS
from clawgit.workspace.settings.setting_types import parse_slot
from clawgit.workspace.settings.settings import Settings

DAY = timedelta(days=1)
BEGIN = datetime(2026, 3, 28, 12, tzinfo=UTC)  # before the night that has no 02:30 in Oslo
STEPPED = {5: -3600.0, 9: 5400.0, 14: -86400.0, 15: 86400.0}  # after so many hours, by so many seconds
ASLEEP = {18: 2 * 3600.0}
HANGS = 120
MORE_RSS = 20  # MB; one connection or one table of each look that stays would be far more


def every_job():
    """Return all jobs at their own times, each of one line; those of a queue have input four times."""
    for each in JOBS:
        told = lambda day, name=each.name: (name, day.isoformat(), "")  # noqa: E731 - bound to its own name
        yield each._replace(words=told, has_input=_has_input(each), is_agent=False)


def _has_input(job):
    seen = set()

    def has_input(asking) -> bool:
        if job.setting is not None:
            return True
        part = asking.now.astimezone(UTC).hour // 6
        is_new = (asking.history.root, part) not in seen
        seen.add((asking.history.root, part))
        return is_new

    return has_input


def held() -> tuple[int, int]:
    """Return how many files and threads this process has."""
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.rest
def test_a_day_of_every_job_has_each_slot_once_and_leaves_nothing_open(rehearsal, full_length) -> None:
    days = 30 if full_length else 1
    found = rehearsal(*every_job(), zone="Europe/Oslo")
    found.reading = found.reading._replace(wall=BEGIN.timestamp())
    start, hours, samples = found.reading.steady, set(), []

    def step(self):
        hour = int(self.reading.steady - start) // 3600
        if self.runner.at_work or hour in hours:
            return self.on(600 if full_length else 120)
        hours.add(hour)
        (self.roots[0] / ".git/clawgit/messages.db").write_text("x" * hour)  # something arrived
        samples.append((held(), megabytes()))
        if hour in ASLEEP:
            return self.on(ASLEEP[hour])
        return self.on(600 if full_length else 120, stepped=STEPPED.get(hour, 0.0))

    found.step = step
    found.work(BEGIN + timedelta(days=days))

    assert sorted(slots_of(found.ran)) == sorted(due_between(BEGIN, days, found.roots))
    settled_files, settled_threads = samples[4][0]
    limit = time.monotonic() + HANGS
    while held() > (settled_files, settled_threads) and time.monotonic() < limit:
        time.sleep(0.05)  # a thread that has just ended
    assert held() <= (settled_files, settled_threads)
    if full_length:
        print(f"{samples[24][1]:.0f} MB after a day, {samples[-1][1]:.0f} MB after {days}")  # noqa: T201 - a figure
        assert samples[-1][1] - samples[24][1] < MORE_RSS


def slots_of(ran: list[str]) -> list[str]:
    """Return the slots among what ran, without what works off a queue."""
    queues = {each.name for each in JOBS if each.setting is None}
    return [line for line in ran if line.split()[1] not in queues]


def due_between(begin: datetime, days: int, roots) -> set[str]:
    """Return each slot from one noon to another, told from the dates alone."""
    found = set()
    for each in JOBS:
        if each.setting is None:
            continue
        spec = parse_slot(each.setting(Settings()))
        first = begin.date() + DAY * (spec.hour < begin.hour)
        dates = [first + DAY * number for number in range(days)]
        wanted = [day for day in dates if spec.weekday in (None, day.weekday())]
        found |= {f"{root.name} {each.name} {day}" for root in roots for day in wanted}
    return found
