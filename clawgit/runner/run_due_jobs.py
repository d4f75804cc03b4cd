"""Doing the due jobs of one workspace, one after the other; each is noted before its start and after its end."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.message import StoreUnreachableError
from clawgit.capture.messages.open_messages import unreachable_now
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.authorship.intent import paused_since
from clawgit.history.git.lock import is_locked, only_holder
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.runner.job_process import JobCommand, JobEnd, JobLimits, Stop, run_process
from clawgit.runner.jobs import JOBS, Job, JobQuestion, due_now, due_of_queue, is_given_up, is_open, next_try
from clawgit.workspace.clock_looks import Steady, note_clock
from clawgit.workspace.records.record_tables import SlotNote, SlotState
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from clawgit.workspace.settings.settings import Settings


LOCK = "runner.lock"
NOTHING = RunOutcome.NOTHING.value
_BY_WEIGHT = (*(each for each in RunOutcome if each is not RunOutcome.NOTHING), RunOutcome.NOTHING)


class Runner(NamedTuple):
    """What the caller gives the runner: the clock, the start of a job's process, and its limits.

    ``start`` gets a job, its words and the lock that the process inherits; it returns the program with its arguments,
    and the environment.
    """

    clock: Callable[[], datetime]
    start: Callable[[str, Sequence[str], int], tuple[Sequence[str], Mapping[str, str]]]
    limits: JobLimits = JobLimits()
    jobs: tuple[Job, ...] = JOBS
    told: Callable[[SlotNote], object] = lambda note: None  # gets each slot when it is noted
    stop: Stop | None = None  # ends the work early
    process: Callable[[JobCommand, JobLimits, Stop | None], JobEnd] = run_process
    # reads the clock that never steps; none in a rehearsal
    steady: Callable[[], Steady | None] = lambda: None


class JobsOutcome(NamedTuple):
    """The slots of the jobs that were due, and why other jobs wait."""

    notes: tuple[SlotNote, ...] = ()
    waits: str = ""
    is_left: bool = False  # a queue still has input


def run_due_jobs(history: History, runner: Runner) -> JobsOutcome:
    # a job's process inherits the lock: if a runner is killed, the job at work still holds it
    with only_holder(history.state / LOCK) as lock:
        if lock is None:
            return JobsOutcome(waits="Another runner is at work here.")
        notes: list[SlotNote] = []
        is_left = False
        waits = ""  # why no agent may write now; waiting slots are not lost, and no attempt is spent
        paused = paused_since(history)
        try:
            refuse_odd_state(history)
        except ClawgitError as error:
            waits = error.message
        if paused is not None:
            waits = f"The jobs are paused ({paused})."
        now = runner.clock()
        jump = note_clock(history.state, now, runner.steady())
        with open_records(history.state / RECORDS, now) as records:
            noted = records.job_slots.newest(map(attrgetter("name"), runner.jobs), now)
            since = records.begun()
        for job in runner.jobs:
            is_held = (job.writes and waits) or (job.moves and jump) or job.is_off(history.settings)
            is_stopped = runner.stop is not None and runner.stop.is_told
            if not is_held and not is_stopped:
                turn = _Turn(history, runner, job, noted[job.name], lock)
                notes += turn.taken(since)
                is_left = is_left or turn.is_left
        return JobsOutcome(tuple(notes), waits or jump, is_left)


def is_at_work(state: Path) -> bool:
    return is_locked(state / LOCK)


class _Turn:
    def __init__(
        self, history: History, runner: Runner, job: Job, noted: Mapping[date, SlotNote], held_slots: int
    ) -> None:
        self._history, self._runner, self._job, self._held = history, runner, job, held_slots
        self._now, self._noted = runner.clock(), noted  # of the job's slots, the newest first
        self._table = job.timetable(history.settings)
        self.is_left = False

    def taken(self, since: datetime) -> list[SlotNote]:
        if self._table is None:
            due = due_of_queue(self._now, self._noted)
        else:
            due = due_now(self._table, self._now, self._noted, since)
        if due.before is not None:
            self._note(self._blank(due.before, SlotState.BEFORE))
        skipped = [self._blank(day, SlotState.SKIPPED)._replace(reason=reason) for day, reason in due.skipped]
        self._note(*skipped)
        if due.day is None:
            return skipped
        note = self._blank(due.day, SlotState.STARTED)._replace(attempt=due.attempt)
        return [*skipped, *self._run(note)]

    def _blank(self, day: date, state: SlotState) -> SlotNote:
        due = self._now if self._table is None else self._table.begins(day)
        return SlotNote(self._job.name, day, state, due, self._now)

    def _run(self, note: SlotNote) -> list[SlotNote]:
        tips = (each.tip for each in self._noted.values() if each.state is SlotState.DONE)
        seen = next(tips, "none")
        try:
            is_wanted = self._is_wanted(seen)
        except StoreUnreachableError:
            return []  # an outage is not an attempt
        except ClawgitError as error:
            return self._note(self._ended(note, JobEnd(None, str(error))))
        if not is_wanted:
            if self._job.setting is None:
                return []
            return self._note(self._ended(note, JobEnd(0, "")))
        self._note(note)
        argv, environment = self._runner.start(self._job.name, self._job.words(note.day), self._held)
        command = JobCommand(argv, environment, self._history.state, self._held)
        ended = self._ended(note, self._runner.process(command, self._runner.limits, self._runner.stop))
        if self._job.setting is None and ended.state is SlotState.DONE:
            with suppress(ClawgitError):  # the next attempt says what is wrong
                self.is_left = self._is_wanted(seen)
        return self._note(ended)

    def _is_wanted(self, seen: str) -> bool:
        with open_records(self._history.state / RECORDS, self._now) as records:
            return self._job.has_input(JobQuestion(self._history, records, self._now, seen))

    def _ended(self, note: SlotNote, end: JobEnd) -> SlotNote:
        now = self._runner.clock()
        outcome, reason = "", ""
        if self._job.is_agent:
            with open_records(self._history.state / RECORDS, self._now) as records:
                runs = records.runs(limit=100, agent=self._job.name)
            since = note.started.replace(microsecond=0)
            reasons: dict[RunOutcome, str] = {}  # of the newest run with each outcome
            for run in runs:
                if since <= run.at <= now:
                    reasons.setdefault(run.outcome, run.reason)
            heaviest = min(reasons, key=_BY_WEIGHT.index, default=RunOutcome.NOTHING)
            outcome, reason = heaviest.value, reasons.get(heaviest, "")
        tip = self._history.target(self._history.branch()) or ""
        if end.code == 0:
            return note._replace(state=SlotState.DONE, ended=now, outcome=outcome, reason=reason, tip=tip)
        if outcome != RunOutcome.REFUSED.value:  # of a refusal, the record has the whole sentence
            reason = end.reason or reason
        reason = reason or end.reason or f"It ended with {end.code}."
        if end.is_handed_back or (end.code == ExitCode.BUSY and unreachable_now(self._history)):
            note = note._replace(attempt=note.attempt - 1)
        return note._replace(state=SlotState.FAILED, ended=now, outcome="failed", reason=reason, tip=tip)

    def _note(self, *notes: SlotNote) -> list[SlotNote]:
        if notes:
            with open_records(self._history.state / RECORDS, self._now) as records:
                records.job_slots.note(*notes)
        if len(notes) > 1:  # slots that were missed: one line tells of all
            more = f" So it was with {len(notes) - 1} more since {notes[0].day}."
            self._runner.told(notes[-1]._replace(reason=notes[-1].reason + more))
        elif notes:
            self._runner.told(notes[0])
        return list(notes)


_MOMENT = timedelta(minutes=5)


class JobStatus(NamedTuple):
    """The state of one job; ``next`` is None for a queue or if ``is_off``, ``late`` counts from its first slot not done."""

    job: str
    last: SlotNote | None
    next: datetime | None
    late: timedelta
    failures: int
    next_try: datetime | None
    trouble: str
    is_off: bool = False


class RunnerStatus(NamedTuple):
    """The state of the jobs; ``ahead`` are slots that ran at a time to come: the clock has moved back since."""

    jobs: tuple[JobStatus, ...]
    is_seen: bool
    is_at_work: bool
    ahead: tuple[SlotNote, ...]

    @property
    def troubles(self) -> list[str]:
        return [each.trouble for each in self.jobs if each.trouble]

    @property
    def next_job(self) -> JobStatus | None:
        timed = [each for each in self.jobs if each.next is not None and self.is_seen]
        return min(timed, key=attrgetter("next"), default=None)


def read_runner_status(history: History, now: datetime, *, is_registered: bool = False) -> RunnerStatus:
    """Return the state of the jobs; what never ran is late from its first slot on, if a runner was here or should be."""
    with open_records(history.state / RECORDS, now) as records:
        noted = records.job_slots.newest(map(attrgetter("name"), JOBS), now)
        begun = records.begun()
    ahead = []
    for note in chain.from_iterable(each.values() for each in noted.values()):
        # a slot skipped then is due again on its date
        if note.started > now + _MOMENT and note.state is not SlotState.SKIPPED:
            ahead.append(note)
    is_seen = any(noted.values())
    since = now
    if is_seen or is_registered:
        since = begun
    jobs = tuple(_job_status(history.settings, job, noted[job.name], now, since) for job in JOBS)
    return RunnerStatus(jobs, is_seen, is_seen and is_at_work(history.state), tuple(ahead))


def _job_status(
    settings: Settings, job: Job, noted: Mapping[date, SlotNote], now: datetime, since: datetime
) -> JobStatus:
    if job.is_off(settings):
        last = next(iter(noted.values()), None)
        return JobStatus(job.name, last, None, timedelta(0), 0, None, "", is_off=True)
    table = job.timetable(settings)
    begun = [note for note in noted.values() if note.started <= now + _MOMENT]
    last = next((note for note in begun if note.state is not SlotState.BEFORE), None)
    following = None
    late = timedelta(0)
    if table is not None:
        following = table.begins(table.next(now))
        good = [note.day for note in begun if note.state in (SlotState.DONE, SlotState.BEFORE)]
        first = table.next(table.begins(max(good)) if good else since)
        late = max(late, now - table.begins(first))
    tried = None
    if last is not None and (is_open(last) or (table is None and is_given_up(last))):
        tried = next_try(last, now)
    failures = 0
    for note in begun:
        if note.state not in (SlotState.FAILED, SlotState.STARTED):
            break
        failures += note.attempt
    trouble = ""
    is_at_work_now = last is not None and last.state is SlotState.STARTED
    if last is not None and is_given_up(last):
        trouble = f"{job.name} failed {last.attempt} times on {last.day}: {last.reason or 'It was cut off.'}"
        if job.is_agent:
            trouble += f" `clawgit run {job.name}` tries it now."
    elif table is not None and late > 2 * table.interval and not is_at_work_now:
        trouble = (
            f"{job.name} is late by {late.days} days: no runner is there (`clawgit up`), or it cannot work"
        )
        trouble += " (`clawgit runner once` says why)."
    return JobStatus(job.name, last, following, late, failures, tried, trouble)
