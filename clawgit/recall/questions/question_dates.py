"""Days that a question names, in eight languages, counted from the workspace's clock. Pure."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clawgit.recall.questions import date_words as words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import folded_in_place, plain
from clawgit.text.words.word_lists import MONTHS, words_in

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    _Reader: TypeAlias = Callable[[re.Match[str], date], "_Match | None"]

_FIRST = date(1000, 1, 1)
_LAST = date(9998, 12, 31)
_FADE_DAYS = 14
_ANOTHER_YEAR = 0.9
# What may be said beside a day that says nothing else.
_BESIDE = words_in(
    "on the in of since morning evening night am seit letzten letzter letzte el desde pasado le depuis dernier na no em"
)


class Days(NamedTuple):
    """The days a question speaks of, both ends included; `any_year` where it named a month without its year."""

    first: date
    last: date
    any_year: bool = False


class Found(NamedTuple):
    """The days of a text, its plain form, and where in that the words for them stand."""

    days: Days | None
    text: str
    spans: tuple[tuple[int, int], ...]


class _Match(NamedTuple):
    start: int
    end: int
    days: Days
    month_only: bool = False  # wants a year that may be elsewhere
    year_only: bool = False


class _Pattern(NamedTuple):
    needs: frozenset[str]
    words: re.Pattern[str]
    read: _Reader


def find_days(text: str, today: date) -> Found:
    """Return the days that ``text`` names: one, the span between two that are joined, or none."""
    text = plain(text)
    low = folded_in_place(text)
    if not words.MAY_BE.search(low):
        return Found(None, text, ())
    taken: list[_Match] = []
    there = words.parts_in(low)
    for pattern in _patterns(low.isascii()):
        for found in pattern.words.finditer(low) if pattern.needs <= there else ():
            if any(found.start() < other.end and other.start < found.end() for other in taken):
                continue
            match = _read(pattern.read, found, today)
            if match is not None:
                taken.append(match)
    taken.sort(key=lambda match: match.start)
    return Found(_together(low, taken), text, tuple((match.start, match.end) for match in taken))


def days_meant(text: str, today: date) -> Days | None:
    """Return the past days that ``text`` names in one term and says nothing else; None where it does not."""
    found = find_days(text, today)
    if len(found.spans) != 1 or found.days is None or found.days.first > today:
        return None
    ((start, end),) = found.spans
    rest = found.text[:start] + found.text[end:]
    return None if set(rest.lower().split()) - _BESIDE else found.days


def _read(read: _Reader, found: re.Match[str], today: date) -> _Match | None:
    try:
        match = read(found, today)
    except (ValueError, OverflowError):  # 2026-02-30, a million years ago: not a day
        return None
    return match if match is not None and _FIRST <= match.days.first <= match.days.last <= _LAST else None


def _together(text: str, matches: list[_Match]) -> Days | None:
    if not matches:
        return None
    first = matches[0]
    if len(matches) == 1:
        return first.days
    second = matches[1]
    if second.start - first.end <= 12 and words.UNTIL.search(text[first.end : second.start]):
        return _span(first, second)
    year = next((match for match in matches if match.year_only), None)
    month = next((match for match in matches if match.month_only), None)
    if year and month:
        return _in_year(month.days, year.days.first.year)
    return first.days


def _span(first: _Match, second: _Match) -> Days:
    start, end = first.days, second.days
    if first.month_only and not second.month_only:
        start = _in_year(start, end.first.year)
    if start.first > end.last:
        start, end = end, start
    return Days(start.first, end.last)


def _in_year(days: Days, year: int) -> Days:
    end = year + days.last.year - days.first.year
    first, last = days.first, days.last
    return Days(
        first.replace(day=min(first.day, monthrange(year, first.month)[1]), year=year),
        last.replace(day=min(last.day, monthrange(end, last.month)[1]), year=end),
    )


def _match(found: re.Match[str], first: date, last: date | None = None) -> _Match:
    return _Match(found.start(), found.end(), Days(first, last or first))


def _month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _months_off(today: date, off: int) -> Days:
    count = today.year * 12 + today.month - 1 + off
    return _month(count // 12, count % 12 + 1)


def _unit(unit: str, off: int, today: date) -> Days:
    if unit == "day":
        day = today + timedelta(off)
        return Days(day, day)
    monday = today - timedelta(today.weekday()) + timedelta(7 * off)
    if unit == "week":
        return Days(monday, monday + timedelta(6))
    if unit == "weekend":
        return Days(monday + timedelta(5), monday + timedelta(6))
    if unit == "month":
        return _months_off(today, off)
    if unit == "quarter":
        start = _months_off(today, 3 * off - (today.month - 1) % 3)
        return Days(start.first, _months_off(start.first, 2).last)
    return Days(date(today.year + off, 1, 1), date(today.year + off, 12, 31))


def _whole_date(found: re.Match[str], today: date) -> _Match | None:
    """2026-03-05, 5 March 2026, March 5, 3월 5일, 2026-03, March 2026."""
    groups = found.groupdict()
    month = groups.get("month_number") or str(MONTHS.get(groups.get("month") or "", 0))
    day = groups.get("day")
    year = groups.get("year")
    number, on = words.number_of(month), words.number_of(day) if day else None
    if year:
        days = _month(int(year), number)
        return _match(found, days.first.replace(day=on)) if on else _match(found, days.first, days.last)
    days = _latest(number, on, today)
    return _match(found, days.first, days.last)._replace(days=days._replace(any_year=True), month_only=True)


def _latest(month: int, day: int | None, today: date) -> Days:
    for year in range(today.year, today.year - 9, -1):
        if day is not None and day > monthrange(year, month)[1]:
            continue
        days = _month(year, month)
        if day is not None:
            days = Days(days.first.replace(day=day), days.first.replace(day=day))
        if days.first <= today:
            return days
    raise ValueError(month, day)


def _named_day(found: re.Match[str], today: date) -> _Match:
    return _match(found, today + timedelta(words.DAYS[found["named"]]))


def _ago(found: re.Match[str], today: date) -> _Match:
    unit, count = words.UNITS[found["unit"]], words.number_of(found["number"])
    if unit == "week":
        day = today - timedelta(7 * count)
        return _match(found, day - timedelta(3), day + timedelta(3))
    days = _unit(unit, -count, today)
    return _match(found, days.first, days.last)


def _past_units(found: re.Match[str], today: date) -> _Match:
    """The last three weeks: up to today."""
    unit, count = words.UNITS[found["unit"]], words.number_of(found["number"])
    length = {"day": 1, "week": 7, "weekend": 7, "month": 31, "quarter": 92, "year": 366}[unit]
    return _match(found, today - timedelta(min(count, 9999) * length), today)


def _relative(found: re.Match[str], today: date) -> _Match:
    unit, off = words.UNITS[found["unit"]], words.OFFSETS[found["off"]]
    days = _unit(unit, off, today)
    weekday = found.groupdict().get("weekday")
    if weekday:
        day = days.first + timedelta(words.WEEKDAYS[weekday])
        return _match(found, day)
    return _match(found, days.first, days.last)._replace(year_only=unit == "year")


def _weekday(found: re.Match[str], today: date) -> _Match:
    off = words.OFFSETS.get(found.groupdict().get("off") or "", -1)
    wanted = words.WEEKDAYS[found["weekday"]]
    if off == -1:
        back = (today.weekday() - wanted - 1) % 7 + 1
        return _match(found, today - timedelta(back))
    return _match(found, today - timedelta(today.weekday() - wanted) + timedelta(7 * off))


def _relative_month(found: re.Match[str], today: date) -> _Match:
    """Last May, next March."""
    month, off = MONTHS[found["month"]], words.OFFSETS[found["off"]]
    days = _latest(month, None, today)
    if off == -1 and days.first.month == today.month and days.first.year == today.year:
        days = _month(days.first.year - 1, month)
    elif off == 1:
        days = _month(days.first.year + 1, month)
    return _match(found, days.first, days.last)


def _season(found: re.Match[str], today: date) -> _Match:
    start = words.SEASONS[found["season"]]
    year = today.year if date(today.year, start, 1) <= today else today.year - 1
    groups = found.groupdict()
    if groups.get("year"):
        year = int(groups["year"])
    elif groups.get("off"):
        off = words.OFFSETS[groups["off"]]
        if groups.get("unit") or off == 0:
            year = today.year + off
        elif off != -1:  # last summer is the latest one that has begun
            year += off
    days = Days(date(year, start, 1), _months_off(date(year, start, 1), 2).last)
    plain = not groups.get("year") and not groups.get("off")
    return _match(found, days.first, days.last)._replace(days=days._replace(any_year=plain), month_only=plain)


def _year(found: re.Match[str], today: date) -> _Match:
    del today
    year = int(found["year"])
    return _match(found, date(year, 1, 1), date(year, 12, 31))._replace(year_only=True)


def _quarter(found: re.Match[str], today: date) -> _Match:
    start = date(int(found["year"] or today.year), 3 * int(found["quarter"]) - 2, 1)
    return _match(found, start, _months_off(start, 2).last)


@cache
def _patterns(ascii_only: bool) -> list[_Pattern]:
    """Return the patterns in the order in which they take their words, compiled when first used."""
    readers: tuple[tuple[_Reader, tuple[str, ...]], ...] = (
        (_whole_date, words.WHOLE_DATES),
        (_quarter, words.QUARTERS),
        (_named_day, words.NAMED_DAYS),
        (_ago, words.AGO),
        (_past_units, words.PAST_UNITS),
        (_season, words.SEASON_PATTERNS),
        (_relative_month, words.RELATIVE_MONTHS),
        (_relative, words.RELATIVE),
        (_weekday, words.WEEKDAY_PATTERNS),
        (_whole_date, words.MONTH_PATTERNS),
        (_year, words.YEARS),
    )
    return [
        _Pattern(words.parts_of(pattern), lazy_pattern(pattern), read)
        for read, listed in readers
        for pattern in listed
        if not (ascii_only and words.is_cjk(pattern))
    ]


def day_fit(days: Days, on: date | None) -> float:
    """Return 1 for a line of these days, sinking to 0 in the two weeks behind them, when things are told.

    A month named without its year fits in every year, a little less in others than the last.
    """
    if on is None:
        return 0.0
    fit = _fit(days.first, days.last, on)
    if not days.any_year or fit == 1:
        return fit
    others = (_in_year(days, year) for year in (on.year, on.year - 1) if _FIRST.year < year < _LAST.year)
    return max(fit, *(_ANOTHER_YEAR * _fit(other.first, other.last, on) for other in others), 0.0)


def _fit(first: date, last: date, on: date) -> float:
    if on <= last:
        return 1.0 if first <= on else 0.0
    return max(0.0, 1 - (on - last).days / (_FADE_DAYS + 1))
