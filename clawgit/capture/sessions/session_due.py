"""When a session counts as over: a time of day was passed, or nobody spoke for long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.workspace.settings.times_of_day import SessionReset

DAILY = "daily"
IDLE = "idle"


def session_due(reset: SessionReset, last_spoken: datetime, now: datetime) -> str | None:
    """Return why a session in which somebody spoke last at ``last_spoken`` is over, None while it is not.

    The time of day is that of the zone of ``now``. A day on which the clock skips it has it an hour later;
    one that has it twice, the first time.
    """
    if reset.at is not None and last_spoken < _latest(reset, now) <= now:
        return DAILY
    silence = now.astimezone(UTC) - last_spoken.astimezone(UTC)
    if reset.idle_minutes is not None and silence >= timedelta(minutes=reset.idle_minutes):
        return IDLE
    return None


def _latest(reset: SessionReset, now: datetime) -> datetime:
    """Return the last moment, not after ``now``, at which the clock showed the time of the reset."""
    assert reset.at is not None
    today = _at(now, reset, days=0)
    return today if today <= now.astimezone(UTC) else _at(now, reset, days=1)


def _at(now: datetime, reset: SessionReset, *, days: int) -> datetime:
    assert reset.at is not None
    wall = datetime.combine(now.date() - timedelta(days=days), reset.at, now.tzinfo)
    return wall.astimezone(UTC)
