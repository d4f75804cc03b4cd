"""Matches and the lines around them, as the index hands them to the ranking. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

AROUND = 2  # so many units before and behind a match are to be handed in with it (same section)
POOL = 200  # so many matches, best bm25 first


class Line(NamedTuple):
    """A unit as the index holds it: a match, or one that stands near a match."""

    key: int  # the index's own id, handed back
    section: int  # units of one section have one number
    position: int  # counts the units of a section (or file) upwards, without gaps
    terms: str  # index_terms(text)
    traits: str  # traits_of(text)
    path: str = ""
    heading: str = ""  # index_terms of the headings above, file name included or not
    on: date | None = None  # the date of the line: of its file, or of the heading in an archive
    text: bytes = b""  # the hash of its text


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the index knows of all its live units."""

    units: int
    mean_length: float  # mean number of terms in a unit
    seen: Mapping[str, int] = field(default_factory=dict)  # question word -> in how many units
