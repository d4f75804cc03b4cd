"""How far two texts of the soul are from each other in what they mean: for whoever can compare meanings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.drift import drift_between
from clawgit.identity.principles import read_principles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.identity.drift import PrincipleDrift
    from clawgit.identity.principles import Principle

    Alike = Callable[[str, str], float]


class MeaningDrift(NamedTuple):
    """The distance in all (0 to 1), and that of each principle that differs, in the order of `drift_between`."""

    distance: float
    principles: tuple[float, ...]


def meaning_drift(old: bytes, new: bytes, alike: Alike) -> MeaningDrift:
    """Compare two texts of the soul; ``alike`` says how near two statements are, 1 at most.

    A principle that goes or comes is as far away as the nearest one on the other side.
    """
    before, after = read_principles(old), read_principles(new)
    found = tuple(_distance(each, before, after, alike) for each in drift_between(old, new).principles)
    return MeaningDrift(min(1.0, sum(found) / max(1, len(before), len(after))), found)


def _distance(
    each: PrincipleDrift, before: Sequence[Principle], after: Sequence[Principle], alike: Alike
) -> float:
    if each.old is not None and each.new is not None:
        return _beyond(alike(each.old.text, each.new.text))
    one, others = (each.new, before) if each.old is None else (each.old, after)
    said = "" if one is None else one.text
    return _beyond(max((alike(said, other.text) for other in others), default=0.0))


def _beyond(likeness: float) -> float:
    return min(1.0, max(0.0, 1 - likeness))
