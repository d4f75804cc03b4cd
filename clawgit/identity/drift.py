"""How far one text of the soul is from another: principle by principle, in all, and in meaning. Order does not count."""

from __future__ import annotations

import re
from collections import defaultdict
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principles import read_principles
from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.similarity import likeness, words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.sections import LIKE
from clawgit.text.words.word_lists import words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clawgit.identity.principles import Principle

    Alike = Callable[[str, str], float]

# Likenesses of two principles: a second; a text that changed more has lost all its old ones.
MOST_PAIRS = 250_000
_STRONG = words_in(
    "never always must mustn't only every nothing nobody ever strictly"
    " nie niemals immer muss müssen stets jamais toujours doit nunca siempre debe jamás"
)
_STRONG_INSIDE = lazy_pattern("绝不|決不|决不|从不|永远|必须|一定|禁止|절대|항상|반드시|決して|必ず|常に")
_DENYING = words_in(
    "never not no nothing nobody none avoid without mustn't cannot refuse refrain"
    " nie niemals nicht kein keine keinen ohne jamais pas sans nunca sin jamás"
)
_ANSWER = lazy_pattern(r"^\W*no[,.!] ", re.IGNORECASE)  # it answers what was said before
_DENYING_INSIDE = lazy_pattern("[不没沒别別勿莫禁]|避免|안 |않|말고|마세요|말 것|금지|없|ない|ません")


class DriftKind(Enum):
    """What became of a principle, the worst first."""

    CONTRADICTED = "contradicted"
    REMOVED = "removed"
    SOFTENED = "softened"
    REWORDED = "reworded"
    ADDED = "added"


class PrincipleDrift(NamedTuple):
    """One principle that differs; None on the side where it is not. ``distance`` is 0 (same words) to 1."""

    kind: DriftKind
    old: Principle | None
    new: Principle | None
    distance: float


class Drift(NamedTuple):
    """What differs between two texts, the worst first, and the share of their words that do (0 to 1)."""

    principles: tuple[PrincipleDrift, ...] = ()
    distance: float = 0.0


class MeaningDrift(NamedTuple):
    """The distance in all (0 to 1), and that of each principle that differs, in the order of `drift_between`."""

    distance: float
    principles: tuple[float, ...]


class Force(NamedTuple):
    """How strictly a principle speaks: its words that leave no exception, and those that turn a statement round."""

    strong: int
    denials: int


def drift_between(old: bytes, new: bytes) -> Drift:
    """Compare two texts of the soul. A principle that only moved is none that differs."""
    before, after = _read(old), _read(new)
    removed, added = _without_equals(before, after)
    drifts: list[PrincipleDrift] = []
    differing = 0
    for was, now in _reworded(removed, added):
        same = fuzzy.LCSseq.similarity(was.words, now.words)
        differing += len(was.words) + len(now.words) - 2 * same
        share = 1 - 2 * same / (len(was.words) + len(now.words))
        drifts.append(PrincipleDrift(_kind(was, now), was, now, share))
        removed.remove(was)
        added.remove(now)
    drifts += [PrincipleDrift(DriftKind.REMOVED, was, None, 1.0) for was in removed]
    drifts += [PrincipleDrift(DriftKind.ADDED, None, now, 1.0) for now in added]
    differing += _length(removed) + _length(added)
    order = list(DriftKind)
    drifts.sort(key=lambda each: order.index(each.kind))
    return Drift(tuple(drifts), differing / max(1, _length(before) + _length(after)))


@lru_cache(maxsize=4)  # the baseline is compared with each day
def _read(text: bytes) -> tuple[Principle, ...]:
    return tuple(read_principles(text))


def _without_equals(
    before: Sequence[Principle], after: Sequence[Principle]
) -> tuple[list[Principle], list[Principle]]:
    """Return what each side has and the other has not, wherever it is."""
    unmatched: dict[tuple[str, ...], list[Principle]] = defaultdict(list)
    for principle in before:
        unmatched[principle.words].append(principle)
    added = []
    for principle in after:
        same = unmatched[principle.words]
        if same:
            same.pop(0)
        else:
            added.append(principle)
    left = {id(principle) for same in unmatched.values() for principle in same}
    return [principle for principle in before if id(principle) in left], added


def _reworded(removed: Sequence[Principle], added: Sequence[Principle]) -> list[tuple[Principle, Principle]]:
    """Pair what is one principle in other words, the most alike first."""
    if len(removed) * len(added) > MOST_PAIRS:
        return []
    alike = [
        (likeness(was.text, now.text), i, j) for i, was in enumerate(removed) for j, now in enumerate(added)
    ]
    taken_old, taken_new = set[int](), set[int]()
    pairs = []
    for like, i, j in sorted(alike, key=lambda each: (-each[0], each[1], each[2])):
        if like >= LIKE and i not in taken_old and j not in taken_new:
            taken_old.add(i)
            taken_new.add(j)
            pairs.append((removed[i], added[j]))
    return pairs


def _kind(was: Principle, now: Principle) -> DriftKind:
    before = force_of(was.text)
    after = force_of(now.text)
    if (before.denials - after.denials) % 2:
        return DriftKind.CONTRADICTED
    return DriftKind.SOFTENED if after.strong < before.strong else DriftKind.REWORDED


def _length(principles: Iterable[Principle]) -> int:
    return sum(len(principle.words) for principle in principles)


def force_of(text: str) -> Force:
    """Return how strictly a principle speaks."""
    text = _ANSWER.sub("", text)
    spoken = words(text)
    strong = sum(word in _STRONG for word in spoken) + len(_STRONG_INSIDE.findall(text))
    denials = sum(word in _DENYING or word.endswith("n't") for word in spoken)
    return Force(strong, denials + len(_DENYING_INSIDE.findall(text)))


def meaning_drift(old: bytes, new: bytes, alike: Alike) -> MeaningDrift:
    """Compare two texts of the soul by meaning; ``alike`` says how near two statements are, 1 at most.

    A principle that goes or comes is as far away as the nearest one on the other side.
    """
    before, after = _read(old), _read(new)
    distances = tuple(_distance(each, before, after, alike) for each in drift_between(old, new).principles)
    return MeaningDrift(min(1.0, sum(distances) / max(1, len(before), len(after))), distances)


def _distance(
    each: PrincipleDrift, before: Sequence[Principle], after: Sequence[Principle], alike: Alike
) -> float:
    if each.old is not None and each.new is not None:
        near = alike(each.old.text, each.new.text)
    elif each.old is not None:
        near = _nearest(each.old, after, alike)
    else:
        assert each.new is not None
        near = _nearest(each.new, before, alike)
    return min(1.0, max(0.0, 1 - near))


def _nearest(principle: Principle, others: Sequence[Principle], alike: Alike) -> float:
    return max((alike(principle.text, other.text) for other in others), default=0.0)
