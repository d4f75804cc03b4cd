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
FAMILIES = (
    ("mg", "g", "kg", "lb"),
    ("km", "m", "cm", "mm", "mile"),
    ("ml", "l", "litre", "liter"),
    ("kb", "mb", "gb", "tb"),
    ("°c", "°f", "degree"),
)
_MONEY = frozenset({ValueKind.AMOUNT, ValueKind.SHARE})
_PERSON = re.compile(r"(?i)(?:we|i|he|she|they)['’]?(?:re|m|s)\b")
_DENIED_BEFORE = re.compile(r"(?i)(?:\bnot|n['’]t|不是|不在|没有)\s*(?:(?:on|at|in|the|an?)\s+)*$")
_DENIED_AFTER = re.compile(r"\s*(?:이|가|은|는)?\s*(?:아니|말고)")
# `the Berlin time zone`: a name that says what kind of thing another word means.
_NOUN_NEXT = re.compile(
    rf" (?!(?:{PREPOSITION}|of|and|or|but|every|each|per|since|until|within|because|is|are|was|not)\b)[a-z]{{3,}}"
)
VERB = re.compile(r"\b(?:is|are|was|were|uses?|prefers?|lives?|works?|runs?|goes|listens?)\b")


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
        found = _paired(old, new, [value for value in told if value.kind is kind])
        if found is None or not all(_fits(*pair) for pair in found):
            return []
        pairs += [(gone, replace(came, text=completed(gone, came))) for gone, came in found]
    placed = {new.kind for _, new in pairs}
    has_place = all(value.kind in placed for value in fresh if value.kind in QUANTITIES)
    return pairs if has_place else []


def _open_to_change(said: str, values: list[Value]) -> list[Value]:
    """Return the values without the names that a statement is about: they stand before its `is`."""
    verb = VERB.search(said)
    begin = verb.start() if verb else 0
    return [
        value
        for value in values
        if value.kind is not ValueKind.NAME
        or (value.start >= begin and ("/" in value.text or not _NOUN_NEXT.match(said, value.end)))
    ]


def is_one_value(text: str) -> bool:
    """Say whether a text is a value and no more."""
    return [value.text for value in values_in(text)] == [text.strip()]


def has_rivals(said: str, new: str) -> bool:
    """Say whether the old statement holds several values of the kind that ``new`` is of."""
    kinds = [value.kind for value in _open_to_change(said, values_in(said))]
    return any(kinds.count(value.kind) > 1 for value in values_in(new))


def _paired(old: list[Value], new: list[Value], told: list[Value]) -> Sequence[Pair] | None:
    """Return the values of one kind in pairs: one and one, or a list and that list said again; None where it is neither."""
    if len(old) <= 1 and len(new) <= 1:
        return list(zip(old, new, strict=False))
    same = [each for each in old if len(new) == 1 and _is_issue_of(each, new[0])]
    if len(same) == 1:
        return [(same[0], new[0])]
    return None if not old else _listed(old, told)


def _is_issue_of(old: Value, new: Value) -> bool:
    """Say whether both are the same thing in another version: `PostgreSQL 14` and `PostgreSQL 16`."""
    (name, _, issue), (other, _, later) = (value.text.rpartition(" ") for value in (old, new))
    return bool(name) and name == other and issue[:1].isdigit() and later[:1].isdigit()


def _fits(gone: Value, came: Value) -> bool:
    """Say whether one can be the other: a place in a zone is no plain name, one day is not every week."""
    if gone.kind is ValueKind.MEASURE and _family(gone) != _family(came):
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


def _family(value: Value) -> int:
    """Return what a measure is a measure of: weight, length, space, memory, warmth."""
    unit = value.text.lower().lstrip("0123456789., ").split()[-1:]
    return next(
        (at for at, units in enumerate(FAMILIES) if unit and unit[0].rstrip("s") in units), len(FAMILIES)
    )


def _is_as_long(old: Value, new: Value) -> bool:
    old_digits, new_digits = (sum(map(str.isdigit, value.text)) for value in (old, new))
    return abs(new_digits - old_digits) <= DIGITS_APART


def _listed(old: list[Value], new: list[Value]) -> list[Pair] | None:
    """Return those of a list that give way to those of another as long; None where it is not that list said again."""
    if len(old) != len(new) or old[0].kind is ValueKind.NAME:
        return None
    pairs = list(zip(*(sorted(values, key=lambda value: value.start) for values in (old, new)), strict=True))
    stays = {value.text.casefold() for value in old} & {value.text.casefold() for value in new}
    is_kept = [[value.text.casefold() in stays for value in pair] for pair in pairs]
    if any(one != other for one, other in is_kept):
        return None
    return [pair for pair, (kept, _) in zip(pairs, is_kept, strict=True) if not kept]
