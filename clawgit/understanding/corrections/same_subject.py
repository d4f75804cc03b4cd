"""Whether two statements are about one thing, so that what sets one right sets the other right. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.text.comparing.similarity import likeness
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ADDRESSES, ValueKind, is_telling, values_in
from clawgit.text.words.hangul import COPULA, open_stem
from clawgit.text.words.script import HAN
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.forms.function_words import PREPOSITIONS
from clawgit.understanding.forms.persons import says_it_of_you
from clawgit.understanding.values.value_swaps import VERB

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.memory.corrections.verdicts import Righting

_KOREAN_IS = re.compile(rf"(?:{COPULA})$")
_KOREAN_COUNT_IS = re.compile(r"(?<=\d[가-힣])(?:다|야|요)$")  # behind a vowel: `10시다`
ALIKE = 70  # of 100: statements that are about nothing but their values
MOST_OF_IT = 0.6  # of what a statement is about must be in an entry that says the same
SOME_OF_IT = 0.2  # of what the entry is about, in turn
# Verbs and turns that a statement can do with or without and be about the same, as `subject` has them.
_INCIDENTAL = words_in("""
start begin happen run go take come hold held meet use have live listen work call name keep stay lie stand get need
every weekday weekdays daily weekly monthly usually always currently today tonight tomorrow now new
""")
# Said of anything: it does not tell which entry is meant.
ANY_THING = subject(
    "call called name start begin end run go need cost take use prefer like eat drink every week day month year"
    " 每周 每週 每天 每日 每月 每年 매주 매일 매월 매년"
)
_OTHER = re.compile(r"(?i)\b(?:an)?other\b|另|其他|다른 ")


def is_about(statement: str, said: str, righted: Righting) -> bool:
    """Say whether a statement is about what was said, the value that is wrong left aside."""
    if _one_is_other(statement, said):
        return False
    if any(is_elsewhere(old, new) for old, new in righted.exchanges) and not _same_verb(statement, said):
        return False
    values = subject(righted.values)
    about, here = _subject(said) - values, _subject(statement) - values
    if not about or not here:
        return likeness(said, statement) >= ALIKE
    return _is_same(about, here) or says_it_of_you(statement, said) or _tells(said, righted, about, here)


def _one_is_other(one: str, two: str) -> bool:
    """Say whether only one of two statements is about the *other* thing of its name."""
    return (_OTHER.search(one) is None) != (_OTHER.search(two) is None)


def is_of_the_other(told: str, statement: str) -> bool:
    """Say whether a message is about the *other* thing of a name, and a statement is not."""
    return _OTHER.search(told) is not None and _OTHER.search(statement) is None


def is_elsewhere(old: str, new: str) -> bool:
    """Say whether a place gives way to one of another kind: `she's at work` is nowhere that she `lives in`."""
    first, then = (value.split(maxsplit=1)[0].lower() for value in (old, new))
    return first != then and {first, then} <= PREPOSITIONS


def _same_verb(statement: str, said: str) -> bool:
    one, other = VERB.search(statement), VERB.search(said)
    return one is not None and other is not None and one.group() == other.group()


def shares_subject(statement: str, said: str, righted: Righting) -> bool:
    """Say whether a statement is about what was said in other words: they share some of it, and one has nothing besides."""
    values = subject(righted.values)
    about, here = (_subject(text) - values - _INCIDENTAL for text in (said, statement))
    if (
        _one_is_other(statement, said)
        or _names_in(said) & about - here
        or _inner_names(statement) & here - about
    ):
        return False
    kinds = {value.kind for old, _ in righted.exchanges for value in values_in(old)}
    return not kinds.isdisjoint(ADDRESSES) or _overlap(about, here)


def _overlap(about: frozenset[str], here: frozenset[str]) -> bool:
    """Say whether two statements share something, and one of them names nothing besides."""
    return bool(about & here) and (about <= here or here <= about)


def _subject(text: str) -> frozenset[str]:
    """Return the terms of a statement; how politely a Korean one ends makes no difference."""
    bare = _KOREAN_COUNT_IS.sub("", _KOREAN_IS.sub("", text.rstrip(" .!")))
    begin, space, last = bare.rpartition(" ")
    if bare.endswith(("다", "요")) and open_stem(last):
        bare = begin + space + open_stem(last)
    return subject(bare)


def _tells(said: str, righted: Righting, about: frozenset[str], here: frozenset[str]) -> bool:
    """Say whether the value alone tells that two statements are about one thing, since hardly two have the same.

    Not where one names somebody or something that the other does not; names are known in scripts with capitals only.
    """
    kinds = {value.kind for old, _ in righted.exchanges for value in values_in(old) if is_telling(value)}
    if not kinds or not said.isascii() or _names_in(said) & about - here:
        return False
    return not kinds.isdisjoint(ADDRESSES) or _overlap(about - _INCIDENTAL, here - _INCIDENTAL)


def _names_in(text: str) -> frozenset[str]:
    """Return the terms of what is written with a capital letter."""
    first = text.split(maxsplit=1)[0] if text[:1].isupper() else ""
    return _inner_names(text) | subject(first)


def _inner_names(text: str) -> frozenset[str]:
    """Return the same but for the first word, which has a capital letter anyway."""
    named = (value.text for value in values_in(text) if value.kind is ValueKind.NAME)
    return frozenset[str]().union(*map(subject, named))


def _is_same(about: frozenset[str], here: frozenset[str]) -> bool:
    """Say whether two statements are about one thing: one may say more of it, but each something else is two things."""
    shared = len(about & here)
    is_within = about <= here or here <= about
    return is_within and shared >= MOST_OF_IT * len(about) and shared >= SOME_OF_IT * len(here)


def names_same(told: str, statement: str, righted: Righting) -> bool:
    """Say whether a message is about a statement: it names the same thing, or nothing but what gives way to what."""
    about = without_values(told) - subject(righted.values)
    here = without_values(statement) | (about & subject(statement))
    if HAN.search(told):  # its terms reach over the edges of a value
        about = _around(told, [new for _, new in righted.exchanges])
        here = _around(statement, [old for old, _ in righted.exchanges])
    if _names_in(told) - subject(righted.values) - subject(statement):
        return False
    if about:
        return _is_same(about, here)
    return any(old.casefold() in told.casefold() for old, _ in righted.exchanges)


def _around(text: str, values: Iterable[str]) -> frozenset[str]:
    """Return what a text is about, with nothing in the place of some values."""
    for value in values:
        text = text.replace(value, " ")
    return without_values(text)


def without_values(text: str) -> frozenset[str]:
    """Return what a statement is about, besides the values that it names."""
    named = frozenset[str]().union(*(subject(value.text) for value in values_in(text)))
    return subject(text) - named


def renames(statement: str, righted: Righting) -> bool:
    """Say whether a name gives way before which nothing says what it is of: another thing's name is put there."""
    names = {value.text: value.start for value in values_in(statement) if value.kind is ValueKind.NAME}
    return any(old in names and not subject(statement[: names[old]]) for old, _ in righted.exchanges)
