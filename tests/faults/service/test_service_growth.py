"""What has been asked leaves nothing behind: no files, no threads, no memory that grows with requests or with time.

Of the day in a clock that is told, only the runner's clock is told, and the time that its jobs have: what the service does every
few minutes it does as often as in a day, in less time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from running_service import FORK, QUICK, until

from clawgit.runner.jobs import JOBS
from clawgit.runner.resident_runner import Clock, ResidentRunner
from clawgit.service.service_log import Event
from clawgit.workspace.records.record_tables import SlotState
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from clawgit.service.daemon import Workings

FEW = 10  # what comes and goes by itself; a request that left something would have left hundreds
HERE = {"workspace": "main", "actor": "host"}


def held(pid: int) -> tuple[int, int]:
    """Return how many files a process has open, and how many threads."""
    process = Path("/proc") / str(pid)
    return len(list((process / "fd").iterdir())), len(list((process / "task").iterdir()))


def memory(pid: int) -> int:
    """Return a process's memory in kB."""
    lines = (Path("/proc") / str(pid) / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def asked(client, times: int) -> None:
    for number in range(times):
        client.ask("triage", **HERE, text=f"Don't forget: {number}.")
        client.ask("memory.search", **HERE, query=f"tea {number}")
        client.ask("memory.get", **HERE, path="MEMORY.md")
        client.ask("nothing.such", **HERE)
        client.send(b"no JSON\n")
        client.line()


def test_many_requests_leave_nothing_behind(start_service, room, full_length) -> None:
    """Mutant: each request opens the workspace and leaves it open."""
    running = start_service()
    client = running.client()
    asked(client, 60)  # all threads of the service are there
    before, size = held(running.pid), memory(running.pid)

    asked(client, 3000 if full_length else 150)

    until(lambda: all(now < was + FEW for now, was in zip(held(running.pid), before, strict=True)))
    assert memory(running.pid) < size + 20_000


HOURS, STEP = 24, 600  # seconds that the clock goes on at once
SETTLED = 6  # hours until every part has been at work
MORE_KB = 7_000  # in the hours after that; it was 3,100 to 3,900
TIMES = QUICK._replace(quiet=30.0, reconcile=300.0)


class ToldTime:
    """A time that the test tells and the service's runner goes by, and how often that was idle since."""

    def __init__(self, begin: datetime) -> None:
        self._wall, self._idle = FORK.Value("d", begin.timestamp()), FORK.Value("q", 0)
        self._begin = begin.timestamp()

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self._wall.value, UTC)

    def go_on(self, seconds: float) -> None:
        """Let time pass, and wait until the runner has found that nothing more is due."""
        self._wall.value += seconds
        self._idle.value = 0
        until(lambda: self._idle.value > 4)

    def runner(self, app: Any, workings: Workings) -> Workings:
        """Return the workings with a runner that goes by this time."""

        def made(tell, times) -> ResidentRunner:
            account = workings.runner(tell, times)._account
            opened = account.open_workspace

            def open_workspace(root: Path):
                history, runner = opened(root)
                return history, runner._replace(
                    clock=lambda: self.now,
                    start=partial(self._started, runner.start),
                )

            def told(event) -> None:
                tell(Event(event.kind, event.text))

            def wait(woken, _seconds: float) -> None:
                self._idle.value = self._idle.value + 1 if not runner.at_work else 0
                woken.wait(0.02)

            clock = Clock(lambda: self._wall.value, lambda: self._wall.value - self._begin, wait)
            own = account._replace(open_workspace=open_workspace)
            runner = ResidentRunner(own, tell=told, times=times, clock=clock)
            return runner

        return workings._replace(runner=made)

    def _started(self, start, job: str, words, held_lock: int):
        argv, environment = start(job, words, held_lock)
        return argv, {**environment, "CLAWGIT_NOW": self.now.isoformat(), "CLAWGIT_REHEARSE": "1"}


def an_hour_of(client, room, told: ToldTime, hour: int) -> None:
    """Talk, ask and edit while an hour passes."""
    texts = (f"Remember: invoice {hour} is due on the 3rd.", f"I like tea number {hour}.", "Fine.")
    for step in range(3600 // STEP):
        at = told.now.isoformat()
        own = {"role": "user", "channel": "main", "conversation": "day", "at": at, "id": f"{hour}-{step}"}
        client.ask("message.in", **HERE, text=texts[step % 3], **own)
        for method in ("memory.search", "context"):
            client.ask(method, **HERE, query=f"which invoice is due, {step}?")
        client.ask("status", **HERE)
        (room.root / "memory/notes.md").write_text(f"- hour {hour}, step {step}\n")
        told.go_on(STEP)


def sizes(pid: int) -> tuple[int, int, int]:
    """Return how many files and threads the service has, and its memory."""
    return *held(pid), memory(pid)


@pytest.mark.long
def test_a_day_leaves_no_file_no_thread_and_no_memory_behind(start_service, room) -> None:
    """Mutants: a look, a job or a message leaves something open."""
    told = ToldTime(datetime.now(UTC) - timedelta(hours=HOURS))
    running = start_service(TIMES, changed=told.runner)
    client = running.client()
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
    samples = []
    for hour in range(HOURS):
        an_hour_of(client, room, told, hour)
        samples.append([sizes(int(pid)) for pid in (running.pid, children[0])])
    for number, (settled, end) in enumerate(zip(samples[SETTLED], samples[-1], strict=True)):
        print("service" if number == 0 else "forks", settled, end)  # noqa: T201 - a figure

    assert {name for name, state in slots(room) if state is SlotState.DONE} >= DAILY
    assert running.told("bug") + running.told("aside") == []
    for settled, end in zip(samples[SETTLED], samples[-1], strict=True):
        assert end[0] < settled[0] + FEW
        assert end[1] < settled[1] + FEW
        assert end[2] < settled[2] + MORE_KB


DAILY = {"soul-keeper", "organizer", "lessons-extractor", "memory-miner", "conflict-detector", "digest"}


def slots(room) -> list[tuple[str, SlotState]]:
    with open_records(room.history.state / RECORDS, datetime.now(UTC)) as records:
        return [(job.name, note.state) for job in JOBS for note in records.job_slots.of(job.name).values()]
