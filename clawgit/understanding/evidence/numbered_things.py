"""Things with a word and a number (`item 18`, `Zimmer 7`): statements about another one than a message's. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem, folded
from clawgit.text.words.word_lists import MONTHS, WEEKDAYS
from clawgit.understanding.evidence.says_beyond import words_shared

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBERED = lazy_pattern(
    r"(?i)(?<![\w-])(?P<word>[^\W\d_]{2,})(?: (?:number|nummer|n[úu]mero|n[oºr°]?\.?))? ?#?"
    r"(?<![^\W\d_])(?P<numbers>\d+(?:(?:,| and| und| y| e| et) \d+)*)(?![\w%°€$£]|[.,:/-]\d)"
)
_NUMBER = lazy_pattern(r"\d+")
_NO_NAMES = frozenset().union(*stopwords.LANGUAGES, MONTHS, WEEKDAYS)
_BARE = (ValueKind.NUMBER, ValueKind.NAME, ValueKind.LABELLED, ValueKind.GROUPED)


class _Numbered(NamedTuple):
    word: str
    numbers: frozenset[str]
    before: str


def about_others(message: str, statements: Iterable[str]) -> frozenset[str]:
    """Return the statements about another numbered thing than a message's.

    A statement's first number is its name if the message has no word from before it; later numbers are
    values: `Item 18 is on shelf 1`. `Room 7 costs 65, room 9 80` is about either room.
    """
    numbers_by_word: dict[str, set[str]] = {}
    for each in _numbered(message):
        numbers_by_word.setdefault(each.word, set()).update(each.numbers)
    if not numbers_by_word:
        return frozenset()
    others = set()
    for statement in statements:
        named = [each for each in _numbered(statement) if each.word in numbers_by_word]
        if not named or words_shared(named[0].before, message):
            continue
        its: set[str] = set()
        for each in named:
            if each.word == named[0].word:
                its.update(each.numbers)
        if its.isdisjoint(numbers_by_word[named[0].word]):
            others.add(statement)
    return frozenset(others)


@lru_cache(maxsize=4096)
def _numbered(text: str) -> tuple[_Numbered, ...]:
    """Return the numbered things in a text; months, counts and numbers with a unit are values."""
    numbered = []
    for match in _NUMBERED.finditer(text):
        word = folded(match["word"])
        start, end = match.span("numbers")
        is_value = word in _NO_NAMES
        for value in values_in(text):
            is_here = value.start < end and start < value.end
            is_value = is_value or (is_here and value.kind not in _BARE)
        if not is_value:
            numbers = frozenset(_NUMBER.findall(match["numbers"]))
            numbered.append(_Numbered(english_stem(word), numbers, text[: match.start()]))
    return tuple(numbered)
