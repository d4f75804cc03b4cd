"""Answers from several workspaces as one list. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from clawgit.recall.ranked_answers import Found, Result, Wanted


class Answered(NamedTuple):
    """What one workspace answered to what was wanted of it, in its zone; ``agent`` is empty for the one that asks."""

    agent: str
    found: Found
    wanted: Wanted
    extra: Mapping[str, Any] = {}
    zone: tzinfo | None = None

    @property
    def is_good(self) -> bool:
        """Say whether a result has the score that was wanted; else they are shown for want of better ones."""
        return any(result.score >= self.wanted.min_score for result in self.found.results)


def merged(answers: Sequence[Answered]) -> list[tuple[str, Result]]:
    """Return the best results of all, with the names of their workspaces: as many as the first was asked for.

    Scores are comparable across workspaces and orders are not, so within each the order stays: at each step the
    workspace comes next that has the best score left. What one shows for want of better gives way to good results.
    """
    most = answers[0].wanted.most if answers else 0
    some_are_good = any(each.is_good for each in answers)
    left = {
        at: list(zip(_best_left(each.found), each.found.results, strict=True))
        for at, each in enumerate(answers)
        if each.is_good or not some_are_good
    }
    chosen: list[tuple[str, Result]] = []
    while len(chosen) < most and any(left.values()):
        at = max((at for at, rest in left.items() if rest), key=lambda at: (left[at][0][0], -at))
        chosen.append((answers[at].agent, left[at].pop(0)[1]))
    return chosen


def _best_left(found: Found) -> list[float]:
    """Return for each result the best score among it and those after it."""
    best, scores = 0.0, []
    for result in reversed(found.results):
        best = max(best, result.score)
        scores.append(best)
    return scores[::-1]
