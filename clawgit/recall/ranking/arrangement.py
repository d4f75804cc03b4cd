"""The list as it is shown: near-duplicates apart, files mixed, adjacent hits joined. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Each = TypeVar("Each")

_LATER = 0.01  # by this share each further hit of one file stands back; more loses answers that lie together
_COMPARED = 60  # so many hits are set apart from one another
_JOINED = 0.7  # a turn or an entry joins its neighbour if it answers nearly as well …
_MOST_JOINED = 3  # … until so many stand together
# Other lines of a note explain one another: so many characters of them, where each answers so well (a guess however badly).
_MOST_NOTE, _JOINED_NOTE = 400, 0.3


class Hit(NamedTuple):
    """A ranked unit with its place; `order` sorts, `score` is what is shown and compared with min-score."""

    key: int
    path: str
    start: int
    end: int
    order: float
    score: float
    terms: str = ""
    is_whole: bool = False  # says something by itself: a turn of a conversation, an entry
    size: int = 0  # characters


def diversified(hits: Sequence[Hit], trade: float) -> list[Hit]:
    """Return the hits by maximal marginal relevance over their terms; ``trade`` 1 keeps the order, 0 differs most."""
    trade = min(1.0, max(0.0, trade))
    left = list(hits[:_COMPARED])
    rest = list(hits[_COMPARED:])
    words = {hit.key: frozenset(hit.terms.split()) for hit in left}
    worth = _spread_out([hit.order for hit in left])
    relevance = {hit.key: value for hit, value in zip(left, worth, strict=True)}
    nearest = dict.fromkeys(relevance, 0.0)
    chosen: list[Hit] = []
    while left:
        best = max(
            left,
            key=lambda hit: (trade * relevance[hit.key] - (1 - trade) * nearest[hit.key], relevance[hit.key]),
        )
        left.remove(best)
        chosen.append(best)
        for hit in left:
            nearest[hit.key] = max(nearest[hit.key], _overlap(words[hit.key], words[best.key]))
    return chosen + rest


def spread_by_file(hits: Sequence[Hit], most: int) -> list[Hit]:
    """Return the hits with those behind the first ``most`` of a file a little later: files that tie are mixed."""
    seen: Counter[str] = Counter()
    places = []
    for at, hit in enumerate(hits):
        seen[hit.path] += 1
        places.append((-max(0.0, hit.order) * (1 - _LATER) ** max(0, seen[hit.path] - most), at, hit))
    return [hit for _, _, hit in sorted(places, key=lambda place: place[:2])]


def joined(hits: Sequence[Hit], *, guesses: bool = False) -> list[list[Hit]]:
    """Return the hits in groups of adjacent lines of one file, each at the place of its first, lines in order.

    Of ``guesses``, hits that nothing tells apart, all lines of a note that stand together are joined.
    """
    share = 0.0 if guesses else _JOINED_NOTE
    groups: dict[int, list[Hit]] = {}  # by the number of their best hit
    edges: dict[tuple[str, int], int] = {}
    for number, hit in enumerate(hits):
        lines = (hit.path, hit.start - 1), (hit.path, hit.end + 1)
        beside = sorted({edges[line] for line in lines if line in edges})
        first = next((each for each in beside if _may_join([hit], groups[each], share)), number)
        group = groups.setdefault(first, [])
        group.append(hit)
        for other in beside:
            if other > first and first != number and _may_join(groups[other], group, share):
                group += groups.pop(other)
        edges.update(((each.path, line), first) for each in group for line in (each.start, each.end))
    return [sorted(group, key=lambda hit: hit.start) for group in groups.values()]


def by_shown_score(
    ranked: Sequence[Each], score: Callable[[Each], float], leads: Callable[[Each], bool]
) -> list[tuple[float, Each]]:
    """Return what was ranked with the score that each is shown with, in the order of these scores.

    What is ranked higher is shown with no less than what stands below it. What ``leads`` (a correction) raises
    nothing, and comes before everything that is shown with less.
    """
    shown, best = [], 0.0
    for each in reversed(ranked):
        own = max(score(each), best)
        best = best if leads(each) else own
        shown.append((own, each))
    shown.reverse()
    return sorted(shown, key=lambda pair: -pair[0])


def _may_join(hits: list[Hit], group: list[Hit], share: float) -> bool:
    if any(hit.is_whole for hit in hits):
        return len(group) + len(hits) <= _MOST_JOINED and hits[0].order >= _JOINED * group[0].order
    fits = sum(each.size for each in (*group, *hits)) <= _MOST_NOTE
    return fits and hits[0].order >= share * group[0].order


def _spread_out(values: Sequence[float]) -> list[float]:
    low = min(values, default=0.0)
    high = max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 1.0 for value in values]


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    either = len(first | second)
    return len(first & second) / either if either else 1.0
