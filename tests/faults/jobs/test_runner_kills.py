"""Runners and jobs that are killed at any moment: each slot is done once, and nothing of it is missing or there twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from clawgit.runner.jobs import JOBS, MINER
from clawgit.runner.run_due_jobs import Runner, run_due_jobs
from clawgit.workspace.records.job_slots import SlotState
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable

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
    "Remember that {} prefers tea.",
    "We decided to use REST for the API of {}.",
    "Remember that {} lives abroad.",
)
HOSTS = "Decision: the staging server of {} is named Heron."


def words(room, *said: str, now: datetime) -> list[str]:
    return [
        *(sys.executable, "-P", "-m", "clawgit", "-w", str(room.root)),
        *("--rehearse", "--now", now.isoformat(), *said),
    ]


@pytest.fixture
def talk(room) -> Callable[[datetime, int], None]:
    """Return a function that keeps messages of the operator's and one of the host's, of which the miner makes two changes."""

    def call(now: datetime, number: int = 0) -> None:
        for text, sender in (*((each, "user") for each in OPERATORS), (HOSTS, "assistant")):
            said = words(room, "chat", "add", text.format(NAMES[number]), "--role", sender, now=now)
            subprocess.run(said, check=True, capture_output=True)

    return call


def remembered(room) -> list[str]:
    text = room.read("MEMORY.md") + room.read("memory/learned.md")
    return [line for line in text.splitlines() if line.startswith("- ")]


def slot_of(room, now: datetime):
    with open_records(room.history.state / RECORDS, now) as records:
        return records.job_slots.of(MINER)[now.date()]


def commits_of(room, now: datetime) -> int:
    """Return how many commits the miner made in the slot of a day; other jobs have theirs."""
    said = room.git("log", f"--author={MINER}@", "--format=%B")
    return said.count(f"Clawgit-Slot: {now.date()}T00:00+00:00")


def runner_once(room, now: datetime) -> list[str]:
    return words(room, "runner", "once", now=now)


def only_miner(room, now: datetime) -> list[str]:
    """Return a runner that knows of no other job: what the others make of memory is not counted here."""
    code = (
        "import sys\nfrom clawgit.runner import jobs\n"
        "jobs.JOBS = tuple(each for each in jobs.JOBS if each.name == jobs.MINER)\n"
        "from clawgit.cli.main import run\nimport os\nsys.exit(run(sys.argv[1:], dict(os.environ)))"
    )
    return [sys.executable, "-P", "-c", code, *runner_once(room, now)[4:]]


def settled(room, now: datetime, runner: Callable[..., list[str]] = runner_once) -> None:
    """Let the runner look again and again, a minute later each time, until nothing is open."""
    for minute in range(1, 60):
        later = now + timedelta(minutes=minute)
        done = subprocess.run(runner(room, later), check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        if "Another runner is at work" in done.stderr:
            time.sleep(0.2)
        elif slot_of(room, now).state is SlotState.DONE:
            return


def miner_of(running: subprocess.Popen[bytes]) -> list[int]:
    """Return the process of the miner's job as soon as a runner has started it; none where it has ended without."""
    while running.poll() is None:
        words = ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="]
        found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
        lines = [line.split(maxsplit=2) for line in found if f" run {MINER} " in line]
        jobs = [int(pid) for pid, parent, _ in lines if int(parent) == running.pid]
        if jobs:
            return jobs
        time.sleep(0.02)
    return []


def test_a_runner_that_is_killed_at_any_moment_does_each_slot_once(room, talk, full_length) -> None:
    """Mutants: the slot is noted as done before its process begins; nothing is noted before it."""
    chance = random.Random(3)
    first = DUE - timedelta(hours=12)
    subprocess.run(words(room, "runner", "once", now=first), check=True, capture_output=True)
    for night in range(12 if full_length else 4):
        now = DUE + timedelta(days=night)
        talk(now - timedelta(days=1, hours=1), night + 1)
        running = subprocess.Popen(
            words(room, "runner", "once", now=now), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if night % 2:  # as when the power fails: the job goes as well
            jobs = miner_of(running)
            time.sleep(chance.random() / 3)
            running.kill()
            for job in jobs:
                with suppress(ProcessLookupError):
                    os.killpg(job, signal.SIGKILL)
        else:
            time.sleep(chance.random() * 3)
            running.kill()
        running.wait()
        settled(room, now)

        assert slot_of(room, now).state is SlotState.DONE
        assert commits_of(room, now) == 2
        assert len(remembered(room)) == len(set(remembered(room))) == 4 * (night + 1)


def test_three_runners_that_are_killed_in_each_slot_do_each_once(room, full_length) -> None:
    """P16. Mutants: a slot is noted as done before its process begins; what was interrupted is not run again."""
    chance, slots = random.Random(16), 60 if full_length else 1
    first = DUE - timedelta(hours=12)
    subprocess.run(words(room, "runner", "once", now=first), check=True, capture_output=True)
    kills = 0
    for night in range(slots):
        now = DUE + timedelta(days=night)
        text = f"Remember that locker {1000 + 37 * night} belongs to {NAMES[night % len(NAMES)]}."
        said = words(room, "chat", "add", text, now=now - timedelta(days=1, hours=1))
        subprocess.run(said, check=True, capture_output=True)
        runners = [
            subprocess.Popen(only_miner(room, now), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(3)
        ]
        jobs = next(filter(None, map(miner_of, runners)), [])
        time.sleep(chance.random())
        for job in jobs:
            with suppress(ProcessLookupError):
                os.killpg(job, signal.SIGKILL)
                kills += 1
        for running in runners:
            running.kill()
            running.wait()
        settled(room, now, only_miner)

    done = [slot_of(room, DUE + timedelta(days=night)).state for night in range(slots)]
    effects = [commits_of(room, DUE + timedelta(days=night)) for night in range(slots)]
    assert done == [SlotState.DONE] * slots
    assert effects == [1] * slots
    assert len(remembered(room)) == len(set(remembered(room))) == slots
    if full_length:
        print(f"{slots} slots, {kills} jobs and {3 * slots} runners killed")  # noqa: T201 - a figure


def test_a_kill_between_two_changes_of_one_slot_loses_none_of_them(room, talk, full_length) -> None:
    """Mutant: a slot counts as done when a commit of the branch names it."""
    between = 0
    jobs = tuple(job for job in JOBS if job.name == MINER)
    times = [DUE - timedelta(hours=12)]

    def start(_: str, job_words, held: int):
        argv = [
            sys.executable,
            "-P",
            "-m",
            "clawgit.cli.agents.job_start",
            str(held),
            "600",
            "-w",
            str(room.root),
        ]
        rehearsal = {"CLAWGIT_NOW": times[-1].isoformat(), "CLAWGIT_REHEARSE": "1", "CLAWGIT_ACTOR": MINER}
        return killed_after_a_change(room, [*argv, *job_words]), {**os.environ, **rehearsal}

    run_due_jobs(room.history, Runner(lambda: times[-1], start, jobs=jobs))
    for night in range(6 if full_length else 3):
        now = DUE + timedelta(days=night)
        talk(now - timedelta(days=1, hours=1), night + 1)
        times.append(now)
        run_due_jobs(room.history, Runner(lambda: times[-1], start, jobs=jobs))
        between += commits_of(room, now) == 1
        settled(room, now)

        assert commits_of(room, now) == 2
        assert len(remembered(room)) == len(set(remembered(room))) == 4 * (night + 1)
    assert between > 0


def killed_after_a_change(room, argv: list[str]) -> list[str]:
    """Return a program that starts the job and kills it as soon as the branch has moved."""
    ref = room.root / ".git/refs/heads" / room.git("symbolic-ref", "--short", "HEAD")
    code = (
        "import subprocess, sys, time\nfrom pathlib import Path\n"
        f"ref = Path({str(ref)!r})\nbefore = ref.read_bytes()\n"
        f"job = subprocess.Popen(sys.argv[1:], pass_fds=(int(sys.argv[5]),))\n"
        "while ref.read_bytes() == before and job.poll() is None:\n    pass\n"
        "job.kill()\njob.wait()\nraise SystemExit(9)\n"
    )
    return [sys.executable, "-S", "-c", code, *argv]


def test_of_several_runners_at_once_one_does_the_work(room, talk, full_length) -> None:
    """Mutant: without the lock, two of them start the same job."""
    subprocess.run(
        words(room, "runner", "once", now=DUE - timedelta(hours=12)), check=True, capture_output=True
    )
    for night in range(8 if full_length else 2):
        now = DUE + timedelta(days=night)
        talk(now - timedelta(days=1, hours=1), night + 1)
        many = [
            subprocess.Popen(
                words(room, "runner", "once", now=now),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            for _ in range(3)
        ]
        told = [each.communicate()[0] for each in many]
        settled(room, now)

        assert sum("memory-miner" in each for each in told) == 1
        assert slot_of(room, now).attempt == 1
        assert commits_of(room, now) == 2


def test_a_job_that_outlives_its_runner_is_not_begun_again_beside_it(room, talk) -> None:
    """Mutant: the lock is the runner's alone."""
    now = [DUE - timedelta(hours=12)]
    pids = room.root.parent / "pids"
    code = (
        f"import os, time\nfirst = not os.path.exists({str(pids)!r})\n"
        f"open({str(pids)!r}, 'a').write(str(os.getpid()) + ' ')\ntime.sleep(600 * first)"
    )
    driver = (
        "import sys\nfrom datetime import datetime\nfrom pathlib import Path\n"
        "from clawgit.history.git.repository import open_history\n"
        "from clawgit.runner.jobs import JOBS, MINER\n"
        "from clawgit.runner.run_due_jobs import Runner, run_due_jobs\n"
        "history = open_history(Path(sys.argv[1]))\nnow = datetime.fromisoformat(sys.argv[2])\n"
        "start = lambda job, words, held: ([sys.executable, '-S', '-c', sys.argv[3]], {})\n"
        "miner = tuple(job for job in JOBS if job.name == 'memory-miner')\n"
        "print(run_due_jobs(history, Runner(lambda: now, start, jobs=miner)).waits)\n"
    )

    def runner() -> list[str]:
        return [sys.executable, "-P", "-c", driver, str(room.root), now[-1].isoformat(), code]

    subprocess.run(runner(), check=True)
    talk(now[-1])
    now.append(DUE)
    running = subprocess.Popen(runner())
    while not pids.exists() or not pids.read_text():
        time.sleep(0.02)
    running.kill()
    running.wait()
    now.append(DUE + timedelta(minutes=10))
    try:
        told = subprocess.run(runner(), check=True, capture_output=True, text=True).stdout

        assert told == "Another runner is at work here.\n"
        assert len(pids.read_text().split()) == 1
    finally:
        os.kill(int(pids.read_text().split()[0]), signal.SIGKILL)
