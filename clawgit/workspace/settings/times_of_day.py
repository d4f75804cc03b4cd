"""Times of day as settings write them: ``02:30``, ``Sunday 03:00``, ``daily 04:00 idle 90``."""

from __future__ import annotations

import re
from datetime import time
from typing import NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MAX_IDLE_MINUTES = 7 * 24 * 60

_TIME = lazy_pattern(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_CRON = lazy_pattern(r"([0-9]{1,2})[ \t]+([0-9]{1,2})[ \t]+\*[ \t]+\*[ \t]+(\*|[0-7]|[A-Za-z]{3,9})")
_RESET = lazy_pattern(r"(?:daily[ \t]+(?P<at>\S+))?[ \t]*(?:idle[ \t]+(?P<idle>[0-9]{1,6}))?", re.IGNORECASE)


class SlotSpec(NamedTuple):
    """When a job is due, by the wall clock of the workspace's zone; ``weekday`` counts from Monday = 0."""

    weekday: int | None
    hour: int
    minute: int

    def __str__(self) -> str:
        at = f"{self.hour:02}:{self.minute:02}"
        return at if self.weekday is None else f"{WEEKDAYS[self.weekday]} {at}"


class SessionReset(NamedTuple):
    """When a session counts as over; neither set means never, both mean whichever comes first."""

    at: time | None = None
    idle_minutes: int | None = None

    def __str__(self) -> str:
        words = [f"daily {self.at:%H:%M}"] if self.at else []
        words += [f"idle {self.idle_minutes}"] if self.idle_minutes else []
        return " ".join(words) or "never"


def parse_time_of_day(text: str) -> time:
    """Return the time that ``text`` names, ``2:30`` as well as ``02:30``; ValueError for anything else."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a time of day between 00:00 and 23:59.")
    return time(int(found[1]), int(found[2]))


OFF = "off"


def parse_slot(text: str) -> SlotSpec | None:
    """Read when a job is due, None where it is ``off``; ValueError for anything else."""
    if text.strip().lower() == OFF:
        return None
    return parse_slot_spec(text)


def parse_slot_spec(text: str) -> SlotSpec:
    """Read ``HH:MM``, ``Weekday HH:MM`` or the cron form ``M H * * D``; ValueError for anything else."""
    cron = _CRON.fullmatch(text.strip())
    if cron is not None:
        at = parse_time_of_day(f"{cron[2]}:{cron[1]:0>2}")
        return SlotSpec(_cron_day(cron[3]), at.hour, at.minute)
    day, _, clock = text.strip().rpartition(" ")
    at = parse_time_of_day(clock)
    return SlotSpec(_weekday(day) if day.strip() else None, at.hour, at.minute)


def parse_session_reset(text: str) -> SessionReset:
    """Read ``daily HH:MM``, ``idle MINUTES``, both in this order, or ``never``; ValueError otherwise."""
    if text.strip().lower() == "never":
        return SessionReset()
    found = _RESET.fullmatch(text.strip())
    if found is None or not (found["at"] or found["idle"]):
        raise ValueError(f"{text!r} says no time at which a session ends.")
    at = parse_time_of_day(found["at"]) if found["at"] else None
    idle = int(found["idle"]) if found["idle"] else None
    if idle is not None and not 1 <= idle <= MAX_IDLE_MINUTES:
        raise ValueError(f"A session may idle from 1 to {MAX_IDLE_MINUTES} minutes, not {idle}.")
    return SessionReset(at, idle)


def _weekday(word: str) -> int:
    wanted = word.strip().lower()
    for number, name in enumerate(WEEKDAYS):
        if wanted in (name.lower(), name[:3].lower()):
            return number
    raise ValueError(f"{word!r} is not a day of the week.")


def _cron_day(word: str) -> int | None:
    if word == "*":
        return None
    return (int(word) - 1) % 7 if word.isdigit() else _weekday(word)
