"""Days and times in spoken form, relative to a clock: "yesterday", "Tuesday", "2 weeks ago". Pure.

Weeks, months and days with a name ("last week", "20 November") are parsed as in a question: `days_meant`.
"""

from __future__ import annotations

from calendar import monthrange
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import SHORT_WEEKDAYS, WEEKDAYS

if TYPE_CHECKING:
    from datetime import tzinfo

EXAMPLES = '2026-03-19, 2026-03-19T10:22, yesterday, Tuesday, "20 November", "1 hour ago" or "last week"'
_FIRST, _LAST = 1, 9999  # years: in another zone their first and last days have no date
_NAMED_DAYS = {"today": 0, "yesterday": 1, "day before yesterday": 2, "the day before yesterday": 2}
_NAMED_DAYS |= dict.fromkeys(("this morning", "this afternoon", "this evening", "tonight"), 0)
_WORDS = "zero one two three four five six seven eight nine ten"
_NUMBERS = {word: number for number, word in enumerate(_WORDS.split())} | {"a": 1, "an": 1}
_AGO = lazy_pattern(r"(\d{1,4}|an?|[a-z]{3,5}) (minute|hour|day|week|month|year)s? ago")


class TimeSpan(NamedTuple):
    """Start and end of a time; both are the same for a moment."""

    first: datetime
    after: datetime

    @property
    def last(self) -> datetime:
        if self.after == self.first:
            return self.first
        return (self.after.astimezone(UTC) - timedelta(seconds=1)).astimezone(self.after.tzinfo)


def time_meant(words: str, now: datetime, zone: tzinfo | None) -> TimeSpan | None:
    """Return the time that ``words`` name in ``zone``, or None; a weekday is the last one before today, hours are elapsed hours."""
    try:
        return _written(words, zone) or _spoken(" ".join(words.lower().split()), now, zone)
    except (ValueError, OverflowError):  # 2026-02-30, 9999 years ago
        return None


def _written(words: str, zone: tzinfo | None) -> TimeSpan | None:
    with suppress(ValueError):
        moment = datetime.fromisoformat(words)
        if not _FIRST < moment.year < _LAST:
            return None
        with suppress(ValueError):
            day = date.fromisoformat(words)
            return days_of(day, day, zone)
        at = _in_zone(moment, zone)
        return TimeSpan(at, at)
    return None


def _spoken(words: str, now: datetime, zone: tzinfo | None) -> TimeSpan | None:
    today = now.astimezone(zone).date()
    if words == "now":
        return TimeSpan(now, now)
    if words in _NAMED_DAYS:
        day = today - timedelta(_NAMED_DAYS[words])
        return days_of(day, day, zone)
    weekday = (WEEKDAYS | SHORT_WEEKDAYS).get(words.removeprefix("on ").removeprefix("last "))
    if weekday is not None:
        day = today - timedelta((today.weekday() - weekday - 1) % 7 + 1)
        return days_of(day, day, zone)
    ago = _AGO.fullmatch(words)
    if ago is None:
        return None
    unit = ago[2]
    count = int(_NUMBERS.get(ago[1], ago[1]))
    if unit in ("minute", "hour"):
        moment = (now.astimezone(UTC) - timedelta(**{f"{unit}s": count})).astimezone(zone)
        return TimeSpan(moment, moment)
    if unit in ("day", "week"):
        day = today - timedelta(**{f"{unit}s": count})
    else:
        months = today.year * 12 + today.month - 1 - (count if unit == "month" else 12 * count)
        year, month = months // 12, months % 12 + 1
        day = date(year, month, min(today.day, monthrange(year, month)[1]))
    return days_of(day, day, zone)


def days_of(first: date, last: date, zone: tzinfo | None) -> TimeSpan:
    begin = datetime.combine(first, time())
    after = datetime.combine(last + timedelta(days=1), time())
    return TimeSpan(_in_zone(begin, zone), _in_zone(after, zone))


def _in_zone(moment: datetime, zone: tzinfo | None) -> datetime:
    if moment.tzinfo is None and zone is not None:
        return moment.replace(tzinfo=zone)
    return moment.astimezone(zone)
