"""Things that are called by a word and a number: `item 6` is not item 516. Pure."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem, folded
from clawgit.text.words.word_lists import MONTHS, WEEKDAYS
from clawgit.understanding.evidence.own_sentences import denied
from clawgit.understanding.evidence.said_words import ANY_DAY, read
from clawgit.understanding.evidence.says_beyond import has_one, replaces_value, words_shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_CODE = r"(?:[A-Za-z]{0,3}\d+[a-z]?|[B-HJ-Z]|(?<=[a-z] )A)(?![\w%°€$£'’]|[.,:/-]\d| [A-Z]{2}\b)"  # `room 4b`, `flat B`
_NUMBERED = lazy_pattern(
    r"(?<![\w-])(?P<word>[^\W\d_]{2,})(?: (?i:number|nummer|n[úu]mero|n[oºr°]?\.?))? ?#?"
    rf"(?<![^\W\d_])(?P<numbers>{_CODE}(?:(?:,| and| und| y| e| et) {_CODE})*)"
)
_NUMBER = lazy_pattern(_CODE)
_NO_NAMES = frozenset().union(*stopwords.LANGUAGES, MONTHS, WEEKDAYS)


class _Things(NamedTuple):
    """The numbers behind a word, the text before the first of them, and the text without word and numbers."""

    numbers: frozenset[str]
    before: str
    rest: str


def numbers_another(message: str, statement: str, beside: Iterable[str] = (), new: str = "") -> bool:
    """Say whether a message is about another numbered thing than a statement; of `rooms 4 and 5` one is enough.

    With ``new``, the statement with its new value, each number that stays is a name. Without it only the
    first that both have may be one, see `_is_name`; ``beside`` are other statements. What the message begins with is theirs.
    """
    spoken = _numbered(message)
    its = _numbered(statement)
    for word in spoken.keys() - its.keys():
        before = spoken[word].before
        has_thing = partial(_has_thing, word, spoken[word].numbers)
        if not words_shared(before, before) and any(map(has_thing, beside)):
            return True
    both = list(filter(spoken.__contains__, its))
    if new:
        stays = _numbered(new)
        both = list(filter(lambda word: word in stays and stays[word].numbers == its[word].numbers, both))
    gone = set[str]()
    if len(spoken) == 1:  # `room 8, not 7`
        gone.update(_NUMBER.findall("; ".join(denied(message))))
    if not new:
        both = both[:1]
    for word in both:
        is_other = its[word].numbers.isdisjoint(spoken[word].numbers | gone)
        if is_other and (new or _is_name(word, message, statement, beside)):
            return True
    return False


def _has_thing(word: str, numbers: frozenset[str], statement: str) -> bool:
    its = _numbered(statement)
    return word in its and not numbers.isdisjoint(its[word].numbers)


def is_of_another_noun(message: str, statement: str, came: str, gone: str) -> bool:
    """Say whether a message's number is behind a word that a statement has with another number than the one to go: `shelf 4` replaces no `item 38` there."""
    its = _numbered(statement)
    for word, things in _numbered(message).items():
        if word in its and came.casefold() in things.numbers and gone.casefold() not in its[word].numbers:
            return True
    return False


def _is_name(word: str, message: str, statement: str, beside: Iterable[str]) -> bool:
    """Say whether a statement's number is a name, and not what a message changes: `The meeting is in room 7`.

    It is one if the message has no word from before it (`Item 18 is on shelf 1`), if it changes another value
    of the statement, or if another statement has all these words and another number, or the message's number where this one repeats another,
    or where both are of one form and the message begins with the number (`item 139 is Mei's`, beside what Mei has).
    """
    thing = _numbered(statement)[word]
    is_changed = replaces_value(_numbered(message)[word].rest, thing.rest, ANY_DAY)
    if is_changed or not words_shared(thing.before, message):
        return True
    shared = words_shared(statement, message)
    spoken = _numbered(message)
    # `Emil moved item 300 to 9`, beside another item on shelf 9
    is_there = has_one(read(spoken[word].rest).values, read(thing.rest))
    is_first = not words_shared(thing.before, spoken[word].before)
    for other in beside:
        its = _numbered(other).get(word, thing)
        is_of_form = is_first and not words_shared(statement, other) <= shared
        if (is_there or is_of_form) and not its.numbers.isdisjoint(spoken[word].numbers):
            return True
        needed = shared
        if its.before != thing.before:  # else only the numbers tell them apart
            needed = shared | words_shared(its.before, its.before)
        if its.numbers != thing.numbers and needed <= words_shared(other, message):
            return True
    return False


@lru_cache(maxsize=4096)
def _numbered(text: str) -> Mapping[str, _Things]:
    """Return the numbered things in a text by their word; months, counts and numbers with a unit are values."""
    from clawgit.text.comparing.value_kinds import ValueKind, values_in  # noqa: PLC0415 - seldom: most messages name no number

    bare = (ValueKind.NUMBER, ValueKind.NAME, ValueKind.LABELLED, ValueKind.GROUPED)
    things: dict[str, _Things] = {}
    for match in _NUMBERED.finditer(text):
        word = folded(match["word"])
        start, end = match.span("numbers")
        is_value = word in _NO_NAMES
        for value in values_in(text):
            is_here = value.start < end and start < value.end
            is_value = is_value or (is_here and value.kind not in bare)
        if not is_value:
            name = english_stem(word)
            numbers = frozenset(map(str.casefold, _NUMBER.findall(text, start, end)))
            things.setdefault(name, _Things(frozenset(), text[: match.start()], text))
            all_numbers = things[name].numbers | numbers
            rest = things[name].rest.replace(match.group(), "", 1)
            things[name] = things[name]._replace(numbers=all_numbers, rest=rest)
    return things
