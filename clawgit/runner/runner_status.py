"""How the jobs of a workspace stand: the last slot of each, the next, what failed, and whether a person is needed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.runner.due_slots import is_given_up, is_open, next_try
from clawgit.runner.jobs import JOBS
from clawgit.runner.run_due_jobs import is_at_work
from clawgit.workspace.records.record_tables import SlotState
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date, datetime
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.runner.due_slots import Timetable
    from clawgit.runner.jobs import Job
    from clawgit.workspace.records.record_tables import SlotNote
    from clawgit.workspace.settings.settings import Settings

_DAY = timedelta(days=1)
_MOMENT = timedelta(minutes=5)


class JobStatus(NamedTuple):
    """How one job stands; ``next`` is None for one that works off a queue or ``is_off``, ``late`` is counted from its first slot not done.

    ``trouble`` says what a person should look at, empty where nothing.
    """

    job: str
    last: SlotNote | None
    next: datetime | None
    late: timedelta
    failures: int
    next_try: datetime | None
    trouble: str
    is_off: bool = False


class RunnerStatus(NamedTuple):
    """How the jobs stand; ``ahead`` are slots that ran at a time to come, and run no more: the clock has moved since."""

    jobs: tuple[JobStatus, ...]
    is_seen: bool
    is_at_work: bool
    ahead: tuple[SlotNote, ...]

    @property
    def troubles(self) -> list[str]:
        """Return what a person should look at."""
        return [each.trouble for each in self.jobs if each.trouble]

    @property
    def next_job(self) -> JobStatus | None:
        """Return the job that is due next."""
        timed = [each for each in self.jobs if each.next is not None]
        return min(timed, key=lambda each: (each.next is None, each.next)) if timed and self.is_seen else None


def read_runner_status(history: History, now: datetime) -> RunnerStatus:
    """Read how the jobs stand."""
    with open_records(history.state / RECORDS, now) as records:
        noted = records.job_slots.newest((job.name for job in JOBS), now)
    return runner_status(history.settings, noted, history.state, now)


def runner_status(
    settings: Settings, noted: Mapping[str, Mapping[date, SlotNote]], state: Path, now: datetime
) -> RunnerStatus:
    """Return the same by each job's slots; ``state`` is clawgit's folder in the workspace."""
    notes = [note for of_job in noted.values() for note in of_job.values()]
    # one that was skipped then is due again on its date
    ahead = tuple(
        each for each in notes if each.started > now + _MOMENT and each.state is not SlotState.SKIPPED
    )
    jobs = tuple(_Standing(settings, job, noted[job.name], now).status() for job in JOBS)
    is_seen = any(noted.values())
    return RunnerStatus(jobs, is_seen, is_seen and is_at_work(state), ahead)


class _Standing(NamedTuple):
    settings: Settings
    job: Job
    noted: Mapping[date, SlotNote]  # the newest first
    now: datetime

    def status(self) -> JobStatus:
        if self.job.is_off(self.settings):
            last = next(iter(self.noted.values()), None)
            return JobStatus(self.job.name, last, None, timedelta(0), 0, None, "", is_off=True)
        table = self.job.timetable(self.settings)
        begun = [note for note in self.noted.values() if note.started <= self.now + _MOMENT]
        last = next((note for note in begun if note.state is not SlotState.BEFORE), None)
        following = None if table is None else table.begins(table.next(self.now))
        late = self._late(table, begun)
        waits = last is not None and (is_open(last) or (table is None and is_given_up(last)))
        tried = next_try(last, self.now) if last is not None and waits else None
        trouble = self._trouble(last, late, table)
        return JobStatus(self.job.name, last, following, late, _failures(begun), tried, trouble)

    def _late(self, table: Timetable | None, begun: list[SlotNote]) -> timedelta:
        good = [note.day for note in begun if note.state in (SlotState.DONE, SlotState.BEFORE)]
        if table is None or not good:
            return timedelta(0)
        first = table.next(table.begins(max(good)))
        return max(timedelta(0), self.now - table.begins(first))

    def _trouble(self, last: SlotNote | None, late: timedelta, table: Timetable | None) -> str:
        name = self.job.name
        if last is not None and is_given_up(last):
            again = f" `clawgit run {name}` tries it now." if self.job.is_agent else ""
            reason = last.reason or "It was cut off."
            return f"{name} failed {last.attempt} times on {last.day}: {reason}{again}"
        interval = _DAY if table is None else table.interval
        if late <= 2 * interval:
            return ""
        return (
            f"{name} is late by {late.days} days: no runner is there (`clawgit runner start`), or it cannot work"
            " (`clawgit runner once` says why)."
        )


def _failures(begun: Iterable[SlotNote]) -> int:
    count = 0
    for note in begun:
        if note.state not in (SlotState.FAILED, SlotState.STARTED):
            break
        count += note.attempt
    return count
