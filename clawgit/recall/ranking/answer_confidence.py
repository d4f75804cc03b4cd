"""How likely what is handed over holds the answer, from how far the best line stands above the rest. Pure.

The words that the best line covers say little by themselves: a long line, or a language of short words, covers most of any
question. What tells is its lead over the twentieth line, and how long lines are, in index terms: pairs of characters and
syllables are many to a line, and meet by chance. The weights are a logistic regression (docs/ranking.md), rounded; one set for all languages.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clawgit.recall.ranking.ranking import Asked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.recall.index.places import Corpus
    from clawgit.recall.questions.question import Question
    from clawgit.recall.ranking.ranking import Ranked

WHOLE = 3  # so many words ask a whole question; fewer look something up
_REST = 20  # what stands there in the order is hardly the answer

_BASE = 0.8
_COVERAGE = 1.6
_LEAD = 1.8  # over the twentieth, of what the question is worth
_UNKNOWN = -0.025  # what the question asks for and no line at all holds
_LENGTH = -0.5  # of lines: a long one covers more by chance …
_SHORT = 8.0  # … and of shorter ones than these none was tried
_TALK = -0.5  # so do turns that speak of the same people
_MEANING = -0.5  # where vectors rank, of which all are a little near


def probability(
    ranked: Sequence[Ranked], question: Question, corpus: Corpus, *, by_meaning: bool = False
) -> float:
    """Return how likely the first of ``ranked`` lines, and what is shown below it, hold the answer."""
    if not ranked:
        return 0.0
    best = ranked[0]
    rest = ranked[_REST - 1].order if len(ranked) >= _REST else 0.0
    asked = Asked(question, corpus)
    worth = sum(asked.worth)
    if best.order <= 0 or not worth:
        return 0.0
    odds = _BASE + _COVERAGE * best.coverage + _LEAD * (best.order - rest) / worth
    odds += _UNKNOWN * (asked.whole - asked.known) + _LENGTH * math.log(max(_SHORT, corpus.mean_length))
    if best.talk:
        odds += _TALK
    if by_meaning:
        odds += _MEANING
    likely = 1 / (1 + math.exp(-odds))
    if _looks_up(question):
        return max(likely, best.coverage)
    return likely


def _looks_up(question: Question) -> bool:
    """Say whether a question is a word or two, or days alone: what holds them is what is asked for."""
    told, grams = set(), 0
    for term in question.terms:
        if term.gram:
            grams += 1
        elif not term.dated:
            told.add(term.shown)
    words = len(told) + grams / 2  # two pairs of characters, a word
    return words < WHOLE or (question.days is not None and not question.telling)
