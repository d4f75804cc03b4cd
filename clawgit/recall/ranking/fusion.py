"""Additions to the order by words: nearness in meaning, and shared letters. Pure."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.recall.index.places import POOL, Corpus, IndexedLine, rarity
from clawgit.recall.questions.question import HARDLY, Question
from clawgit.recall.ranking.ranking import Ranked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


# The worth of one spread above the average nearness, at 400 units: of the line, of its neighbours.
_OWN, _BEFORE, _BEHIND = 1.8, 0.8, 0.5
SAME = 0.85  # other wordings hardly come nearer
SHARES = (0.7, 0.3)  # of vectors and of keywords
_RUN = 4  # letters: three are shared by chance, five miss forms
_WEIGHT = 1.0  # of all runs of the question, at 400 units


class Near(NamedTuple):
    """Cosines of texts to a question, by hash, and their scale.

    ``mean`` and ``spread`` are of all texts to this question; ``unrelated`` is the nearest text's cosine to
    an unrelated question. ``best`` are the nearest texts of all.
    """

    cosines: Mapping[bytes, float] = {}
    best: tuple[bytes, ...] = ()
    mean: float = 0.0
    spread: float = 0.0
    unrelated: float = 0.0

    def height(self, text: bytes) -> float:
        """Return how many spreads a text is above the average; 0 for texts below it and unknown ones."""
        cosine = self.cosines.get(text)
        if cosine is None or not self.spread:
            return 0.0
        return max(0.0, (cosine - self.mean) / self.spread)

    def likeness(self, text: bytes) -> float:
        """Return 0 for a text as far as an unrelated one, 1 for one of the same meaning."""
        if self.unrelated >= SAME:
            return 0.0
        cosine = self.cosines.get(text, -1.0)
        return min(1.0, max(0.0, (cosine - self.unrelated) / (SAME - self.unrelated)))


def fused(
    ranked: Sequence[Ranked],
    lines: Sequence[IndexedLine],
    near: Near,
    corpus: Corpus,
) -> list[Ranked]:
    """Return the lines in a common order, with those that only the vectors found, best first."""
    at = {(line.section, line.position): near.height(line.text) for line in lines}
    scale = math.log1p(corpus.units) / 6

    def more(line: IndexedLine) -> float:
        own, section, position = at[line.section, line.position], line.section, line.position
        before = at.get((section, position - 1), 0.0)
        behind = at.get((section, position + 1), 0.0)
        return scale * (_OWN * own + _BEFORE * before + _BEHIND * behind)

    hits = []
    for hit, line in _each(ranked, lines, near):
        unlike = 1 - near.likeness(line.text)
        coverage, direct = 1 - (1 - hit.coverage) * unlike, 1 - (1 - hit.direct) * unlike
        hits.append(hit._replace(order=hit.order + more(line), coverage=coverage, direct=direct))
    return sorted(hits, key=lambda hit: (-hit.order, hit.key))


def by_formula(
    ranked: Sequence[Ranked],
    lines: Sequence[IndexedLine],
    near: Near,
    shares: tuple[float, float] = SHARES,
) -> list[Ranked]:
    """Return the lines by the weighted sum of vector similarity and keyword score, as order and score."""
    of_vectors, of_keywords = shares
    hits = []
    for hit, line in _each(ranked, lines, near):
        cosine = max(0.0, near.cosines.get(line.text, 0.0))
        score = of_vectors * cosine + of_keywords * hit.coverage
        hits.append(hit._replace(order=score, coverage=score))
    return sorted(hits, key=lambda hit: (-hit.order, hit.key))


def _each(
    ranked: Sequence[Ranked], lines: Sequence[IndexedLine], near: Near
) -> Iterable[tuple[Ranked, IndexedLine]]:
    by_key = {hit.key: hit for hit in ranked}
    best = frozenset(near.best)
    for line in lines:
        hit = by_key.get(line.key)
        if hit is None and line.text in best:
            hit = Ranked(line.key, 0.0, 0.0, 0.0)
        if hit is not None:
            yield hit, line


def with_shared_letters(
    ranked: Sequence[Ranked],
    lines: Sequence[IndexedLine],
    question: Question,
    corpus: Corpus,
) -> list[Ranked]:
    """Return the hits, the best raised by the share of the question's letter runs in their lines."""
    terms = {line.key: line.terms for line in lines}
    runs = tuple(dict.fromkeys(_runs(question)))
    best = ranked[:POOL]
    runs_held = [[run for run in runs if run in terms[hit.key]] for hit in best]
    often = Counter(run for each in runs_held for run in each)
    worth = {run: rarity(len(best), often[run]) for run in runs}
    scale = _WEIGHT * math.log1p(corpus.units) / 6 / (sum(worth.values()) or 1.0)

    raised = []
    for hit, letters in zip(best, runs_held, strict=True):
        more = scale * sum(worth[run] for run in letters)
        raised.append(hit._replace(order=hit.order + more))
    return [*raised, *ranked[POOL:]]


def _runs(question: Question) -> Iterator[str]:
    for term in question.terms:
        if not term.dated and term.weight > HARDLY:
            for word in filter(str.isalpha, term.words[: term.alike]):
                yield from (word[at : at + _RUN] for at in range(len(word) - _RUN + 1))
