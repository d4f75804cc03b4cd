"""The weekday right before a date that a correction changes: `Sat 12 Dec`. Pure."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.said_words import read

if TYPE_CHECKING:
    import re

# Monday to Sunday, of one language and length a row; with the capitals of the language, for `Sam` is no Saturday.
_ROWS = """
Monday Tuesday Wednesday Thursday Friday Saturday Sunday
Mon Tue Wed Thu Fri Sat Sun
Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag
Mo Di Mi Do Fr Sa So
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
ma di wo do vr za zo
lundi mardi mercredi jeudi vendredi samedi dimanche
lun mar mer jeu ven sam dim
lunes martes miércoles jueves viernes sábado domingo
lun mar mié jue vie sáb dom
lunedì martedì mercoledì giovedì venerdì sabato domenica
lun mar mer gio ven sab dom
"""
_FORMS = tuple(map(str.split, _ROWS.strip().splitlines()))
_WORD_BEFORE = lazy_pattern(r"(?P<word>[^\W\d_]+)[\s.,|(]*(?:(?:den|the|le|el|il|de)\s+)?$")
_DATES = (ValueKind.DATE, ValueKind.ORDINAL)
_LEAP_YEAR = 2000
_FEBRUARY = 2  # its 29th depends on the year
_FAR = 5  # months: a date so far away may be of another year


def with_weekday(old: str, new: str) -> str:
    """Return the new line with the weekday of its new date, if the one right before the date has stayed.

    Empty if that is unclear, or if the weekday changed and the date stayed. Two days of a year are as many weekdays
    apart in every year, but for a 29 February between them.
    """
    for gone in values_in(old):
        before = old[: gone.start]
        word = _WORD_BEFORE.search(before)
        if gone.kind not in _DATES or word is None or new.startswith(before + gone.text):
            continue
        if new.startswith(before):
            return _with_weekday_of(new, word, gone)
        is_weekday = word["word"].lower() in _ROWS.lower().split()
        if is_weekday and new.startswith(before[: word.start()]) and gone.text in new[word.start() :]:
            return ""
    return new


def _with_weekday_of(new: str, word: re.Match[str], gone: Value) -> str:
    weekday = word["word"]
    rows = list(filter(lambda row: weekday in row, _FORMS))
    if not rows and weekday.lower() not in _ROWS.lower().split():
        return new
    days = None
    for came in values_in(new):
        if rows and came.start == gone.start:
            days = _days_between(gone, came, rows[0].index(weekday))
    if days is None:
        return ""
    names = set()
    for row in rows:
        names.add(row[(row.index(weekday) + days) % 7])
    if len(names) != 1:
        return ""  # `di` is Tuesday in two languages, which go on differently
    return new[: word.start("word")] + names.pop() + new[word.end("word") :]


def _days_between(gone: Value, came: Value, weekday: int) -> int | None:
    """Return the days from one date to another; None if they depend on the year, or the first one is no such weekday."""
    was, is_of_year = _date_of(gone.text)
    now, has_year = _date_of(came.text)
    if was is None or now is None or is_of_year is not has_year:
        return None
    days = (now - was).days
    if is_of_year:
        if was.weekday() != weekday:
            return None
        return days
    is_of_next_month = days < 0 and came.kind is ValueKind.ORDINAL
    is_near = abs(was.month - now.month) < _FAR and (was.month > _FEBRUARY) == (now.month > _FEBRUARY)
    if is_of_next_month or not is_near:
        return None
    return days


def _date_of(text: str) -> tuple[date | None, bool]:
    """Return the date of a text, and whether it has a year; else that of some year, of a day alone in its January."""
    dated = set()
    for value in read(text).values:
        for meaning in value.meanings:
            if meaning[0] == "d" and meaning[2] and meaning[3]:
                dated.add((int(meaning[1] or 0), int(meaning[2]), int(meaning[3])))
    if not dated:
        return None, False
    year, month, day = min(dated)
    with suppress(ValueError):  # 30 February
        return date(year or _LEAP_YEAR, month, day), bool(year) and str(year) in text
    return None, False
