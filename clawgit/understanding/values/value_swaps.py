"""Each value takes the place of the one of its kind: `it's Thursday at 3pm`. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.text.comparing.value_kinds import QUANTITIES, Value, ValueKind, completed, number_in, values_in
from clawgit.understanding.forms.function_words import PREPOSITION
from clawgit.understanding.values.asserted_text import STRONG, bare_value

if TYPE_CHECKING:
    from collections.abc import Sequence

DIGITS_APART = 3  # a number of so many more digits is of something else
_MONEY = frozenset({ValueKind.AMOUNT, ValueKind.SHARE})
_DAY_OF_MONTH = re.compile(r"(?<![\d-])\d{1,2}(?:st|nd|rd|th)?(?![\d-])")
_PERSON = re.compile(r"(?i)(?:we|i|he|she|they)['’]?(?:re|m|s)\b")
_DENIED_BEFORE = re.compile(r"(?i)(?:\bnot|n['’]t|不是|不在|没有)\s*(?:(?:on|at|in|the|an?)\s+)*$")
_DENIED_AFTER = re.compile(r"\s*(?:이|가|은|는)?\s*(?:아니|말고)")
# `the Berlin time zone`: a name that says what kind of thing another word means.
_NOUN_NEXT = re.compile(
    rf" (?!(?:{PREPOSITION}|of|and|or|but|every|each|per|since|until|within|because|is|are|was|not)\b)[a-z]{{3,}}"
)
_VERB = re.compile(r"\b(?:is|are|was|were|uses?|prefers?|lives?|works?|runs?|goes|listens?)\b")


Pair = tuple[Value, Value]


def swapped(said: str, message: str) -> list[Pair]:
    """Return which values of ``said`` give way to which of the message; none where that cannot be told."""
    bare = bare_value(message)
    there, told = values_in(said), [value for value in values_in(bare) if not _is_denied(bare, value)]
    known = {value.text.casefold() for value in there}
    fresh = [value for value in told if value.text.casefold() not in known]
    fresh = [value for value in fresh if value.kind in STRONG] or fresh
    pairs: list[Pair] = []
    for kind in {value.kind for value in fresh}:
        old, new = (
            [each for each in some if each.kind is kind] for some in (_open_to_change(said, there), fresh)
        )
        if kind is ValueKind.NUMBER and len(new) == 1:
            old = _numbers(said, there, new[0], message)
        if kind is ValueKind.ORDINAL and not old:
            old = _days(there)
        found = _paired(old, new)
        if found is None or not all(_fits(*pair) for pair in found):
            return []
        pairs += [(gone, replace(came, text=completed(gone, came))) for gone, came in found]
    placed = {new.kind for _, new in pairs}
    has_place = all(value.kind in placed for value in fresh if value.kind in QUANTITIES)
    return pairs if has_place else []


def _open_to_change(said: str, values: list[Value]) -> list[Value]:
    """Return the values without the names that a statement is about: they are before its `is`."""
    verb = _VERB.search(said)
    begin = verb.start() if verb else 0
    return [
        value
        for value in values
        if value.kind is not ValueKind.NAME
        or (value.start >= begin and ("/" in value.text or not _NOUN_NEXT.match(said, value.end)))
    ]


def _paired(old: list[Value], new: list[Value]) -> Sequence[Pair] | None:
    """Return the values of one kind as a pair, none where nothing was said of it, None where it could be several."""
    if len(old) <= 1 and len(new) <= 1:
        return list(zip(old, new, strict=False))
    return None if old else ()


def _fits(gone: Value, came: Value) -> bool:
    """Say whether one can be the other: a place in a zone is no plain name, one day is not every week."""
    if gone.kind is ValueKind.MEASURE and _unit(gone) != _unit(came):
        return False
    is_weekly = came.kind is ValueKind.WEEKDAY and came.text.endswith("s") and not gone.text.endswith("s")
    return ("/" in gone.text) == ("/" in came.text) and not is_weekly


def _is_denied(message: str, value: Value) -> bool:
    """Say whether a value is named as what is *not* so."""
    before, after = message[: value.start], message[value.end :]
    return _DENIED_BEFORE.search(before) is not None or _DENIED_AFTER.match(after) is not None


def _numbers(said: str, there: list[Value], told: Value, message: str) -> list[Value]:
    """Return the numbers that a bare one can take the place of: those before the same word, else all, also with a unit."""
    plain = [value for value in there if value.kind is ValueKind.NUMBER and _is_as_long(value, told)]
    counted = [
        number
        for value in there
        if (number := number_in(value)) is not None
        and not (value.kind in _MONEY and _PERSON.match(message))
        and _is_as_long(number, told)
    ]
    after = bare_value(message)[told.end :].split()[:1]
    same = [value for value in plain if after and said[value.end :].split()[:1] == after]
    return same or plain + counted


def _days(there: list[Value]) -> list[Value]:
    """Return the days in dates, which an ordinal alone can take the place of: `on the 12th` for `14 March`."""
    found = ((value, _DAY_OF_MONTH.search(value.text)) for value in there if value.kind is ValueKind.DATE)
    return [
        Value(ValueKind.ORDINAL, day.group(), value.start + day.start(), value.start + day.end())
        for value, day in found
        if day
    ]


def _unit(value: Value) -> str:
    return value.text.lower().lstrip("0123456789., ").rstrip("s")


def _is_as_long(old: Value, new: Value) -> bool:
    old_digits, new_digits = (sum(map(str.isdigit, value.text)) for value in (old, new))
    return abs(new_digits - old_digits) <= DIGITS_APART
