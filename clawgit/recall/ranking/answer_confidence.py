"""How likely what is handed over holds the answer, from how far the best line stands above the rest. Pure.

The words that the best line covers say little by themselves: a long line, or a language of short words, covers most of any
question. What tells is its lead over the twentieth line. The weights are a logistic regression (docs/ranking.md), rounded.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clawgit.recall.ranking.ranking import Asked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.recall.index.places import Corpus, Line
    from clawgit.recall.questions.question import Question
    from clawgit.recall.ranking.ranking import Ranked

WHOLE = 3  # so many words ask a whole question; fewer look something up
_WHOLLY = 0.5  # where a line holds all that is asked
_REST = 20  # what stands there in the order is hardly the answer


class _Weights(NamedTuple):
    base: float
    coverage: float
    lead: float  # over the twentieth, of what the question is worth …
    share: float  # … and of the best line's own order
    length: float  # a long line covers more by chance
    talk: float  # so do turns that speak of the same people
    size: float  # of memory


_MEANING = -0.5  # where vectors rank, of which all are a little near
_BY_WORDS = _Weights(-2.5, 2.0, 2.2, 1.2, -0.4, -0.7, 0.35)


def probability(
    ranked: Sequence[Ranked],
    lines: Sequence[Line],
    question: Question,
    corpus: Corpus,
    *,
    by_meaning: bool = False,
) -> float:
    """Return how likely the first of ``ranked`` lines, and what is shown below it, hold the answer."""
    if not ranked:
        return 0.0
    best = ranked[0]
    rest = ranked[_REST - 1].order if len(ranked) >= _REST else 0.0
    worth = sum(Asked(question, corpus).worth)
    if best.order <= 0 or not worth:
        return 0.0
    if _looks_up(question):
        return best.coverage
    terms = ""
    for line in lines:
        if line.key == best.key:
            terms = line.terms
    weights = _BY_WORDS
    odds = weights.base + weights.coverage * best.coverage
    odds += weights.lead * (best.order - rest) / worth + weights.share * (best.order - rest) / best.order
    odds += weights.length * math.log1p(len(terms.split())) + weights.size * math.log1p(corpus.units)
    if best.talk:
        odds += weights.talk
    if by_meaning:
        odds += _MEANING
    likely = 1 / (1 + math.exp(-odds))
    return max(likely, _WHOLLY) if best.direct >= 1 else likely  # many lines may answer alike, and none leads


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
