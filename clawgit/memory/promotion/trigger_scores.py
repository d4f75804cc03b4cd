"""How sure it is that a part of a note is worth keeping for good: every trigger in it counts, once. Pure."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from clawgit.memory.promotion.trigger_words import CATEGORIES

FULL = 100
_WORD = r"[A-Za-z0-9_]"  # particles and other scripts may follow: `GDPR을`


class Scored(NamedTuple):
    """A score in hundredths, and the categories of the triggers that were found, the strongest first."""

    score: int
    categories: tuple[str, ...]


def score_of(text: str) -> Scored:
    """Return how sure it is that ``text`` is worth keeping; what asks a question counts nothing."""
    said = "\n".join(line for line in text.splitlines() if not line.rstrip().endswith(("?", "？")))
    by_category: dict[str, int] = {}
    for category, weight, pattern in _patterns():
        if pattern.search(said) is not None:
            by_category[category] = by_category.get(category, 0) + weight
    strongest = sorted(by_category, key=lambda category: -by_category[category])
    return Scored(min(FULL, sum(by_category.values())), tuple(strongest))


@cache
def _patterns() -> tuple[tuple[str, int, re.Pattern[str]], ...]:
    """Return each trigger with its category and weight."""
    return tuple(
        (each.category, each.weight, re.compile(pattern, re.IGNORECASE | re.ASCII))
        for each in CATEGORIES
        for pattern in (*map(_of_word, each.words), *each.patterns)
    )


def _of_word(word: str) -> str:
    if not word.isascii():
        return re.escape(word)
    return rf"(?<!{_WORD}){re.escape(word)}s?(?!{_WORD})"
