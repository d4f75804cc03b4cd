"""How sure an entry is, in hundredths: 0.6 - 6 x 0.05 is below 0.3 in floats, and a job would drop it a month early."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

OPERATOR_SAID = 95
READ = 80  # in the operator's words, by somebody else
CORRECTED = 100
INFERRED = 60
FULL = 100


class ConfidencePolicy(NamedTuple):
    """The settings that confidence follows; amounts are hundredths."""

    interval_days: int = 30
    amount: int = 5
    floor: int = 20
    boost: int = 5


class ConfidenceStep(NamedTuple):
    """What confidence was after something happened on a day."""

    on: date
    what: str
    confidence: int


def confidence_steps(
    base: int, since: date, mentions: Sequence[date], on: date, policy: ConfidencePolicy
) -> list[ConfidenceStep]:
    """Return how confidence came to be what it is on ``on``.

    It sinks by whole intervals since the last mention, down to the floor; a mention settles that first, then
    adds. A correction stays as it is. Days after ``on`` and a clock that went back change nothing.
    """
    steps = [ConfidenceStep(since, "introduced", base)]
    if base >= CORRECTED:
        return steps
    last = since
    for day in sorted(mentions):
        if last <= day <= on:
            settled = _decayed(steps[-1].confidence, last, day, policy)
            steps.append(ConfidenceStep(day, "mentioned", min(FULL, settled + policy.boost)))
            last = day
    left = _decayed(steps[-1].confidence, last, on, policy)
    if left != steps[-1].confidence:
        steps.append(ConfidenceStep(on, "not mentioned since", left))
    return steps


def _decayed(confidence: int, since: date, on: date, policy: ConfidencePolicy) -> int:
    idle = max(0, (on - since).days) // policy.interval_days
    return max(min(policy.floor, confidence), confidence - idle * policy.amount)
