"""From what was said and what the operator says now to how it should read. Nothing is invented.

A value takes the place of one of its own kind; the rest of the old statement stays as it was. Where it cannot
be told which value is meant, or none is named, there is no answer: the correction stays open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clawgit.memory.complements import complement, is_said_of
from clawgit.memory.frames import form_of, in_its_frame
from clawgit.memory.tellings import (
    ASKING,
    LINK,
    LONGEST_VALUE,
    SHORTEST_STATEMENT,
    bare_end,
    bare_value,
    without_lead,
)
from clawgit.text.control import folded
from clawgit.text.similarity import likeness, words
from clawgit.text.subjects import subject
from clawgit.text.valuekinds import Value, ValueKind, values_in

MOST = 1000  # characters: what is longer is no one statement
LIKE = 55  # how alike (0..100) a whole new statement must be to one that it puts right
# Letters of scripts with spaces between words: a value is bounded by others.
_SPACED = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_STRONG = frozenset(ValueKind) - {ValueKind.NAME}  # a capital letter says little


@dataclass(frozen=True, slots=True)
class Righting:
    """A statement put right: what it says instead, and which parts gave way to which (none: all of it)."""

    correct: str
    exchanges: tuple[tuple[str, str], ...] = ()

    @property
    def values(self) -> str:
        """Return what gave way and what came, as one text."""
        return " ".join(value for pair in self.exchanges for value in pair)


_NOT_BUT = (
    re.compile(r"(?:\bnot|n['’]t) (?P<old>[^,;.]{1,80}?)[,;]?\s+(?:but|rather|it'?s|i'?m|(?:he|she)'?s|(?:we|you|they)'?re)\s+(?P<new>[^;.!]{1,80})", re.IGNORECASE),
    re.compile(r"(?P<new>(?:[^,;.]|\.(?=\w)){1,80}?)[,;]?\s+(?:and\s+)?(?:not|instead of|rather than)\s+(?P<old>(?:[^,;.!]|\.(?=\w)){1,80})", re.IGNORECASE),
    re.compile(r"不是(?P<old>[^，,。]{1,40})[，,]?\s*(?:而是|是|应该是|應該是)(?P<new>[^，,。！!]{1,40})"),
    re.compile(r"(?:是)?(?P<new>[^，,。]{1,40})[，,]\s*不是(?P<old>[^，,。！!]{1,40})"),
    re.compile(r"(?P<old>\S{1,40}?)(?:이|가|은|는)?\s*(?:아니라|아니고|말고)\s*,?\s*(?P<new>[^,.!]{1,60})"),
)  # fmt: skip


def put_right(said: str, told: str) -> Righting | None:
    """Return how ``said`` should read after the operator's ``told``; None where that cannot be known."""
    if max(len(said), len(told)) > MOST:
        return None
    old_text, whole = folded(said), folded(told)
    message = without_lead(whole)
    if not old_text or not message or any(text.endswith(ASKING) for text in (old_text, message)):
        return None
    found = _by_contrast(old_text, message) or _by_contrast(old_text, whole)
    for attempt in (_by_values, _by_frame, _by_statement, _by_complement):
        found = found or attempt(old_text, message)
    return None if found is None or found.correct == old_text else found


def exchanged(said: str, old: str, new: str) -> str | None:
    """Return ``said`` with ``new`` where ``old`` stands as whole words; None where it stands nowhere, or twice."""
    place = _place_of(said, old)
    if place is None or _place_of(said[place[1] :], old) is not None:
        return None
    return said[: place[0]] + new + said[place[1] :]


def _by_contrast(said: str, message: str) -> Righting | None:
    """`not Wednesday but Thursday`: both are named, and the old one stands in the statement."""
    for pattern in _NOT_BUT:
        match = pattern.search(message)
        if match is None:
            continue
        old, new = bare_value(match["old"]), bare_value(match["new"])
        place = _place_of(said, old)
        if old and place is not None and (values_in(new) or subject(new)):
            start, end = _as_told(said, place, message)
            new = _value_in(_without_end(new, said[end:]), said[:start], old)
            if not new:
                return None
            return Righting(said[:start] + new + said[end:], ((said[start:end], new),))
    return None


def _as_told(said: str, place: tuple[int, int], message: str) -> tuple[int, int]:
    """Return a place, or that of the value it is a part of, where the message names the whole: `5월 21일`, not `21일`."""
    start, end = place
    for value in values_in(said):
        if value.start <= start and end <= value.end and value.text in message:
            return value.start, value.end
    return place


def _value_in(told: str, before: str, old: str) -> str:
    """Return the value in a part that repeats what stands before the old one: `9000` of `the port is 9000`.

    Empty where it says more than a value, and it cannot be told which part is one.
    """
    kinds = {value.kind for value in values_in(old)} & _STRONG
    same = [value for value in values_in(told) if value.kind in kinds]
    if len(same) == 1 and len(told[: same[0].start].split()) > 1:
        return same[0].text
    if not told.isascii() and " " not in told:
        return _behind_repeated(told, before)
    repeated = form_of(before.rsplit(maxsplit=1)[-1]) if before.split() else ""
    parts = told.split()
    at = max((number for number, word in enumerate(parts) if form_of(word) == repeated), default=-1)
    value = " ".join(parts[at + 1 :])
    return value if len(words(value)) <= LONGEST_VALUE or not told.isascii() else ""


def _without_end(told: str, after: str) -> str:
    """Return a part without the words at its end that stand behind the old value as well."""
    rest = after.strip(" .!。！")
    repeats = bool(rest) and told.casefold().endswith(rest.casefold())
    return told[: -len(rest)].strip() if repeats else told


def _behind_repeated(told: str, before: str) -> str:
    """Return what follows in a text without spaces on what stands before the old value, all of it if nothing does."""
    ends = (before[start:] for start in range(len(before) - 1))  # two characters at least
    return next((told.rpartition(end)[2] for end in ends if end in told), told)


def _by_values(said: str, message: str) -> Righting | None:
    """`it's Thursday at 3pm`: each value takes the place of the one of its kind; what is named besides has no place."""
    there, told = values_in(said), values_in(bare_value(message))
    known = {value.text.casefold() for value in there}
    fresh = [value for value in told if value.text.casefold() not in known]
    fresh = [value for value in fresh if value.kind in _STRONG] or fresh
    pairs: list[tuple[Value, Value]] = []
    for kind in {value.kind for value in fresh}:
        old, new = ([each for each in some if each.kind is kind] for some in (there, fresh))
        if len(old) > 1 or len(new) > 1:
            return None
        pairs += zip(old, new, strict=False)
    return _with(said, pairs) if pairs else None


def _by_frame(said: str, message: str) -> Righting | None:
    """`I have three cats`: the words that differ give way, those around them stay."""
    found = in_its_frame(said, message)
    if found is None or _of_other_kind(found.old, found.new):
        return None
    return Righting(found.before + found.new + found.after, ((found.old, found.new),))


def _by_statement(said: str, message: str) -> Righting | None:
    """A whole statement about the same thing stands for itself."""
    bare = bare_end(message)
    enough = len(words(bare)) > SHORTEST_STATEMENT and not LINK.match(bare)
    return Righting(_dressed(bare, said)) if enough and likeness(said, bare) >= LIKE else None


def _by_complement(said: str, message: str) -> Righting | None:
    """`it's blue`: what stands behind `is` gives way, where the message is no more than a value."""
    found = complement(said, message)
    if found is None or _of_other_kind(found.old, found.new):
        return None
    if _has_rivals(said, found.new) and not (is_said_of(found.before) and _is_one_value(found.old)):
        return None
    return Righting(found.before + found.new + found.after, ((found.old, found.new),))


def _is_one_value(text: str) -> bool:
    return [value.text for value in values_in(text)] == [text.strip()]


def _of_other_kind(old: str, new: str) -> bool:
    """Say whether one is a day, an amount or the like, and the other is none."""
    one, other = ({value.kind for value in values_in(text)} & _STRONG for text in (old, new))
    return bool(one or other) and one.isdisjoint(other)


def _dressed(bare: str, said: str) -> str:
    """Return a statement with the capital and the stop that the old one has."""
    start = bare[0].upper() if said[0].isupper() else bare[0]
    stop = said[-1] if said[-1] in ".。" and bare[-1] not in ".。!！" else ""
    return start + bare[1:] + stop


def _has_rivals(said: str, new: str) -> bool:
    """Say whether the old statement holds several values of the kind that ``new`` is of."""
    kinds = [value.kind for value in values_in(said)]
    return any(kinds.count(value.kind) > 1 for value in values_in(new))


def _with(said: str, pairs: list[tuple[Value, Value]]) -> Righting:
    for old, new in sorted(pairs, key=lambda pair: -pair[0].start):
        said = said[: old.start] + new.text + said[old.end :]
    return Righting(said, tuple((old.text, new.text) for old, new in pairs))


def _place_of(said: str, old: str) -> tuple[int, int] | None:
    """Return where ``old`` stands in ``said`` as whole words, in any case."""
    if not old:
        return None
    edge = rf"(?<!{_SPACED})" if old[0].isascii() else ""
    other = rf"(?!{_SPACED})" if old[-1].isascii() else ""
    match = re.search(edge + re.escape(old) + other, said, re.IGNORECASE)
    return match.span() if match else None
