"""Nearness in meaning, added to the order by words. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clawgit.recall.ranking.ranking import Ranked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clawgit.recall.index.places import Corpus, IndexedLine


# The worth of one spread above the average nearness, at 400 units: of the line, of its neighbours.
_OWN, _BEFORE, _BEHIND = 1.8, 0.8, 0.5
SAME = 0.85  # other wordings hardly come nearer


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

    def fused(self, ranked: Sequence[Ranked], lines: Sequence[IndexedLine], corpus: Corpus) -> list[Ranked]:
        """Return the lines in a common order, with those that only the vectors found, best first."""
        at = {(line.section, line.position): self.height(line.text) for line in lines}
        scale = math.log1p(corpus.units) / 6

        def more(line: IndexedLine) -> float:
            own, section, position = at[line.section, line.position], line.section, line.position
            before = at.get((section, position - 1), 0.0)
            behind = at.get((section, position + 1), 0.0)
            return scale * (_OWN * own + _BEFORE * before + _BEHIND * behind)

        hits = []
        for hit, line in self._each(ranked, lines):
            unlike = 1 - self.likeness(line.text)
            coverage, direct = 1 - (1 - hit.coverage) * unlike, 1 - (1 - hit.direct) * unlike
            hits.append(hit._replace(order=hit.order + more(line), coverage=coverage, direct=direct))
        return sorted(hits, key=lambda hit: (-hit.order, hit.key))

    def by_formula(
        self, ranked: Sequence[Ranked], lines: Sequence[IndexedLine], shares: tuple[float, float]
    ) -> list[Ranked]:
        """Return the lines by the weighted sum of vector similarity and keyword score, as order and score."""
        of_vectors, of_keywords = shares
        hits = []
        for hit, line in self._each(ranked, lines):
            cosine = max(0.0, self.cosines.get(line.text, 0.0))
            score = of_vectors * cosine + of_keywords * hit.coverage
            hits.append(hit._replace(order=score, coverage=score))
        return sorted(hits, key=lambda hit: (-hit.order, hit.key))

    def _each(
        self, ranked: Sequence[Ranked], lines: Sequence[IndexedLine]
    ) -> Iterator[tuple[Ranked, IndexedLine]]:
        by_key = {hit.key: hit for hit in ranked}
        best = frozenset(self.best)
        for line in lines:
            hit = by_key.get(line.key)
            if hit is None and line.text in best:
                hit = Ranked(line.key, 0.0, 0.0, 0.0)
            if hit is not None:
                yield hit, line
