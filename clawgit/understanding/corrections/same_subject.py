"""Whether two statements are about one thing, so that what sets one right sets the other right. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.text.comparing.similarity import likeness
from clawgit.text.comparing.subjects import subject
from clawgit.text.words.hangul import COPULA, open_stem

if TYPE_CHECKING:
    from clawgit.memory.corrections.verdicts import Righting

_KOREAN_IS = re.compile(rf"(?:{COPULA})$")
_KOREAN_COUNT_IS = re.compile(r"(?<=\d[가-힣])(?:다|야|요)$")  # behind a vowel: `10시다`
ALIKE = 70  # of 100: statements that are about nothing but their values
MOST_OF_IT = 0.6  # of what a statement is about must be in an entry that says the same
SOME_OF_IT = 0.2  # of what the entry is about, in turn
# Said of anything: it does not tell which entry is meant.
ANY_THING = subject(
    "call called name start begin end run go need cost take use prefer like eat drink every week day month year"
    " 每周 每週 每天 每日 每月 每年 매주 매일 매월 매년"
)
_OTHER = re.compile(r"(?i)\b(?:an)?other\b|另|其他|다른 ")


def is_about(statement: str, said: str, righted: Righting) -> bool:
    """Say whether a statement is about what was said, the value that is wrong left aside."""
    if is_of_the_other(said, statement):
        return False
    values = subject(righted.values)
    about, here = _subject(said) - values, _subject(statement) - values
    if not about or not here:
        return likeness(said, statement) >= ALIKE
    return is_same(about, here) and not about <= ANY_THING


def is_of_the_other(told: str, statement: str) -> bool:
    """Say whether a message is about the *other* thing of a name, and a statement is not."""
    return _OTHER.search(told) is not None and _OTHER.search(statement) is None


def _subject(text: str) -> frozenset[str]:
    """Return the terms of a statement; how politely a Korean one ends makes no difference."""
    bare = _KOREAN_COUNT_IS.sub("", _KOREAN_IS.sub("", text.rstrip(" .!")))
    begin, space, last = bare.rpartition(" ")
    if bare.endswith(("다", "요")) and open_stem(last):
        bare = begin + space + open_stem(last)
    return subject(bare)


def is_same(about: frozenset[str], here: frozenset[str]) -> bool:
    """Say whether two statements are about one thing: one may say more of it, but each something else is two things."""
    shared = len(about & here)
    is_within = about <= here or here <= about
    return is_within and shared >= MOST_OF_IT * len(about) and shared >= SOME_OF_IT * len(here)
