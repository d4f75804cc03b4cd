"""Workspaces that a resident runner looks after, in a time that is told."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

import pytest

from clawgit.history.git.repository import open_history
from clawgit.runner.jobs import Job
from clawgit.runner.resident_runner import Account, Clock, ResidentRunner, RunnerEvent
from clawgit.runner.run_due_jobs import Runner
from clawgit.workspace.records.record_tables import SlotState

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator
    from pathlib import Path

MONDAY = datetime(2026, 3, 23, 0, 0, tzinfo=UTC)


class Reading(NamedTuple):
    """The seconds that two clocks show: that of the day, and one that never steps."""

    wall: float
    steady: float


BEGIN = Reading(MONDAY.timestamp(), 1000.0)


def job(name: str, at: str | None, code: str = "", *, has_input: Callable[..., bool] = lambda _: True) -> Job:
    """Return a job of one line of Python; without a time it works off a queue."""
    setting = None if at is None else (lambda _: at)
    return Job(name, setting, lambda day: (name, day.isoformat(), code), has_input, is_agent=False)


@dataclass
class Rehearsal:
    """A resident runner in a time that goes on while it waits: as much each time as ``steps`` says."""

    folder: Path
    roots: list[Path]
    jobs: tuple[Job, ...]
    reading: Reading = BEGIN
    events: list[RunnerEvent] = field(default_factory=list)
    until: float = 0.0
    most_at_work: int = 0
    runner: ResidentRunner | None = None
    step: Callable[[Rehearsal], Reading | None] = lambda self: self.on(30)

    def on(self, seconds: float, *, stepped: float = 0.0) -> Reading:
        """Return what the clocks show some seconds later."""
        return Reading(self.reading.wall + seconds + stepped, self.reading.steady + seconds)

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.reading.wall, UTC)

    @property
    def ran(self) -> list[str]:
        """Return what jobs were begun, as `WORKSPACE JOB DAY`, in their order."""
        path = self.folder / "ran"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def done(self) -> list[tuple[str, str]]:
        """Return what became of slots, in the order in which it was noted: job and state."""
        notes = [event.note for event in self.events if event.note is not None]
        return [(note.job, note.state.value) for note in notes if note.state is not SlotState.STARTED]

    @property
    def most_jobs(self) -> int:
        """Return how many jobs were at work at once at most."""
        states = [event.note.state for event in self.events if event.note is not None]
        steps = [{SlotState.STARTED: 1, SlotState.DONE: -1}.get(state, 0) for state in states]
        return max(accumulate(steps))

    def told(self, kind: str) -> list[str]:
        return [event.text for event in self.events if event.kind == kind]

    def work(self, until: datetime) -> None:
        """Let a new runner work until then."""
        self.until = until.timestamp()
        account = Account(lambda: (list(self.roots), ""), self._open, self._keep)
        clock = Clock(lambda: self.reading.wall, lambda: self.reading.steady, self._wait)
        self.runner = ResidentRunner(account, tell=self.events.append, clock=clock)
        self.runner.work()

    def _wait(self, woken: threading.Event, _: float) -> None:
        assert self.runner is not None
        self.most_at_work = max(self.most_at_work, self.runner.at_work)
        following = self.step(self)
        if following is None or (self.runner.at_work and self.is_patient):
            woken.wait(0.02)
        elif following.wall >= self.until:
            self.runner.stop()
        else:
            self.reading = following

    is_patient: bool = True  # time goes on only while nothing is at work
    zone: str = "UTC"
    settings: dict[str, dict[str, object]] = field(default_factory=dict)  # of workspaces, by their names

    kept: list[tuple[datetime, str]] = field(default_factory=list)  # when edits of which workspace were kept

    def _keep(self, root: Path) -> None:
        self.kept.append((self.now, root.name))

    def _open(self, root: Path):
        history = open_history(root)
        history.settings = history.settings._replace(timezone=self.zone, **self.settings.get(root.name, {}))
        zone = ZoneInfo(self.zone)

        def start(_: str, words: tuple[str, ...], held: int):
            name, day, code = words
            note = f"open({str(self.folder / 'ran')!r}, 'a').write({f'{root.name} {name} {day}'!r} + '\\n')"
            return [sys.executable, "-S", "-c", f"room = {root.name!r}\n{note}\n{code}"], dict(os.environ)

        return history, Runner(lambda: self.now.astimezone(zone), start, jobs=self.jobs)


@pytest.fixture
def rehearsal(tmp_path, new_workspace) -> Iterator[Callable[..., Rehearsal]]:
    """Return a function that makes so many workspaces with the same jobs, and their runner."""

    def make(*jobs: Job, many: int = 1, **more: object) -> Rehearsal:
        roots = [tmp_path / f"w{number}" for number in range(many)]
        for root in roots:
            new_workspace(root, MONDAY)
        return Rehearsal(tmp_path, roots, jobs, **more)

    return make
