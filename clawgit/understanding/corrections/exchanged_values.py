"""Which value of a statement gives way to which of a message, and the statement with another one there. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import QUANTITIES, Value, ValueKind, completed, number_in, values_in
from clawgit.text.words.hangul import open_stem
from clawgit.text.words.script import HAN, SPACED
from clawgit.understanding.corrections.asserted_text import (
    JUDGEMENTS,
    LONGEST_VALUE,
    STOP,
    STRONG,
    bare_value,
)
from clawgit.understanding.forms.phrase_forms import PLACING, PREPOSITION, PREPOSITIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

_BE = frozenset({"am", "is", "are"})


def exchanged(said: str, old: str, new: str) -> str | None:
    """Return ``said`` with ``new`` where ``old`` is as whole words; None where it is nowhere, or twice."""
    return exchanged_all(said, ((old, new),))


def exchanged_all(said: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    """Return ``said`` with each pair's new part where the old one stands, all at once; None where one stands nowhere, or twice."""
    places = []
    for old, new in pairs:
        place = place_of(said, old)
        if place is None or place_of(said[place[1] :], old) is not None:
            return None
        places.append((*place, new))
    places.sort(reverse=True)
    if any(end > later for (later, _, _), (_, end, _) in pairwise(places)):
        return None
    for start, end, new in places:
        said = said[:start] + new + said[end:]
    return said


def place_of(said: str, old: str) -> tuple[int, int] | None:
    """Return where ``old`` is in ``said`` as whole words, in any case."""
    if not old:
        return None
    edge = rf"(?<!{SPACED})" if old[0].isascii() else ""
    other = rf"(?!{SPACED})" if old[-1].isascii() else ""
    match = re.search(edge + re.escape(old) + other, said, re.IGNORECASE)
    return match.span() if match else None


def form_of(word: str) -> str:
    """Return a word without its stop and the ending of a verb or plural."""
    bare = word.lower().strip(".,!")
    if bare in _BE:
        return "be"
    return {"has": "have"}.get(bare, bare.removesuffix("s"))


_PIECE = r"(?:[^,;.!]|[.,](?=\w))"  # one character of a part; a stop inside a number or an address ends none
_OLD, _NEW = (rf"(?P<{name}>{_PIECE}{{1,80}})" for name in ("old", "new"))
_OLD_SHORTLY, _NEW_SHORTLY = (rf"(?P<{name}>{_PIECE}{{1,80}}?)" for name in ("old", "new"))
_NOT = r"(?:\bnot|\bno longer|n['’]t)"
_BUT = r"(?:but|rather|it'?s|i'?m|(?:he|she)'?s|(?:we|you|they)'?re)"
_RATHER = r"(?:not|instead of|rather than)"
_WHERE = rf"(?:(?:{PLACING})\s+)?(?:(?:the|an?)\s+)?"
_HAN_OLD, _HAN_NEW = (rf"(?P<{name}>[^，,。；;！!]{{1,40}})" for name in ("old", "new"))
_HAN_IS = r"(?:而是|是|应该是|應該是)"
_KOREAN_OLD = r"(?P<old>\S{1,40}?)"
_KOREAN_NOT = r"(?:이|가|은|는)?\s*(?:아니라|아니고|말고)"
_SHAPES = {
    "not X but Y": rf"{_NOT} {_OLD_SHORTLY}[,;]?\s+{_BUT}\s+{_NEW}",
    "not X, Y": rf"^(?:and |also )?not {_WHERE}{_OLD_SHORTLY}, (?:but )?{_WHERE}{_NEW}$",
    "Y, not X": rf"{_NEW_SHORTLY}[,;]?\s+(?:and\s+)?{_RATHER}\s+{_WHERE}{_OLD}",
    "不是X，是Y": rf"不是{_HAN_OLD}[，,]?\s*{_HAN_IS}{_HAN_NEW}",
    "从X改成Y": rf"[从從]{_HAN_OLD}[改换換][成为為到]{_HAN_NEW}",
    "Y，不是X": rf"(?:是)?{_HAN_NEW}[，,]\s*不是{_HAN_OLD}",
    "叫Y，不叫X": rf"叫{_HAN_NEW}[，,]\s*不叫{_HAN_OLD}",
    "X이 아니라 오후 Y": rf"(?P<old>(?:오전|오후) \S{{1,40}}?){_KOREAN_NOT}\s*,?\s*(?P<new>(?:오전|오후) [^,.!]{{1,60}})",
    "X이 아니라 Y": rf"{_KOREAN_OLD}{_KOREAN_NOT}\s*,?\s*(?P<new>[^,.!]{{1,60}})",
    "Y, X이 아니라": rf"(?P<new>[^,.!]{{1,60}}),\s*{_KOREAN_OLD}{_KOREAN_NOT}[.!]?$",
}
_PLACED_SO = re.compile(rf"(?i)\b(?:{PREPOSITION}) $")
# How somebody feels is nothing that he is instead: `I'm not vegan, I'm just hungry`.
_MOOD = re.compile(rf"(?i)^(?:just|only|so|too|very|really)\b|{JUDGEMENTS.pattern.removeprefix('(?i)')}")
_PATTERNS = tuple(re.compile(shape, re.IGNORECASE) for shape in _SHAPES.values())


@lru_cache(maxsize=1024)
def contrasts_in(message: str) -> tuple[tuple[str, str], ...]:
    """Return what is named as wrong and as right, in each way in which the message can be read so."""
    matches = (pattern.search(message) for pattern in _PATTERNS)
    return tuple((match["old"].strip(), match["new"].strip()) for match in matches if match is not None)


def contrasted(said: str, message: str) -> tuple[int, int, str] | None:
    """Return the place in ``said`` of what is named as wrong, and what the message names in its stead."""
    for wrong, right in contrasts_in(message):
        old, new = bare_value(wrong), bare_value(right)
        place = place_of(said, old)
        is_value = bool(values_in(new)) or (bool(subject(new)) and not _MOOD.search(new))
        if not old or place is None or not is_value:
            continue
        start, end = _as_told(said, place, message)
        new = _without_start(_without_end(new, said[end:]), said[:start])
        same = _of_same_kind(new, old)
        if _repeats(new, said[:start], said[end:]):
            new = same[0].text if len(same) == 1 else ""
        else:
            new = _value_in(new, said[:start], same)
        if new:
            return start, end, new
    return None


def _as_told(said: str, place: tuple[int, int], message: str) -> tuple[int, int]:
    """Return a place, or that of the value it is a part of, where the message names the whole: `5월 21일`, not `21일`."""
    start, end = place
    for value in values_in(said):
        if value.start <= start and end <= value.end and value.text in message:
            return value.start, value.end
    return place


def _of_same_kind(told: str, old: str) -> list[Value]:
    kinds = {value.kind for value in values_in(old)} & STRONG
    return [value for value in values_in(told) if value.kind in kinds]


def _value_in(told: str, before: str, same: list[Value]) -> str:
    """Return the value in a part that repeats what is before the old one: `9000` of `the port is 9000`.

    ``same`` are its values of the old one's kind. Empty where it says more than a value, and it cannot be told which part is one.
    """
    in_front = told[: same[0].start].split() if len(same) == 1 else []
    if len(in_front) > 1 or (in_front and _PLACED_SO.search(before) and in_front[0] in PREPOSITIONS):
        return same[0].text  # `planned for Thursday` is `planned for Friday`, also where it is `on Friday`
    repeated = form_of(before.rsplit(maxsplit=1)[-1]) if before.split() else ""
    parts = told.split()
    at = max((number for number, word in enumerate(parts) if form_of(word) == repeated), default=-1)
    value = " ".join(parts[at + 1 :])
    return value if len(words(value)) <= LONGEST_VALUE or not told.isascii() else ""


def _repeats(told: str, *rest: str) -> bool:
    """Say whether a part in Chinese says two characters that are around the old value as well: it is no value alone."""
    return any(
        HAN.match(told, at) and HAN.match(told, at + 1) and any(told[at : at + 2] in each for each in rest)
        for at in range(len(told) - 1)
    )


def _without_start(told: str, before: str) -> str:
    """Return a part without the words at its start that are in front of the old value as well."""
    repeated = next((before[at:] for at in range(len(before)) if told.startswith(before[at:])), "")
    return told.removeprefix(repeated).strip()


def _without_end(told: str, after: str) -> str:
    """Return a part without the words at its end that are behind the old value as well, in whatever form."""
    rest = STOP.split(after, maxsplit=1)[0].rstrip(" 。！.!")
    bare = rest.strip()
    if bare and told.casefold().endswith(bare.casefold()):
        return told[: -len(bare)].strip()
    behind, parts = bare.split(), told.split()
    glued = behind[:1] if behind and rest[:1] == rest.lstrip()[:1] else []  # a particle of the old value
    repeated = behind[len(glued) :]
    if repeated and len(parts) > len(repeated) and all(map(_is_form, parts[-len(repeated) :], repeated)):
        parts = parts[: -len(repeated)]
    told = " ".join(parts)
    return told.removesuffix(glued[0]) if glued and parts != [glued[0]] else told


def _is_form(one: str, other: str) -> bool:
    """Say whether two words are forms of one: of a Korean verb, the stem is in front."""
    return form_of(one) == form_of(other) or open_stem(one) == open_stem(other) != ""


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
    there = values_in(said)
    unchanged = {value.text.casefold() for value in there}
    fresh = [value for value in values_in(bare) if not _is_denied(bare, value)]
    fresh = [value for value in fresh if value.text.casefold() not in unchanged]
    fresh = [value for value in fresh if value.kind in STRONG] or fresh
    pairs: list[Pair] = []
    for kind in dict.fromkeys(value.kind for value in fresh):
        old = [value for value in _open_to_change(said, there) if value.kind is kind]
        new = [value for value in fresh if value.kind is kind]
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
