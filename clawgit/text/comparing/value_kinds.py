"""Values in a sentence by kind: days, dates, times, amounts, addresses, names. One can stand for another of its kind."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.text.comparing.value_meanings import COUNT_WORD, LATIN_UNIT, ORDINALS, SHAPES, UNITS
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import (
    CAPITALS,
    EDGE,
    ENGLISH_MONTHS,
    SHORT_WEEKDAYS,
    SPACED,
    UNSPACED,
    any_of,
    any_word_of,
)

# What says how exact a number is belongs to it, and so does the other end of a range.
BOUND = "at least|at most|up to|more than|less than|over|under"  # a value on one side only
_HEDGE = rf"(?:\b(?:about|around|roughly|approximately|{BOUND}|almost|nearly|between|only)\s)?"
_TO = r"\s?(?:-|–|to|and|or)\s?"
_DIGITS = r"\d(?:[\d,.]{0,20}\d)?"
_PLAIN = rf"(?<![.,-])(?<!{SPACED}){_DIGITS}"
_BEFORE = {
    "number": lazy_pattern(rf"{_HEDGE}(?:{_PLAIN}[km]?{_TO})?$"),
    "date": lazy_pattern(r"(?<![\d.:>+-])(?:\d{1,2}\s?(?:-|–|to)\s?)?$"),  # `3 to 17 November`
}
_AFTER = lazy_pattern("左右|上下|以内|以上|以下|$")
_END = lazy_pattern(r"(?:(?<!\.m)\.)?\s*$")
_COUNT = rf"(?:{_HEDGE}{_PLAIN}(?:{_TO}{_DIGITS})?[\s-]?|\b{COUNT_WORD} )"
_MONEY = any_of("francs?, franken, chf, cents?, kronen")
_MEASURE = any_of("lbs?, miles?, ml, l, litres?, liters?, kb, mbit, gbit, px, mm, °f")
UNIT = lazy_pattern(rf"(?<![\w'’-])(?:{LATIN_UNIT}|{_MONEY}|{_MEASURE})(?![\w'’-])", re.IGNORECASE)
_OF_UNIT = {"%": "share"}
_OF_UNIT |= dict.fromkeys(("s", "min", "h", "d", "w", "mo", "y", "ms"), "duration")
_OF_UNIT |= dict.fromkeys(("$", "€", "£", "¥", "₩", "₫", "R$"), "amount")
_PERIOD = any_of("second, minute, hour, day, night, week, month, quarter, year")
_PERIODS = rf"(?:{_PERIOD}|morning|evening|afternoon|weekday|weekend)s?"
_ORDINAL_WORD = any_word_of(", ".join(ORDINALS.keys() - {"first", "second"}))
_GERMAN_ORDINAL = (
    r"(?:(?<=\bam )(?<!\bi am )|(?<=\bzum )|(?<=\bvom )|(?<=\bde[rmn] ))\d{1,2}(?=\.(?!\d)|\W*$)"
)
_MONTH = any_word_of(
    ", ".join(ENGLISH_MONTHS) + ", januar, februar, märz, mai, juni, juli, oktober, okt, dezember, dez"
)
# `Python예요` is a name and what follows it.
_WORD = rf"[{CAPITALS}](?:{SPACED}|-)*(?:/[{CAPITALS}](?:{SPACED}|-)*)*"
_NOT_I = rf"(?!(?:I|(?i:{_MONTH}))\b)"  # a capital letter, and no name
_SEVEN_DIGITS = r"(?=(?:[ ()-]{0,2}\d){7})"
_GROUPED = rf"{_SEVEN_DIGITS}\(?\d{{1,5}}\)?(?:[ -]\d{{2,8}}){{1,6}}"  # a telephone, an account, from one year to another
_ISSUE = r" \d+(?:\.\d+)*(?![A-Za-z0-9]|[.,:%-]\d)"  # `PostgreSQL 16`
_NAMES = rf"(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\. )?{_NOT_I}{_WORD}(?: {_NOT_I}{_WORD})*"
_INSIDE = r"(?<![.!?:] )(?<!^)\b"  # every sentence begins with a capital letter
CASED = frozenset({"version", "name", "number with a name", "letters and digits"})
# In this order: what one finds is not looked at again by the next. A kind without shapes has those of the meaning before it.
# fmt: off
_SHAPES: tuple[tuple[str, str, str], ...] = (
    ("", "link", r"https?://[^\s，。]+[^\s，。.,;:!?)]"),
    ("", "mail", rf"(?:{SPACED}|[.+-])+@(?:{SPACED}|-)+(?:\.(?:{SPACED}|-)+)+"),
    ("", "code", "`[^`]+`"),
    ("", "version", r"(?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b)\bv?\d{1,9}(?:\.\d{1,9}){2,9}(?:[-+][\w.]+)?|\bv\d+(?:\.\d+)*\b"),
    ("date", "date", ""),
    ("", "date", r"(?<!\d)\d{1,2}[号號](?=[，,。发發到前后後截交]|$)"),
    ("", "ordinal", rf"\b\d{{1,4}}(?:st|nd|rd|th|er|re|e|ème|ª|º)\b|\bthe {_ORDINAL_WORD}\b|第\d{{1,4}}|{_GERMAN_ORDINAL}"),
    ("weekday", "weekday", ""),
    ("time", "time", ""),
    ("", "time", rf"\b(?:noon|midnight|(?:viertel|zwanzig|zehn|fünf) (?:vor|nach) (?:{COUNT_WORD}|\d{{1,2}}))\b"),
    ("", "how often",
        rf"\b(?:(?:every|each) (?:(?:other|second|two|three|\d+) )?|(?:once|twice) (?:a|per|every) ){_PERIODS}\b|\b(?:per|an?) {_PERIOD}\b"
        r"|\b(?:(?:hour|dai|week|month|quarter|year)ly|(?:stünd|täg|wöchent|monat|vierteljähr|jähr)lich)\b"
        r"|\bjede[nrs]? (?:tag|nacht|morgen|abend|woche|monat|quartal|jahr|stunde|minute)\b"),
    ("", "amount", rf"{_COUNT}{_MONEY}\b"),
    ("", "measure", rf"{_COUNT}{_MEASURE}(?!{SPACED})"),
    ("number", "measure", ""),
    ("", "duration", rf"\bone {_PERIOD}\b"),
    ("", "digits in groups", rf"(?<![A-Za-z0-9.,:-])(?:\+\d{{7,15}}|\+?{_GROUPED})(?![A-Za-z0-9-])"),
    ("", "number with a name", rf"{_PLAIN}[A-Za-z]? [A-Z][\w-]*(?: [A-Z][\w-]*)*"),
    # `14C`, `E6`, `train-7`
    ("", "letters and digits", r"\b\d{1,4}[A-JL-Z]{1,2}\b|\b[A-Z]{1,3}-?\d{1,5}\b(?![.:])|(?<![\w./-])[A-Za-z]+(?:-[A-Za-z]+)*-\d{1,5}(?:\.\d+)*\b(?!-)"),
    ("", "name", rf"^{_NAMES}{_ISSUE}$|{_INSIDE}{_NAMES}{_ISSUE}|\b[A-Z][a-z]*[A-Z]\w*{_ISSUE}"),
    ("", "number", rf"{_HEDGE}{_PLAIN}[kK]?(?!\+)(?!{SPACED})"),
    ("", "name", rf"^{_NAMES}$|{_INSIDE}{_NAMES}(?!{SPACED})|\b[A-Z][a-z]*[A-Z]{SPACED}*(?!{SPACED})"),
)
# fmt: on
MOST = 2000  # characters: what is longer is no statement


class ValueKind(Enum):
    """What a value is of; only the same kind can take its place."""

    WEEKDAY = "weekday"
    DATE = "date"
    TIME = "time"
    LINK = "link"
    MAIL = "mail"
    VERSION = "version"
    AMOUNT = "amount"
    SHARE = "share"
    DURATION = "duration"
    MEASURE = "measure"
    FREQUENCY = "how often"
    GROUPED = "digits in groups"
    LABELLED = "number with a name"
    NUMBER = "number"
    ORDINAL = "ordinal"
    PLATE = "letters and digits"
    CODE = "code"
    NAME = "name"


class Value(NamedTuple):
    """One value and where it is in the text."""

    kind: ValueKind
    text: str
    start: int
    end: int


def values_in(text: str) -> list[Value]:
    """Return the values of ``text`` in the order of their kinds, none inside another; of a long one, of its beginning."""
    return list(_found(text[:MOST]))


@cache
def _patterns(edge: str) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    patterns = []
    for meaning, kind, shape in _SHAPES:
        flags = re.IGNORECASE
        if kind in CASED:
            flags = re.NOFLAG
        if shape:
            patterns.append((meaning, kind, lazy_pattern(shape.replace(r"\b", edge), flags)))
        for name, pattern in SHAPES:
            if name == meaning:
                patterns.append((meaning, kind, pattern))
    return tuple(patterns)


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[Value, ...]:
    small = text.lower()
    if len(small) != len(text):  # of a few letters the small one is two
        small = text
    edge = r"\b"  # which is twice as fast
    if UNSPACED.search(text):
        edge = EDGE
    values: list[Value] = []
    for meaning, kind, pattern in _patterns(edge):
        own = text
        if meaning:
            own = small
        for match in pattern.finditer(own):
            of, (start, end) = kind, match.span()
            if meaning:
                of = _kind_of(meaning, match)
                start, end = _span(meaning, match)
            if of and all(end <= value.start or value.end <= start for value in values):
                values.append(Value(ValueKind(of), text[start:end], start, end))
    return tuple(values)


def _kind_of(meaning: str, match: re.Match[str]) -> str:
    """Return the kind of what has a meaning, empty where it takes nothing's place: a month, a day in short, a bare number."""
    parts = match.groupdict()
    if meaning == "date":
        is_whole = parts.get("day") and parts.get("month")
        return "date" * bool(is_whole)
    if meaning == "weekday":
        return "weekday" * (parts["name"] not in SHORT_WEEKDAYS)
    if meaning == "number":
        written = parts.get("unit") or parts.get("money") or ""
        is_year = written in ("年", "년") and len(parts["count"]) == len("2026")
        if not written or is_year or parts["count"] in ORDINALS:
            return ""
        return _OF_UNIT.get(UNITS[written], "measure")
    return meaning


def _span(meaning: str, match: re.Match[str]) -> tuple[int, int]:
    """Return where a value begins and ends with all that belongs to it."""
    text = match.string
    start, end = match.span()
    if meaning == "weekday":
        start = match.start("name")
        if match.groupdict().get("after"):
            end = match.start("after")
    while text[start].isspace():
        start += 1
    last = _END.search(text, start, end)
    if last is not None:
        end = last.start()
    if meaning in _BEFORE and (meaning == "number" or text[start].isdigit()):
        before = _BEFORE[meaning].search(text, max(0, start - 40), start)
        if before is not None:
            start = before.start()
    after = _AFTER.match(text, end)
    if meaning == "number" and after is not None:
        end = after.end()
    return start, end
