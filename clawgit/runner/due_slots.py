"""The due slot of a job. A slot is a date in the workspace's zone; it begins at the job's time of day.

A moved time or another zone never runs a job twice for one date. Of missed slots, the newest runs and the older ones
are skipped.
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
# The pause until a queue is tried again after its last attempt: new input is waiting there, too.
QUEUE_AGAIN = timedelta(hours=1)
MOST_SKIPPED = 60  # that are noted after one downtime: of a year, the last two months
_DAY = timedelta(days=1)
_WEEK = timedelta(weeks=1)
_LATER = "A later slot of the job ran in its place."
_NEXT_TELLS = "It was late, and the next one tells the same."


class Timetable(NamedTuple):
    """The times of a job: the time of day, the zone (None is the machine's own), and how late it may run.

    With ``next_tells``, the next slot reports what a missed one would have: from the next day on, a missed slot is left
    out if the next is nearer, so that no report comes at night that the morning's would repeat.
    """

    spec: SlotSpec
    zone: tzinfo | None
    max_lateness: timedelta
    next_tells: bool = False

    @property
    def interval(self) -> timedelta:
        return _DAY if self.spec.weekday is None else _WEEK

    def begins(self, day: date) -> datetime:
        """Return the begin of a slot in UTC.

        A time that clocks skip is moved forward; of a time that comes twice, the first counts.
        """
        local = datetime(day.year, day.month, day.day, self.spec.hour, self.spec.minute, tzinfo=self.zone)
        begins = local.astimezone(UTC)
        # Python moves a skipped time back
        if self.zone is None and begins.astimezone().replace(tzinfo=None) != local:
            return local.replace(fold=1).astimezone(UTC)
        return begins

    def last(self, now: datetime) -> date:
        # tomorrow's slot can have begun where clocks go back over midnight
        day = self._newest(now.astimezone(self.zone).date() + _DAY)
        while self.begins(day) > now:
            day -= self.interval
        return day

    def next(self, now: datetime) -> date:
        return self.last(now) + self.interval

    def between(self, after: date, before: date) -> list[date]:
        """Return the slots between two dates, oldest first, at most the newest MOST_SKIPPED."""
        days: list[date] = []
        day = self._newest(before - _DAY)
        while day > after and len(days) < MOST_SKIPPED:
            days.append(day)
            day -= self.interval
        return days[::-1]

    def why_late(self, day: date, now: datetime) -> str:
        """Return why a begun slot is too late to run; empty if it is not."""
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
    """The slot to run now, if any, and its attempt; and the slots to skip, with reasons.

    ``before`` is set for a new job: the slot up to which nothing is made up for.
    """

    day: date | None = None
    attempt: int = 0
    skipped: tuple[tuple[date, str], ...] = ()
    before: date | None = None


def due_now(
    table: Timetable, now: datetime, noted: Mapping[date, SlotNote], since: datetime | None = None
) -> Due:
    """Return what is due, given the notes of the job's slots; for a new job, what began after ``since``.

    Slots that have not begun are ignored: the clock was ahead when they ran. So are skips dated ahead.
    """
    newest = table.last(now)
    begun = []
    for day, slot in noted.items():
        if day <= newest and not (slot.state is SlotState.SKIPPED and slot.started > now):
            begun.append(day)
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
    """Return what is due for a job with a queue: today's slot, again and again."""
    note = noted.get(now.date())
    if note is None or not (is_open(note) or is_given_up(note)):
        return Due(now.date(), 1)
    if now >= next_try(note, now):
        return Due(now.date(), note.attempt + 1)
    return Due()


def is_open(note: SlotNote) -> bool:
    """Say whether a slot failed or was cut off, with another attempt left."""
    return note.state in (SlotState.STARTED, SlotState.FAILED) and note.attempt < ATTEMPTS


def is_given_up(note: SlotNote) -> bool:
    """Say whether every attempt at a slot failed or was cut off."""
    return note.state in (SlotState.STARTED, SlotState.FAILED) and note.attempt >= ATTEMPTS


def next_try(note: SlotNote, now: datetime) -> datetime:
    """Return the time of the next attempt at a slot that failed or was cut off; after the last attempt only for a queue.

    It is now if the last attempt is dated ahead, if a runner handed the slot back, or if the first attempt was cut off,
    which is not the job's fault.
    """
    last = note.ended or note.started
    is_cut_off = note.state is SlotState.STARTED and note.attempt <= 1
    if last > now or note.attempt == 0 or is_cut_off:
        return now
    if note.attempt < ATTEMPTS:
        return last + PAUSES[note.attempt - 1]
    return last + QUEUE_AGAIN
