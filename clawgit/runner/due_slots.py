"""Which slot of a job is due: a slot is a date in the workspace's zone, and begins at the job's time of day.

A moved time or another zone never runs a job twice for one date. Of the slots that were missed the newest runs, the older
ones are skipped.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.workspace.records.record_tables import SlotNote, SlotState

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from clawgit.workspace.settings.setting_types import SlotSpec

ATTEMPTS = 3
PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=25))
# After which a queue that was given up is tried: what came since waits there, too.
QUEUE_AGAIN = timedelta(hours=1)
MOST_SKIPPED = 60  # that are noted after one downtime: of a year, the last two months
_DAY = timedelta(days=1)
_WEEK = timedelta(weeks=1)
_LATER = "A later slot of the job ran in its place."
_NEXT_TELLS = "It was late, and the next one tells the same."


class Timetable(NamedTuple):
    """When a job is due: the time of day, the zone (None is the machine's own), and how late it may still run.

    Where the ``next_tells`` all that a missed slot would have told, that one is left out from the next day on, if it is further
    away than the next: nobody is told in the night what the morning may add to.
    """

    spec: SlotSpec
    zone: tzinfo | None
    max_lateness: timedelta
    next_tells: bool = False

    @property
    def interval(self) -> timedelta:
        return _DAY if self.spec.weekday is None else _WEEK

    def begins(self, day: date) -> datetime:
        """Return when a slot begins, in UTC.

        A time that the day does not have is moved forward by what the clocks skip; of one that it has twice the first counts.
        """
        local = datetime(day.year, day.month, day.day, self.spec.hour, self.spec.minute, tzinfo=self.zone)
        begins = local.astimezone(UTC)
        # Python moves it back, then
        if self.zone is None and begins.astimezone().replace(tzinfo=None) != local:
            return local.replace(fold=1).astimezone(UTC)
        return begins

    def last(self, now: datetime) -> date:
        # that of tomorrow can have begun where clocks go back over midnight
        day = self._newest(now.astimezone(self.zone).date() + _DAY)
        while self.begins(day) > now:
            day -= self.interval
        return day

    def next(self, now: datetime) -> date:
        return self.last(now) + self.interval

    def between(self, after: date, before: date) -> list[date]:
        """Return the slots after one date and before another, oldest first, at most the newest MOST_SKIPPED of them."""
        days: list[date] = []
        day = self._newest(before - _DAY)
        while day > after and len(days) < MOST_SKIPPED:
            days.append(day)
            day -= self.interval
        return days[::-1]

    def why_late(self, day: date, now: datetime) -> str:
        """Return why a slot that has begun is not run any more, empty where it is."""
        begins = self.begins(day)
        if now - begins > self.max_lateness:
            return f"It could not run within {round(self.max_lateness.total_seconds() / 3600)} hours."
        is_over = now.astimezone(self.zone).date() > begins.astimezone(self.zone).date()
        if self.next_tells and is_over and self.begins(self.next(now)) - now < now - begins:
            return _NEXT_TELLS
        return ""

    def _newest(self, day: date) -> date:
        if self.spec.weekday is None:
            return day
        return day - timedelta((day.weekday() - self.spec.weekday) % 7)


class Due(NamedTuple):
    """The slot to run now, if there is one, as which attempt; and slots that will not run any more, with the reason.

    ``before`` is set where the job is seen for the first time: the slot, older than clawgit's records, up to which nothing is made up for.
    """

    day: date | None = None
    attempt: int = 0
    skipped: tuple[tuple[date, str], ...] = ()
    before: date | None = None


def due_now(
    table: Timetable, now: datetime, noted: Mapping[date, SlotNote], since: datetime | None = None
) -> Due:
    """Return what is due by what is noted of the job's slots; of one that was never looked at, what began ``since`` then.

    Of slots that have not begun nothing counts: the clock was ahead when they ran. Nor does it count that a slot was skipped
    at a time to come.
    """
    newest = table.last(now)
    begun = [
        day
        for day, note in noted.items()
        if day <= newest and not (note.state is SlotState.SKIPPED and note.started > now)
    ]
    if not begun:
        if since is None or table.begins(newest) <= since:
            return Due(before=newest)
        begun.append(newest - table.interval)
    note = noted[newest] if newest in begun else None
    if note is not None and note.state is not SlotState.SKIPPED and not is_open(note):
        return Due()
    missed = table.between(max(begun), newest)
    why_late = table.why_late(newest, now)
    if why_late:
        if note is not None and not is_open(note):
            return Due()
        return Due(skipped=tuple((day, why_late) for day in (*missed, newest)))
    if note is None or note.state is SlotState.SKIPPED:
        return Due(newest, 1, tuple((day, _LATER) for day in missed))
    if now >= next_try(note, now):
        return Due(newest, note.attempt + 1)
    return Due()


def due_of_queue(now: datetime, noted: Mapping[date, SlotNote]) -> Due:
    """Return what is due of a job that works off a queue: today's slot, again and again."""
    note = noted.get(now.date())
    if note is None or not (is_open(note) or is_given_up(note)):
        return Due(now.date(), 1)
    if now >= next_try(note, now):
        return Due(now.date(), note.attempt + 1)
    return Due()


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
    if note.attempt < ATTEMPTS:
        return last + PAUSES[note.attempt - 1]
    return last + QUEUE_AGAIN
