"""When a job is due: slots, each a date in the workspace's zone, and the instant at which each begins.

A slot is the date, not the instant: a moved time or another zone never runs a job twice for one date.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

    from clawgit.workspace.settings.times_of_day import SlotSpec

_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)
_REMEMBERED = 4096  # a thousand workspaces ask for the same slots


def slot_instant(day: date, spec: SlotSpec, zone: tzinfo | None) -> datetime:
    """Return when the slot of ``day`` begins, in UTC; ``zone`` None is the machine's own.

    A time that the day does not have is moved forward by what the clocks skip; of one that it has twice the first counts.
    """
    return _instant(day, spec, zone, time.tzname if zone is None else ())


@lru_cache(_REMEMBERED)
def _instant(day: date, spec: SlotSpec, zone: tzinfo | None, _machine: tuple[str, ...]) -> datetime:
    """Return the same; what the machine's own zone is called tells it from another one of a fork."""
    wanted = datetime(day.year, day.month, day.day, spec.hour, spec.minute, tzinfo=zone)
    begins = wanted.astimezone(UTC)
    if zone is None and begins.astimezone().replace(tzinfo=None) != wanted:  # Python moves it back, then
        return wanted.replace(fold=1).astimezone(UTC)
    return begins


def last_slot(now: datetime, spec: SlotSpec, zone: tzinfo | None) -> date:
    """Return the newest slot that has begun."""
    tomorrow = now.astimezone(zone).date() + _DAY  # it can have begun where clocks go back over midnight
    day = _newest(tomorrow, spec)
    while slot_instant(day, spec, zone) > now:
        day -= _interval(spec)
    return day


def next_slot(now: datetime, spec: SlotSpec, zone: tzinfo | None) -> date:
    """Return the first slot that is still to come."""
    return last_slot(now, spec, zone) + _interval(spec)


def slots_between(after: date, before: date, spec: SlotSpec, *, most: int) -> list[date]:
    """Return the slots after one date and before another, at most the newest ``most`` of them, in their order."""
    found: list[date] = []
    day = _newest(before - _DAY, spec)
    while day > after and len(found) < most:
        found.append(day)
        day -= _interval(spec)
    return found[::-1]


def _newest(day: date, spec: SlotSpec) -> date:
    """Return the newest slot up to a day."""
    return day if spec.weekday is None else day - timedelta((day.weekday() - spec.weekday) % 7)


def _interval(spec: SlotSpec) -> timedelta:
    return _DAY if spec.weekday is None else _WEEK
