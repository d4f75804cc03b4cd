"""Jobs of a workspace over days of a clock that is told: one run for each slot, whatever the laptop and the jobs do."""

from __future__ import annotations

import os
import random
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from rounds import some

from clawgit.errors import ClawgitError
from clawgit.runner.jobs import Job
from clawgit.runner.run_due_jobs import Runner, is_at_work, run_due_jobs
from clawgit.workspace.clock_looks import Steady
from clawgit.workspace.records.record_tables import SlotNote, SlotState

if TYPE_CHECKING:
    from collections.abc import Callable

MONDAY = datetime(2026, 3, 23, 0, 0, tzinfo=UTC)


def job(name: str, at: str, code: str = "", *, has_input: bool = True) -> Job:
    return Job(
        name, lambda _: at, lambda day: (name, day.isoformat(), code), lambda _: has_input, is_agent=False
    )


@pytest.fixture
def look(room) -> Callable[..., list[SlotNote]]:
    """Return a function that lets a runner look once at a time; what its jobs are told stands in a file `ran`."""
    ran = room.root.parent / "ran"

    def start(_: str, words: tuple[str, ...], held: int):
        name, day, code = words
        note = f"open({str(ran)!r}, 'a').write({name + ' ' + day!r} + '\\n')"
        return [sys.executable, "-S", "-c", f"{note}\n{code}"], dict(os.environ)

    def call(now: datetime, *jobs: Job, steady: Steady | None = None) -> list[SlotNote]:
        runner = Runner(lambda: now, start, jobs=jobs, steady=lambda: steady)
        return list(run_due_jobs(room.history, runner).notes)

    return call


def test_after_a_jump_of_days_what_moves_waits_and_the_rest_goes_on(room, look) -> None:
    """Mutants: every job waits; none does; a machine that slept for as long waits too."""
    mover, other = job("mover", "02:00")._replace(moves=True), job("other", "02:00")
    day = timedelta(days=1)
    clock = Steady("boot", 5000.0)

    look(MONDAY, mover, other, steady=clock)
    clock = clock._replace(seconds=clock.seconds + 3 * day.total_seconds())
    look(MONDAY + 3 * day + timedelta(hours=3), mover, other, steady=clock)
    assert ran(room) == ["mover 2026-03-26", "other 2026-03-26"]

    look(MONDAY + 8 * day + timedelta(hours=3), mover, other, steady=clock)
    assert ran(room)[2:] == ["other 2026-03-31"]
    clock = clock._replace(seconds=clock.seconds + day.total_seconds())
    look(MONDAY + 4 * day + timedelta(hours=3), mover, other, steady=clock)
    assert ran(room)[3:] == ["mover 2026-03-27", "other 2026-03-27"]


def ran(room) -> list[str]:
    path = room.root.parent / "ran"
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.rest
def test_a_week_of_a_laptop_that_sleeps_leaves_one_run_for_each_slot(room, look) -> None:
    """Awake for some hours at a time; each slot ran or was skipped for a later one, none twice."""
    chance = random.Random(7)
    jobs = (job("nightly", "02:30"), job("daily", "18:00"), job("weekly", "Sunday 03:00"))
    now, states = MONDAY, {}
    while now < MONDAY + timedelta(days=14):
        for _ in range(chance.randint(1, 24)):
            for note in look(now, *jobs):
                states.setdefault((note.job, note.day), []).append(note.state)
            now += timedelta(minutes=20)
        now += timedelta(hours=chance.randint(0, 30))

    assert len(ran(room)) == len(set(ran(room)))
    assert {tuple(each) for each in states.values()} == {(SlotState.DONE,), (SlotState.SKIPPED,)}
    days = sorted(day for name, day in states if name == "nightly")
    assert days == [days[0] + timedelta(days=each) for each in range(len(days))]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("zone", some(["Europe/Oslo", "America/New_York", "Australia/Lord_Howe"], each=2))
@pytest.mark.parametrize("change", [(2026, 3, 5), (2026, 10, 1)], ids=["spring", "autumn"])
def test_a_nightly_job_runs_once_for_each_date_when_the_clocks_change(room, look, zone, change) -> None:
    room.history.settings = room.history.settings._replace(timezone=zone)
    now = datetime(*change, 12, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    end = now + timedelta(days=35)
    look(now, job("nightly", "02:30"))
    while now < end:
        look(now, job("nightly", "02:30"))
        now += timedelta(hours=4)

    assert len(ran(room)) == len(set(ran(room))) == 35


def test_a_job_that_is_off_is_not_run(room, look) -> None:
    jobs = (job("nightly", "off"), job("daily", "18:00"))
    look(MONDAY, *jobs)

    notes = look(MONDAY + timedelta(days=1), *jobs)

    assert {note.job for note in notes} == {"daily"}


def test_one_that_fails_or_is_killed_keeps_no_other_from_its_slot(room, look) -> None:
    """Mutant: the first failure ends the round."""
    jobs = (
        job("raises", "01:00", "raise ValueError('no luck')"),
        job("dies", "01:00", "import os; os.kill(os.getpid(), 9)"),
        job("well", "01:00"),
    )
    look(MONDAY, *jobs)

    notes = {note.job: note for note in look(MONDAY + timedelta(hours=2), *jobs)}

    assert [note.state for note in notes.values()] == [SlotState.FAILED, SlotState.FAILED, SlotState.DONE]
    assert notes["raises"].reason.endswith("ValueError: no luck")
    assert notes["dies"].reason == "It was killed by signal 9."


@pytest.mark.rest
def test_three_attempts_are_made_and_the_next_slot_begins_anew(room, look) -> None:
    failing = job("raises", "01:00", "raise SystemExit(1)")
    look(MONDAY, failing)
    for minute in range(0, 24 * 60, 3):
        look(MONDAY + timedelta(hours=1, minutes=minute), failing)
    (after,) = look(MONDAY + timedelta(days=1, hours=1), failing)

    assert ran(room)[:-1] == ["raises 2026-03-23"] * 3
    assert (after.day.day, after.attempt) == (24, 1)


@pytest.mark.rest
def test_a_clock_that_jumps_repeats_nothing_and_goes_on(room, look) -> None:
    """A day back, three days ahead, an hour back: no date runs twice, and dates that begin later run."""
    nightly = job("nightly", "02:30")
    moves = [timedelta(0), timedelta(days=-1), timedelta(days=3), timedelta(hours=-1)]
    now = MONDAY
    for move in moves:
        now += move
        for _ in range(5 * 24):
            look(now, nightly)
            now += timedelta(hours=1)

    assert len(ran(room)) == len(set(ran(room)))
    assert ran(room)[-1] == f"nightly {now.date()}"


def test_what_has_no_input_is_done_without_a_process(room, look) -> None:
    idle = job("idle", "01:00", has_input=False)
    look(MONDAY, idle)

    (note,) = look(MONDAY + timedelta(hours=2), idle)

    assert note.state is SlotState.DONE
    assert ran(room) == []


def test_a_workspace_that_is_deleted_while_its_job_runs_is_a_refusal(room, look) -> None:
    deletes = job("deletes", "01:00", f"import shutil; shutil.rmtree({str(room.root)!r})")
    look(MONDAY, deletes)

    with pytest.raises((ClawgitError, OSError)):
        look(MONDAY + timedelta(hours=2), deletes)

    assert not room.root.exists()


def test_while_a_job_is_at_work_that_is_known_and_afterwards_it_is_not(room, look) -> None:
    assert not is_at_work(room.history.state)
    seen = room.root.parent / "seen"
    code = (
        "import fcntl, os\n"
        f"lock = os.open({str(room.history.state / 'runner.lock')!r}, os.O_RDWR)\n"
        "try:\n    fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)\n"
        f"except BlockingIOError:\n    open({str(seen)!r}, 'w').close()\n"
    )
    look(MONDAY, job("looks", "01:00", code))
    look(MONDAY + timedelta(hours=2), job("looks", "01:00", code))

    assert seen.exists()
    assert not is_at_work(room.history.state)
