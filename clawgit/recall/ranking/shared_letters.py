"""Where whole words answer badly: lines whose words share runs of letters with those of the question. Pure.

Measured on notes: in Spanish (`pintura`, `repintada`) and German it finds more, in English less, so English goes without.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.recall.index.matched_lines import POOL
from clawgit.recall.questions.question import HARDLY
from clawgit.recall.ranking.explanation import Part
from clawgit.recall.ranking.term_evidence import rarity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.recall.index.matched_lines import Corpus, Line
    from clawgit.recall.questions.question import Question
    from clawgit.recall.ranking.ranking import Ranked

_RUN = 4  # letters: three are shared by chance, five miss forms
_WEIGHT = 1.0  # of all runs of the question, at 400 units
WORDS = "its words share letters with those of the question"


def with_shared_letters(
    ranked: Sequence[Ranked],
    lines: Sequence[Line],
    question: Question,
    corpus: Corpus,
    *,
    explain: bool = False,
) -> list[Ranked]:
    """Return the hits, the best raised by the share of the question's runs of letters that their lines hold."""
    terms = {line.key: line.terms for line in lines}
    runs = tuple(dict.fromkeys(_runs(question)))
    best = ranked[:POOL]
    held = [[run for run in runs if run in terms[hit.key]] for hit in best]
    often = Counter(run for each in held for run in each)
    worth = {run: rarity(len(best), often[run]) for run in runs}
    scale = _WEIGHT * math.log1p(corpus.units) / 6 / (sum(worth.values()) or 1.0)

    def raised(hit: Ranked, more: float) -> Ranked:
        told = (Part("letters", round(more, 2), WORDS),) if explain and round(more, 2) else ()
        parts = tuple(sorted((*hit.parts, *told), key=lambda part: -abs(part.value)))
        return hit._replace(order=hit.order + more, parts=parts)

    shares = (scale * sum(worth[run] for run in each) for each in held)
    return [*(raised(hit, more) for hit, more in zip(best, shares, strict=True)), *ranked[POOL:]]


def _runs(question: Question) -> Iterator[str]:
    for term in question.terms:
        if not term.dated and term.weight > HARDLY:
            for word in filter(str.isalpha, term.words[: term.alike]):
                yield from (word[at : at + _RUN] for at in range(len(word) - _RUN + 1))
