"""Which slot of a job is to be run now, and which were missed: the newest runs, the older ones are skipped."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.runner.slot_times import last_slot, next_slot, slot_instant, slots_between
from clawgit.workspace.records.job_slots import SlotState

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime, tzinfo

    from clawgit.workspace.records.job_slots import SlotNote
    from clawgit.workspace.settings.times_of_day import SlotSpec

ATTEMPTS = 3
PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=25))
# After which a queue that was given up is tried: what came since waits there, too.
QUEUE_AGAIN = timedelta(hours=1)
MOST_SKIPPED = 60  # that are noted after one downtime: of a year, the last two months
_LATER = "A later slot of the job ran in its place."
_NEXT_TELLS = "It was late, and the next one tells the same."


class Timetable(NamedTuple):
    """When a job is due: the time of day, the zone (None is the machine's own), and how late it may still run.

    ``spread`` is what each slot begins later by, so that the jobs of many workspaces do not begin together. Where the
    ``next_tells`` all that a missed slot would have told, that one is left out from the next day on, if it is further away
    than the next: nobody is told in the night what the morning may add to.
    """

    spec: SlotSpec
    zone: tzinfo | None
    max_lateness: timedelta
    spread: timedelta = timedelta(0)
    next_tells: bool = False

    def begins(self, day: date) -> datetime:
        """Return when a slot begins, in UTC."""
        return slot_instant(day, self.spec, self.zone) + self.spread

    def last(self, now: datetime) -> date:
        """Return the newest slot that has begun."""
        return last_slot(now - self.spread, self.spec, self.zone)

    def next(self, now: datetime) -> date:
        """Return the first slot that is still to come."""
        return next_slot(now - self.spread, self.spec, self.zone)

    def why_late(self, day: date, now: datetime) -> str:
        """Return why a slot that has begun is not run any more, empty where it is."""
        begins = self.begins(day)
        if now - begins > self.max_lateness:
            return f"It could not run within {round(self.max_lateness.total_seconds() / 3600)} hours."
        is_over = now.astimezone(self.zone).date() > begins.astimezone(self.zone).date()
        if self.next_tells and is_over and self.begins(self.next(now)) - now < now - begins:
            return _NEXT_TELLS
        return ""


class Due(NamedTuple):
    """The slot to run now, if there is one, as which attempt; and slots that will not run any more, with the reason.

    ``before`` is set where the job is seen for the first time: the slot up to which nothing is made up for.
    """

    day: date | None = None
    attempt: int = 0
    skipped: tuple[tuple[date, str], ...] = ()
    before: date | None = None


def due_now(table: Timetable, now: datetime, noted: Mapping[date, SlotNote]) -> Due:
    """Return what is due by what is noted of the job's slots.

    Of slots that have not begun nothing counts: the clock was ahead when they ran. Nor does it count that a slot was skipped
    at a time to come.
    """
    newest = table.last(now)
    noted = {day: note for day, note in noted.items() if not _is_skipped_ahead(note, now)}
    known = max((day for day in noted if day <= newest), default=None)
    if known is None:
        return Due(before=newest)
    note = noted.get(newest)
    if note is not None and note.state is not SlotState.SKIPPED and not is_open(note):
        return Due()
    missed = slots_between(known, newest, table.spec, most=MOST_SKIPPED)
    skipped = tuple((day, _LATER) for day in missed)
    if why_late := table.why_late(newest, now):
        is_noted = note is not None and not is_open(note)
        return Due() if is_noted else Due(skipped=tuple((day, why_late) for day in (*missed, newest)))
    if note is None or note.state is SlotState.SKIPPED:
        return Due(newest, 1, skipped)
    return Due(newest, note.attempt + 1) if now >= next_try(note, now) else Due()


def _is_skipped_ahead(note: SlotNote, now: datetime) -> bool:
    return note.state is SlotState.SKIPPED and note.started > now


def is_open(note: SlotNote) -> bool:
    """Say whether a slot is still to be run: an attempt failed or was cut off, and another one is left."""
    return note.state in (SlotState.STARTED, SlotState.FAILED) and note.attempt < ATTEMPTS


def is_given_up(note: SlotNote) -> bool:
    """Say whether every attempt at a slot failed or was cut off."""
    return note.state in (SlotState.STARTED, SlotState.FAILED) and note.attempt >= ATTEMPTS


def next_try(note: SlotNote, now: datetime) -> datetime:
    """Return when a slot whose last attempt failed or was cut off is tried again; one given up only if it is of a queue.

    At once where that is dated ahead, where a runner had to end and handed it back, and where the first attempt was cut off:
    that was no fault of the job's.
    """
    last = note.ended or note.started
    is_cut_off = note.state is SlotState.STARTED and note.attempt <= 1
    if last > now or note.attempt == 0 or is_cut_off:
        return now
    return last + (PAUSES[note.attempt - 1] if note.attempt < ATTEMPTS else QUEUE_AGAIN)
