"""Values in a sentence by kind: days, dates, times, amounts, addresses, names. One can stand for another of its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

from clawgit.text.comparing.value_shapes import BOUND, CASED, NUMBER_OF, SHAPES
from clawgit.text.words.script import EDGE, UNSPACED


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


@dataclass(frozen=True, slots=True)
class Value:
    """One value and where it is in the text."""

    kind: ValueKind
    text: str
    start: int
    end: int


QUANTITIES = frozenset(
    {
        ValueKind.AMOUNT,
        ValueKind.SHARE,
        ValueKind.DURATION,
        ValueKind.MEASURE,
        ValueKind.VERSION,
        ValueKind.NUMBER,
    }
)
MOST = 2000  # characters: what is longer is no statement
_NUMBER_OF = re.compile(NUMBER_OF)


def values_in(text: str) -> list[Value]:
    """Return the values of ``text`` in the order of their kinds, none inside another; of a long one, of its beginning."""
    return list(_found(text[:MOST]))


@cache
def _patterns(edge: str) -> tuple[tuple[ValueKind, re.Pattern[str]], ...]:
    """Return what finds the values of each kind; ``edge`` is where a word begins or ends."""
    flags = {kind: re.NOFLAG if kind in CASED else re.IGNORECASE for kind, _ in SHAPES}
    return tuple(
        (ValueKind(kind), re.compile("|".join(shapes).replace(r"\b", edge), flags[kind]))
        for kind, shapes in SHAPES
    )


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[Value, ...]:
    found: list[Value] = []
    for kind, pattern in _patterns(EDGE if UNSPACED.search(text) else r"\b"):  # which is twice as fast
        for match in pattern.finditer(text):
            if all(match.end() <= value.start or value.end <= match.start() for value in found):
                found.append(Value(kind, match.group(), match.start(), match.end()))
    return tuple(found)


def number_in(value: Value) -> Value | None:
    """Return the one number in a value that has a unit or a name beside it: `5000` of `5000 euros`."""
    numbers = list(_NUMBER_OF.finditer(value.text))
    if len(numbers) != 1 or value.kind not in _COUNTED:
        return None
    start, end = numbers[0].span()
    return Value(ValueKind.NUMBER, numbers[0].group(), value.start + start, value.start + end)


def completed(old: Value, new: Value) -> str:
    """Return a new value with what only the old one says: a date's year, an hour's part of the day, that it is every week."""
    year = _YEAR.search(old.text)
    if new.kind is ValueKind.DATE and year and not _YEAR.search(new.text):
        return new.text + year.group() if year.start() else year.group() + new.text
    part = _PART_OF_DAY.match(old.text)
    if new.kind is ValueKind.TIME and part and not _PART_OF_DAY.match(new.text) and not new.text.isascii():
        return part.group() + new.text
    if new.kind is ValueKind.WEEKDAY and old.text.endswith("s") and new.text.endswith("y"):
        return new.text + "s"  # every week
    bound = _BOUND.match(old.text)
    if bound and new.kind in _BOUNDED and not _BOUND.match(new.text):
        return bound.group() + new.text
    return new.text


_BOUND = re.compile(rf"(?i)(?:{BOUND})\s")
_YEAR = re.compile(r"^\d{4}[年년] ?|,? \d{4}$")
_PART_OF_DAY = re.compile("(?:凌晨|早上|上午|中午|下午|傍晚|晚上|오전|오후|아침|저녁|밤|새벽) ?")
_BOUNDED = QUANTITIES - {ValueKind.VERSION}
_COUNTED = (_BOUNDED - {ValueKind.NUMBER}) | {ValueKind.NAME}
