"""Runners and jobs that are killed at any moment: each slot is done once, and nothing of it is missing or there twice."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import BrokenBarrierError
from typing import TYPE_CHECKING

import pytest
from processes_at_once import run_at_once
from running_service import until

from clawgit.cli.agents.job_start import job_arguments
from clawgit.cli.main import run
from clawgit.history.git.repository import open_history
from clawgit.runner.jobs import JOBS, MINER
from clawgit.runner.run_due_jobs import JobsOutcome, Runner, run_due_jobs
from clawgit.workspace.records.record_tables import SlotState
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.process import BaseProcess
    from multiprocessing.synchronize import Barrier
    from pathlib import Path

FORK = multiprocessing.get_context("fork")
MINERS = tuple(job for job in JOBS if job.name == MINER)
DUE = datetime(2026, 3, 20, 6, 0, tzinfo=UTC)
NAMES = [
    "Ada",
    "Ben",
    "Cleo",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hana",
    "Igor",
    "Jon",
    "Kim",
    "Lea",
    "Max",
    "Nina",
]
OPERATORS = (
    "I drink tea with {}.",
    "We decided to use REST for the API of {}.",
    "I rent a garage from {}.",
)


def job_of(root: Path, now: datetime) -> Callable[..., tuple[list[str], dict[str, str]]]:
    """Return how the miner is started: as the program does it, at a time that is told."""

    def start(_: str, job_words: tuple[str, ...], held: int) -> tuple[list[str], dict[str, str]]:
        told = {"CLAWGIT_NOW": now.isoformat(), "CLAWGIT_REHEARSE": "1", "CLAWGIT_ACTOR": MINER}
        return [*job_arguments(held, 600), "-w", str(root), *job_words], {**os.environ, **told}

    return start


def look(root: Path, now: datetime, clock: Callable[[], datetime] | None = None) -> JobsOutcome:
    """Do what is due for the miner."""
    return run_due_jobs(open_history(root), Runner(clock or (lambda: now), job_of(root, now), jobs=MINERS))


def runner(root: Path, now: datetime) -> BaseProcess:
    """Start a runner as a process of its own."""
    process = FORK.Process(target=look, args=(root, now))
    process.start()
    return process


def look_together(root: Path, now: datetime, said: Path, all_there: Barrier) -> None:
    """Look, and write down what was run; who holds the lock waits a while for the others to come as far."""

    def clock() -> datetime:
        with suppress(BrokenBarrierError):
            all_there.wait(1)
        return now

    ran = look(root, now, clock)
    (said / str(os.getpid())).write_text(" ".join(note.job for note in ran.notes))


@pytest.fixture
def talk(room) -> Callable[[datetime, int], None]:
    """Return a function that keeps messages of the operator's, of which the miner makes one change."""

    def call(now: datetime, number: int = 0) -> None:
        begin = ["-w", str(room.root), "--rehearse", "--now", now.isoformat(), "chat", "add"]
        for text in OPERATORS:
            assert run([*begin, text.format(NAMES[number])], {}) == 0

    return call


def remembered(room) -> list[str]:
    return [line for line in room.read("MEMORY.md").splitlines() if line.startswith("- ")]


def slot_of(room, now: datetime):
    with open_records(room.history.state / RECORDS, now) as records:
        return records.job_slots.of(MINER)[now.date()]


def commits_of(room, now: datetime) -> int:
    """Return how many commits the miner made in the slot of a day; other jobs have theirs."""
    said = room.git("log", f"--author={MINER}@", "--format=%B")
    return said.count(f"Clawgit-Slot: {now.date()}T00:00+00:00")


def settled(room, now: datetime) -> None:
    """Let the runner look again and again, a minute later each time, until nothing is open."""
    later, state = now, None
    while state is not SlotState.DONE:
        later += timedelta(minutes=1)
        assert later < now + timedelta(hours=1)
        until(
            lambda now=later: not look(room.root, now).waits
        )  # a job that outlived its runner holds the lock
        state = slot_of(room, now).state


def miner_of(running: BaseProcess) -> list[int]:
    """Return the process of the miner's job as soon as a runner has started it; none where it has ended without."""
    while running.is_alive():
        words = ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="]
        found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
        lines = [line.split(maxsplit=2) for line in found if f" run {MINER} " in line]
        jobs = [int(pid) for pid, parent, _ in lines if int(parent) == running.pid]
        if jobs:
            return jobs
        time.sleep(0.02)
    return []


def test_a_runner_that_is_killed_at_any_moment_does_each_slot_once(room, talk, full_length) -> None:
    """Mutant: the slot is noted as done before its process begins."""
    chance = random.Random(3)
    look(room.root, DUE - timedelta(hours=12))
    for night in range(12 if full_length else 2):
        now = DUE + timedelta(days=night)
        talk(now - timedelta(days=1, hours=1), night + 1)
        running = runner(room.root, now)
        jobs = miner_of(running) if night % 3 else []
        time.sleep(chance.random() / 2)
        running.kill()
        if night % 3 == 1:  # as when the power fails: the job goes as well
            for job in jobs:
                with suppress(ProcessLookupError):
                    os.killpg(job, signal.SIGKILL)
        running.join()
        settled(room, now)

        assert commits_of(room, now) == 1
        assert len(remembered(room)) == len(set(remembered(room))) == 3 * (night + 1)


def test_three_runners_that_are_killed_in_each_slot_do_each_once(room, full_length) -> None:
    """P16. Mutants: a slot is noted as done before its process begins; what was interrupted is not run again."""
    chance, slots = random.Random(16), 60 if full_length else 1
    look(room.root, DUE - timedelta(hours=12))
    kills = 0
    for night in range(slots):
        now = DUE + timedelta(days=night)
        text = f"I rent locker {1000 + 37 * night} from {NAMES[night % len(NAMES)]}."
        said_at = (now - timedelta(days=1, hours=1)).isoformat()
        assert run(["-w", str(room.root), "--rehearse", "--now", said_at, "chat", "add", text], {}) == 0
        runners = [runner(room.root, now) for _ in range(3)]
        jobs = next(filter(None, map(miner_of, runners)), [])
        time.sleep(chance.random())
        for job in jobs:
            with suppress(ProcessLookupError):
                os.killpg(job, signal.SIGKILL)
                kills += 1
        for running in runners:
            running.kill()
            running.join()
        settled(room, now)

    effects = [commits_of(room, DUE + timedelta(days=night)) for night in range(slots)]
    assert effects == [1] * slots
    assert len(remembered(room)) == len(set(remembered(room))) == slots
    if full_length:
        print(f"{slots} slots, {kills} jobs and {3 * slots} runners killed")  # noqa: T201 - a figure


def test_a_kill_right_behind_the_change_of_a_slot_makes_no_second_one(room, talk, full_length) -> None:
    """Mutant: what was interrupted is made again, whatever its commit says."""
    killed_behind = 0
    look(room.root, DUE - timedelta(hours=12))
    for night in range(6 if full_length else 1):
        now = DUE + timedelta(days=night)
        talk(now - timedelta(days=1, hours=1), night + 1)

        def killed(*told, now: datetime = now) -> tuple[list[str], dict[str, str]]:
            argv, environment = job_of(room.root, now)(*told)
            return killed_after_a_change(room, argv), environment

        run_due_jobs(room.history, Runner(lambda now=now: now, killed, jobs=MINERS))
        killed_behind += commits_of(room, now) == 1
        settled(room, now)

        assert commits_of(room, now) == 1
        assert len(remembered(room)) == len(set(remembered(room))) == 3 * (night + 1)
    assert killed_behind > 0


def killed_after_a_change(room, argv: list[str]) -> list[str]:
    """Return a program that starts the job and kills it as soon as the branch has moved."""
    ref = room.root / ".git/refs/heads" / room.git("symbolic-ref", "--short", "HEAD")
    code = (
        "import subprocess, sys, time\nfrom pathlib import Path\n"
        f"ref = Path({str(ref)!r})\nbefore = ref.read_bytes()\n"
        f"job = subprocess.Popen(sys.argv[1:], pass_fds=(int(sys.argv[5]),))\n"
        "while ref.read_bytes() == before and job.poll() is None:\n    time.sleep(0.001)\n"
        "job.kill()\njob.wait()\nraise SystemExit(9)\n"
    )
    return [sys.executable, "-S", "-c", code, *argv]


@pytest.mark.smoke
def test_of_several_runners_at_once_one_does_the_work(room, talk, tmp_path, full_length) -> None:
    """Mutant: without the lock, two of them start the same job."""
    look(room.root, DUE - timedelta(hours=12))
    for night in range(8 if full_length else 1):
        now = DUE + timedelta(days=night)
        said = tmp_path / f"said-{night}"
        said.mkdir()
        talk(now - timedelta(days=1, hours=1), night + 1)
        all_there = FORK.Barrier(3)
        run_at_once(look_together, [(room.root, now, said, all_there)] * 3)
        settled(room, now)

        told = [path.read_text() for path in said.iterdir()]
        assert sorted(told) == ["", "", MINER]
        assert slot_of(room, now).attempt == 1
        assert commits_of(room, now) == 1


def test_a_job_that_outlives_its_runner_is_not_begun_again_beside_it(room, talk) -> None:
    """Mutant: the lock is the runner's alone."""
    pids = room.root.parent / "pids"
    code = (
        f"import os, time\nfirst = not os.path.exists({str(pids)!r})\n"
        f"open({str(pids)!r}, 'a').write(str(os.getpid()) + ' ')\ntime.sleep(600 * first)"
    )

    def start(*_) -> tuple[list[str], dict[str, str]]:
        return [sys.executable, "-S", "-c", code], {}

    def looked(now: datetime) -> JobsOutcome:
        return run_due_jobs(open_history(room.root), Runner(lambda: now, start, jobs=MINERS))

    looked(DUE - timedelta(hours=12))
    talk(DUE - timedelta(hours=12))
    running = FORK.Process(target=looked, args=(DUE,))
    running.start()
    until(lambda: not running.is_alive() or (pids.exists() and pids.read_text()))
    running.kill()
    running.join()
    try:
        assert looked(DUE + timedelta(minutes=10)).waits == "Another runner is at work here."

        assert len(pids.read_text().split()) == 1
    finally:
        os.kill(int(pids.read_text().split()[0]), signal.SIGKILL)
