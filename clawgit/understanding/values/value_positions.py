"""Where a value is in a statement as whole words, and the statement with another there. Pure."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.text.words.script import SPACED

if TYPE_CHECKING:
    from collections.abc import Sequence

_BE = frozenset({"am", "is", "are"})


def exchanged(said: str, old: str, new: str) -> str | None:
    """Return ``said`` with ``new`` where ``old`` is as whole words; None where it is nowhere, or twice."""
    return exchanged_all(said, ((old, new),))


def exchanged_all(said: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    """Return ``said`` with each pair's new part where the old one stands, all at once; None where one stands nowhere, or twice."""
    places = []
    for old, new in pairs:
        place = place_of(said, old)
        if place is None or place_of(said[place[1] :], old) is not None:
            return None
        places.append((*place, new))
    places.sort(reverse=True)
    if any(end > later for (later, _, _), (_, end, _) in pairwise(places)):
        return None
    for start, end, new in places:
        said = said[:start] + new + said[end:]
    return said


def place_of(said: str, old: str) -> tuple[int, int] | None:
    """Return where ``old`` is in ``said`` as whole words, in any case."""
    if not old:
        return None
    edge = rf"(?<!{SPACED})" if old[0].isascii() else ""
    other = rf"(?!{SPACED})" if old[-1].isascii() else ""
    match = re.search(edge + re.escape(old) + other, said, re.IGNORECASE)
    return match.span() if match else None


def form_of(word: str) -> str:
    """Return a word without its stop and the ending of a verb or plural."""
    bare = word.lower().strip(".,!")
    if bare in _BE:
        return "be"
    return {"has": "have"}.get(bare, bare.removesuffix("s"))
