"""Things that are called by a word and a number (`item 18`, `Zimmer 7`): which statements are about another one than a message. Pure."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem, folded
from clawgit.text.words.word_lists import MONTHS, WEEKDAYS
from clawgit.understanding.evidence.said_words import read
from clawgit.understanding.evidence.says_beyond import replaces_value, says_beyond, words_shared

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_NUMBERED = lazy_pattern(
    r"(?i)(?<![\w-])(?P<word>[^\W\d_]{2,})(?: (?:number|nummer|n[úu]mero|n[oºr°]?\.?))? ?#?"
    r"(?<![^\W\d_])(?P<numbers>\d+(?:(?:,| and| und| y| e| et) \d+)*)(?![\w%°€$£]|[.,:/-]\d)"
)
_word = attrgetter("word")
_NUMBER = lazy_pattern(r"\d+")
_NO_NAMES = frozenset().union(*stopwords.LANGUAGES, MONTHS, WEEKDAYS)
_BARE = (ValueKind.NUMBER, ValueKind.NAME, ValueKind.LABELLED, ValueKind.GROUPED)
_ANY_DAY = date(2000, 1, 1)


class _Numbered(NamedTuple):
    """A word with its numbers, and the text before and behind them."""

    word: str
    numbers: frozenset[str]
    before: str
    behind: str


def about_others(said: str, judged: Iterable[str], statements: Iterable[str]) -> frozenset[str]:
    """Return which statements are about another numbered thing than a message; ``statements`` are all that memory has.

    What a statement numbers first is its name, what it numbers behind that may change: `Item 18 is on shelf 1`. With another number it is
    of something else where another statement has the number of the message, or where nothing else names it, and more than the
    number differs.
    """
    told: dict[str, set[str]] = {}
    for each in _numbered(said):
        told.setdefault(each.word, set()).update(each.numbers)
    if not told:
        return frozenset()
    numbers = re.compile(rf"(?<!\d)(?:{'|'.join(frozenset().union(*told.values()))})(?!\d)")
    named: list[tuple[str, str]] = []
    for statement in filter(numbers.search, statements):
        first = _first(statement, told)
        if first is not None and not first.numbers.isdisjoint(told[first.word]):
            named.append((first.word, statement))
    others = set()
    is_of_more = len(read(said, _ANY_DAY).values) > 1
    for statement in judged:
        first = _first(statement, told)
        if first is None or _names_one(statement, first.word, told[first.word]):
            continue
        if _is_alone(first, statement, said):
            others.add(statement)
        shared = set(filterfalse(_NUMBER.search, words_shared(statement, said)))  # the new time may be its
        for word, other in named:
            is_it = word == first.word and words_shared(other, said).issuperset(shared)
            if is_it and (is_of_more or says_beyond(said, other, _ANY_DAY)):
                others.add(statement)
    return frozenset(others)


def _first(text: str, words: Collection[str]) -> _Numbered | None:
    for each in _numbered(text):
        if each.word in words:
            return each
    return None


def _names_one(statement: str, word: str, numbers: Collection[str]) -> bool:
    """Say whether a statement has a word with one of some numbers: `room 7 costs 65, room 9 80` is of either room."""
    its: set[str] = set()
    for each in _numbered(statement):
        if each.word == word:
            its.update(each.numbers)
    return not its.isdisjoint(numbers)


def _is_alone(first: _Numbered, statement: str, said: str) -> bool:
    """Say whether a message has nothing of what a statement says before a number, and begins with another or says something else behind it, too."""
    its = _first(said, (first.word,))
    if its is None or words_shared(first.before, said):
        return False
    words = set(map(_word, _numbered(said))).intersection(map(_word, _numbered(statement)))
    is_beginning = not words_shared(first.before, first.before) and not words_shared(its.before, its.before)
    return is_beginning or len(words) > 1 or replaces_value(its.behind, first.behind, _ANY_DAY)


@lru_cache(maxsize=4096)
def _numbered(text: str) -> tuple[_Numbered, ...]:
    """Return what a text numbers; months, counts and what has a unit are values."""
    found = []
    for match in _NUMBERED.finditer(text):
        word = folded(match["word"])
        start, end = match.span("numbers")
        is_value = word in _NO_NAMES
        for value in values_in(text):
            is_here = value.start < end and start < value.end
            is_value = is_value or (is_here and value.kind not in _BARE)
        if not is_value:
            numbers = frozenset(_NUMBER.findall(match["numbers"]))
            found.append(_Numbered(english_stem(word), numbers, text[: match.start()], text[end:]))
    return tuple(found)
