"""When a workspace is to be looked at again, if nothing comes there meanwhile."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.capture.messages.message_database import StoreUnreachableError
from clawgit.capture.messages.open_messages import unreachable_now
from clawgit.errors import ClawgitError
from clawgit.runner.jobs import Asking
from clawgit.runner.missed_slots import due_now, is_given_up, is_open, next_try
from clawgit.runner.run_due_jobs import why_agents_wait
from clawgit.workspace.clock_looks import clock_jump
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from clawgit.history.git.repository import History
    from clawgit.runner.jobs import Job
    from clawgit.runner.run_due_jobs import Runner
    from clawgit.workspace.records.job_slots import SlotNote
    from clawgit.workspace.records.records import Records

BLOCKED = timedelta(minutes=1)  # until a job that cannot begin now is looked at again


def next_look(history: History, runner: Runner) -> datetime | None:
    """Return when the first job begins or is tried again; the present where its input waits already.

    Raises:
        RecordsError: The records cannot be read.
    """
    now = runner.clock()
    blocked = why_agents_wait(history)
    unreachable = unreachable_now(history)
    has_jumped = bool(clock_jump(history.state, now, runner.steady()))
    times = []
    with open_records(history.state / RECORDS, now) as records:
        noted = records.job_slots.newest((job.name for job in runner.jobs), now)
        for job in runner.jobs:
            time = _Next(history, runner, records, now).of(job, noted[job.name])
            if time is not None:
                is_held = (blocked and job.writes) or (has_jumped and job.moves) or unreachable
                times.append(max(time, now + BLOCKED) if is_held else time)
    return min(times, default=None)


class _Next:
    def __init__(self, history: History, runner: Runner, records: Records, now: datetime) -> None:
        self._history, self._runner, self._records, self._now = history, runner, records, now

    def of(self, job: Job, noted: Mapping[date, SlotNote]) -> datetime | None:
        table = self._runner.table(job, self._history.settings)
        if table is None:
            return self._of_queue(job, noted)
        if due_now(table, self._now, noted).day is not None:
            return self._now
        following = table.begins(table.next(self._now))
        note = noted.get(table.last(self._now))
        return min(following, next_try(note, self._now)) if note is not None and is_open(note) else following

    def _of_queue(self, job: Job, noted: Mapping[date, SlotNote]) -> datetime | None:
        note = noted.get(self._now.date())
        if note is not None and (is_open(note) or is_given_up(note)):
            return next_try(note, self._now)
        try:
            waits = job.has_input(Asking(self._history, self._records, self._now, ""))
        except StoreUnreachableError:
            return self._now + BLOCKED
        except ClawgitError:
            return None  # the next attempt says what is wrong
        return self._now if waits else None
