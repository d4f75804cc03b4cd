"""What is shown of the lines that were found, and of those around them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from clawgit.recall.index.line_facts import without_comments
from clawgit.recall.index.places import AROUND, HEADING
from clawgit.recall.ranking.outdated_places import LOGGED, OutdatedPlaces
from clawgit.recall.ranking.results import Scored
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import redact_lines
from clawgit.text.words.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from clawgit.recall.index.places import Place
    from clawgit.recall.index.search_index import Index


MOST_CHARACTERS = 700
CUT = "…"


def snippet_of(data: bytes, first: int, last: int, words: Collection[str] = ()) -> str:
    """Return lines ``first`` to ``last`` (from 1) of a file, keys masked; of a long text, the part that holds ``words``."""
    text = b"".join(split_lines(data)[first - 1 : last]).decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (line.rstrip() for line in without_comments(text).splitlines())
    return shortened(redact_lines("\n".join(line for line in lines if line.strip())), words)


def shortened(text: str, words: Collection[str] = ()) -> str:
    """Return ``text``, or as much of it as may be shown, around the first place that holds one of ``words``."""
    if len(text) <= MOST_CHARACTERS:
        return text
    room = MOST_CHARACTERS - 2 * len(CUT)
    at = _first_place(text, frozenset(words))
    begin = max(0, min(at - room // 4, len(text) - room))
    if begin and (space := text.find(" ", begin, begin + room // 8)) >= 0:
        begin = space + 1
    end = min(len(text), begin + room)
    return CUT * (begin > 0) + text[begin:end].strip() + CUT * (end < len(text))


def _first_place(text: str, words: frozenset[str]) -> int:
    step = MOST_CHARACTERS // 4
    if not words:
        return 0
    found = [
        (len(words.intersection(terms_of(text[at : at + 3 * step]))), -at) for at in range(0, len(text), step)
    ]
    best, at = max(found)
    return -at if best else 0


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
