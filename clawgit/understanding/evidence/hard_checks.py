"""What may not be wrong with a reading of the operator's sentences: values, words and negations that they do not have. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence import sense_words as sense
from clawgit.understanding.evidence.own_sentences import clauses
from clawgit.understanding.evidence.said_values import completed
from clawgit.understanding.evidence.said_words import Read, is_light, lacking, read, spelled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

# It denies all that the sentence says, or all but what is behind it.
_WHOLE_SENTENCE = lazy_pattern(
    r"\b(?:false|untrue|not true|a (?:lie|myth)) that\b|\b(?:apart from|except|other than|außer|excepto|salvo)\b|\bwithout\b(?=[^,]*,)|\b(?:falsch|gelogen), dass\b|除了|제외"
)
_DENIES_ALL = lazy_pattern(
    r"\b(?:false|untrue|(?:lie|myth)) that\b|\b(?:apart from|except|other than|außer|excepto|salvo)\b|\b(?:falsch|gelogen), dass\b|除了|제외"
)
_CONTRAST = lazy_pattern(r"(?i)\b(?:instead of|rather than|statt|en lugar de|au lieu de)\b[^,.;]*")
SHORTEST_SHORT = 4  # letters of `Mongo`


@dataclass(frozen=True)
class Case:
    """An edit (of nothing: an addition) beside the operator's sentences that are to carry it; ``mine`` is all that he says there."""

    old: str
    new: str
    told: tuple[str, ...]
    mine: tuple[str, ...]
    on: date

    @classmethod
    def of(cls, change: tuple[str, str], told: tuple[str, ...], mine: tuple[str, ...], on: date) -> Case:
        """Return the case with all its texts spelled alike."""
        old, new = map(spelled, change)
        return cls(old, new, tuple(map(spelled, told)), tuple(map(spelled, mine)), on)

    @cached_property
    def stated(self) -> Read:
        """Return what the entry is to say."""
        return read(self.new, self.on)

    @cached_property
    def before(self) -> Read:
        """Return what it says now."""
        return read(self.old, self.on)

    @cached_property
    def said(self) -> Read:
        """Return all that the operator says himself in the message."""
        return read(" . ".join(self.mine), self.on)

    @cached_property
    def brought(self) -> list[str]:
        """Return what is new in it."""
        return lacking(self.stated, self.before)

    @cached_property
    def gone(self) -> list[str]:
        """Return what the entry says no more."""
        return lacking(self.before, self.stated)

    def one(self, word: str) -> Read:
        """Return a word of the statement as read alone; a name stays one."""
        return read(word, self.on)._replace(names=self.stated.names)


def changes_nothing(case: Case) -> str:
    """Say that the entry says so already."""
    if not case.old or case.brought or case.gone or _denials(case.old) != _denials(case.new):
        return ""
    was, now = (_denied(case, text) for text in (case.old, case.new))
    return "The entry says so already." if was == now else ""


def lacks_value(case: Case) -> str:
    """Name the first value or name of what is new that the operator's message does not have."""
    values = {value.shown for value in case.stated.values}
    wanted = [item for item in unsaid(case) if item in values or item in _names_of(case.stated)]
    return f"The operator's message does not say {wanted[0]!r}." if wanted else ""


def lacks_word(case: Case) -> str:
    """Name the first word of what is new that neither the message has nor may change with the wording alone."""
    missing = [item for item in unsaid(case) if not (case.old and is_light(item))]
    if case.old and len(missing) == 1 and _names_subject(missing[0], case):
        return ""
    return f"The operator's message does not say {missing[0]!r}." if missing else ""


def may_be_the_hosts(case: Case) -> bool:
    """Say whether the message has every value of an addition, and something of it: the rest is somebody else's wording."""
    missing, values = unsaid(case), {value.shown for value in case.stated.values}
    return not values.intersection(missing) and len(missing) < len(case.stated.items)


def is_nearly_his(case: Case) -> bool:
    """Say whether the message has all of what is new but one word, or at least half of it."""
    missing = set(unsaid(case)).intersection(case.brought)
    return len(missing) < 2 or 2 * len(missing) <= len(case.brought)


def denies_as_well(case: Case) -> bool:
    """Say whether something is denied both in the sentences behind a statement and in it, or in neither: where, is for a reader."""
    return any(map(_denials, case.told)) == bool(_denials(case.new))


def _names_subject(word: str, case: Case) -> bool:
    """Say whether a word is before all that is new and said: it may only name what the entry is about."""
    small = case.new.lower()
    carried = [small.find(item) for item in case.brought if not lacking(case.one(item), case.said)]
    return bool(carried) and small.find(word) < min(carried)


def drops_subject(case: Case) -> bool:
    """Say whether a plain word of the entry would go of which the message says nothing."""
    values = {value.shown for value in case.before.values}
    going = lacking(case.before, case.stated, case.said)
    return any(item not in values and not is_light(item) for item in going)


def unsaid(case: Case) -> list[str]:
    """Return what is new in a statement and not said by the operator; the rest of a date is that of the entry.

    An addition may name the day on which it was said.
    """
    more = Read(tuple(completed(case.said.values, case.before.values)), (), (), (), "")
    said_on = case.before if case.old else read(case.on.isoformat(), case.on)
    missing = lacking(case.stated, case.said, said_on, more)
    return [item for item in missing if not _is_long_form(item, case)]


def _is_long_form(word: str, case: Case) -> bool:
    """Say whether a word is the `MongoDB` of what was told as `Mongo`, or the `1` of `one`."""
    if word == "1":
        return sense.ONE.search(case.said.plain) is not None
    return any(word.startswith(short) and len(short) >= SHORTEST_SHORT for short in case.said.latin)


def turns_negation(case: Case) -> str:
    """Name what the statement denies and the operator does not, or the other way round."""
    stated, told = (
        list(_parts(case.new, case.on)),
        [part for each in case.told for part in _parts(each, case.on)],
    )
    for item in case.brought:
        here = {is_denied for said, is_denied in stated if not lacking(case.one(item), said)}
        there = {is_denied for said, is_denied in told if not lacking(case.one(item), said)}
        if here and there and not here & there and not _keeps_denying(case, there):
            return _turned(item, is_denied=True in here)
    was, now = (
        any(denied for _, denied in _parts(_CONTRAST.sub("", text), case.on)) for text in (case.old, case.new)
    )
    if was == now:
        return ""
    same = [said for said, is_denied in told if is_denied is now]
    if any(set(case.stated.items) - set(lacking(case.stated, said)) for said in same):
        return ""
    return _turned("that", is_denied=now)


def _keeps_denying(case: Case, there: set[bool]) -> bool:
    """Say whether one value takes another's place in what the entry denies as well: `not over 300 lines`."""
    values = {value.shown for value in case.stated.values}
    is_value = bool(case.brought) and values.issuperset(case.brought)
    return bool(case.old) and True not in there and is_value and _denials(case.old) == _denials(case.new) > 0


def _turned(item: str, *, is_denied: bool) -> str:
    if is_denied:
        return f"The operator does not deny {item!r}, and the statement does."
    return f"The operator denies {item!r}, and the statement does not."


def _parts(text: str, on: date) -> Iterator[tuple[Read, bool]]:
    """Yield what each clause of a sentence says, and whether that is denied: twice is not at all."""
    small = sense.ORDER.sub("", text.lower())
    is_one = _WHOLE_SENTENCE.search(small) is not None
    for part in [small] if is_one else clauses(text):
        yield read(part, on), _denials(part, is_whole=is_one) % 2 == 1


def _denied(case: Case, text: str) -> set[str]:
    """Return what of the statement a text denies."""
    parts = [said for said, is_denied in _parts(text, case.on) if is_denied]
    return {item for item in case.stated.items if any(not lacking(case.one(item), said) for said in parts)}


def _denials(text: str, *, is_whole: bool = False) -> int:
    small = sense.ORDER.sub("", text.lower())
    all_of_it = len(_DENIES_ALL.findall(small)) if is_whole or _WHOLE_SENTENCE.search(small) else 0
    return len(sense.NOT.findall(small)) + all_of_it


def loses_value(case: Case) -> str:
    """Name a value or name of the entry that would go, though none of its kind comes and the message does not name it."""
    fresh = [value for value in case.stated.values if value.shown in case.brought]
    for value in case.before.values:
        if value.shown not in case.gone or not lacking(Read((value,), (), (), (), value.shown), case.said):
            continue
        same = next((each for each in fresh if each.kinds & value.kinds), None)
        if same is None:
            return _lost(value.shown)
        fresh.remove(same)
    names = _names(case.before, lacking(case.before, case.stated, case.said))
    return _lost(names[0]) if len(names) > len(_names(case.stated, case.brought)) else ""


def _names(text: Read, items: list[str]) -> list[str]:
    values = {value.shown for value in text.values}
    return [item for item in items if item in text.names and item not in values]


def _names_of(text: Read) -> frozenset[str]:
    """Return the names of a text; in German every noun is written like one."""
    return frozenset() if text.is_german else text.names


def _lost(item: str) -> str:
    return f"The entry would no longer say {item!r}, and the operator does not speak of that."
