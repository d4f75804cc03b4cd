"""Answers from several workspaces as one list. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from clawgit.recall.search_results import Found, Result, Wanted


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

    Scores are comparable across workspaces, and each lists its results by them. What one shows for want of better
    gives way to good results.
    """
    most = answers[0].wanted.most if answers else 0
    some_are_good = any(each.is_good for each in answers)
    shown = [
        (each.agent, result)
        for each in answers
        if each.is_good or not some_are_good
        for result in each.found.results
    ]
    return sorted(shown, key=lambda pair: -pair[1].score)[:most]
