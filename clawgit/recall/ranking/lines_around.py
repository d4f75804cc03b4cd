"""Guesses with the lines around them, while there is room: in a note the next line often says what the question asks."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from clawgit.recall.index.matched_lines import AROUND
from clawgit.recall.index.places import HEADING
from clawgit.recall.ranking.outdated_places import LOGGED, OutdatedPlaces
from clawgit.recall.ranking.results import Scored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clawgit.recall.index.places import Place
    from clawgit.recall.index.search_index import Index


def with_lines_around(
    index: Index, groups: Sequence[list[Scored]], names: frozenset[str], room: float = inf
) -> list[list[Scored]]:
    """Return the groups, those of notes with up to two lines before and behind: ``room`` characters in all, the best first.

    Headings, entries and what was corrected are not added.
    """
    room -= sum(len(each.place.text) + 1 for group in groups for each in group)
    growing = [at for at, group in enumerate(groups) if room > 0 and all(map(_is_note, group))]
    if not growing:
        return list(groups)
    found = [list(group) for group in groups]
    taken = {place.place_id for group in groups for each in group for place in (each.place, *each.instead_of)}
    near = _lines_near(index, [groups[at] for at in growing], names)
    for at, place in _one_by_one({at: _ends(groups[at]) for at in growing}, near, taken):
        room -= len(place.text) + 1
        if room < 0:
            break
        found[at].append(Scored(place, 0.0, 0.0))
    return [sorted(group, key=lambda each: each.place.place_id) for group in found]


def _is_note(scored: Scored) -> bool:
    place = scored.place
    return not (scored.talk or place.entry or place.retirement or place.kind in LOGGED)


def _ends(group: Sequence[Scored]) -> list[int]:
    keys = [each.place.place_id for each in group]
    return [min(keys), max(keys)]


def _lines_near(index: Index, groups: Sequence[list[Scored]], names: frozenset[str]) -> dict[int, Place]:
    """Return the lines near some groups that may be shown with them."""
    keys = {end + step for group in groups for end in _ends(group) for step in range(-AROUND, AROUND + 1)}
    places = index.places(sorted(keys))
    outdated = OutdatedPlaces(index, (place.text for place in places.values()), names)
    return {
        key: place
        for key, place in places.items()
        if place.kind != HEADING and not place.entry and outdated.correction_of(place) is None
    }


def _one_by_one(
    ends: Mapping[int, list[int]], near: Mapping[int, Place], taken: set[int]
) -> Iterator[tuple[int, Place]]:
    """Yield a line behind each group and one before it, then the next ones, as far as nothing is between."""
    for _ in range(AROUND):
        for at, both in ends.items():
            for side, step in ((1, 1), (0, -1)):
                place = near.get(both[side] + step)
                if place is None or place.place_id in taken:
                    both[side] = 0
                    continue
                taken.add(place.place_id)
                both[side] = place.place_id
                yield at, place
