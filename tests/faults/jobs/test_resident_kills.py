"""A resident runner that is killed again and again, with or without its jobs: each slot is done once."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rehearsed_runner import MONDAY, Reading, Rehearsal, job
from rounds import some
from running_service import until

from clawgit.workspace.records.record_tables import SlotState
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from multiprocessing.process import BaseProcess

FORK = multiprocessing.get_context("fork")
TWO_CHANGES = """
import os, time
path = EFFECTS + '-' + room
for part in ('first', 'second'):
    line = DAY + ' ' + part + '\\n'
    known = open(path).read() if os.path.exists(path) else ''
    if line not in known:
        with open(path, 'a') as file:
            file.write(line)
    time.sleep(0.1)
"""


def nightly(folder: Path):
    """Return a job of two changes, each of which has an op of its own: what is there already is not done again."""
    made = job("nightly", "02:30")
    code = TWO_CHANGES.replace("EFFECTS", repr(str(folder / "effects")))
    return made._replace(
        words=lambda day: ("nightly", day.isoformat(), code.replace("DAY", repr(day.isoformat())))
    )


def rehearse(folder: Path, roots: list[Path], until: datetime) -> Rehearsal:
    """Let a runner go on where the last one was killed."""
    clock = folder / "clock"
    wall = float(clock.read_text()) if clock.exists() else MONDAY.timestamp()

    def step(self: Rehearsal) -> Reading | None:
        if jobs_of(folder):  # one that outlived its runner: the days do not end before it does
            return None
        aside = folder / f"clock-{os.getpid()}"
        aside.write_text(str(self.reading.wall))
        aside.replace(clock)
        return self.on(1200)

    found = Rehearsal(folder, roots, (nightly(folder),), reading=Reading(wall, 1000.0), step=step)
    found.work(until)
    return found


@pytest.fixture
def started(rehearsal) -> Iterator[Callable[..., BaseProcess]]:
    """Return a function that starts a runner as a process of its own."""
    running: list[BaseProcess] = []

    def call(folder: Path, roots: list[Path], until: datetime) -> BaseProcess:
        running.append(FORK.Process(target=rehearse, args=(folder, roots, until)))
        running[-1].start()
        return running[-1]

    yield call
    for each in running:
        each.kill()
        each.join()


def states(root: Path) -> dict[str, SlotState]:
    with open_records(root / ".git/clawgit" / RECORDS, MONDAY) as records:
        return {note.day.isoformat(): note.state for note in records.job_slots.of("nightly").values()}


def done(roots: list[Path]) -> int:
    return sum(state is SlotState.DONE for root in roots for state in states(root).values())


def jobs_of(folder: Path) -> list[Path]:
    """Return the jobs that work: each names the folder in its command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [path] if str(folder / "effects").encode() in path.read_bytes() else []
    return found


def kill_with_jobs(running: BaseProcess) -> None:
    """Kill as a power cut does: the runner, and all that it started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    running.kill()
    for pid in (pid for pid, parent in pairs if parent == running.pid):
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


@pytest.mark.parametrize("seed", some(range(2), each=2))
def test_runners_and_jobs_that_are_killed_at_any_moment_do_each_slot_once(
    rehearsal, started, full_length, seed
) -> None:
    """Mutants: a slot is done before its process begins; one that was cut off is not tried again; the lock is the runner's."""
    kills, days = (10, 10) if full_length else (2, 2)
    chance = random.Random(seed)
    made = rehearsal(many=2)
    folder, roots, end = made.folder, made.roots, MONDAY + timedelta(days=days)
    for each in range(kills):
        known = done(roots)
        running = started(folder, roots, end)
        until(lambda process=running, known=known: not process.is_alive() or done(roots) > known)
        time.sleep(chance.random() / 2)
        kill_with_jobs(running) if each % 2 else running.kill()
        running.join()
    until(lambda: not jobs_of(folder))  # those that outlived their runner
    last = started(folder, roots, end)
    last.join()
    assert last.exitcode == 0

    for root in roots:
        slots = states(root)
        effects = (folder / f"effects-{root.name}").read_text().splitlines()
        ran = sorted(day for day, state in slots.items() if state is SlotState.DONE)
        assert set(slots.values()) <= {SlotState.DONE, SlotState.BEFORE, SlotState.SKIPPED}
        assert set(Counter(effects).values()) == {1}
        assert sorted(effects) == sorted(f"{day} {part}" for day in ran for part in ("first", "second"))
        assert len(slots) == days + 1
