"""What the index hands out: places, the lines that match and those around them. Pure."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from datetime import date
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from clawgit.recall.questions.question_dates import Days


RETIRED = "retired"
ASKS = "?"  # begins the traits of a line that ends in a question
HEADING = "heading"
ROW = "row"  # of a table: it says something by itself, below the names of its columns
# A correction that is in force; one that does not rest on the operator's word.
CORRECTION, CLAIMED = "correction", "claimed"
PRINTED = "printed"  # what a program printed in a note of a talk: nobody said it, so it answers nothing
Each = TypeVar("Each")
AROUND = 2  # so many units before and behind a match are to be handed in with it (same section)
POOL = 200  # so many matches, best bm25 first
FEW = 60  # where fewer match, the lines of notes around the best are looked at as well


@lru_cache(maxsize=4096)
def date_of_row(day: str | None) -> date | None:
    """Return a day as the tables hold it, as a date."""
    return None if day is None else date.fromisoformat(day)


_titles = lru_cache(maxsize=4096)(json.loads)  # the same ones are above many lines


class Retirement(NamedTuple):
    """When a text came, and when and by whom it was taken out; ``commit_id`` is empty where no commit did that."""

    since: datetime
    on: datetime | None = None
    by: str = ""
    commit_id: str = ""


class EntryCorrection(NamedTuple):
    """The correction that an entry has."""

    correction_id: str
    correct: str


class Place(NamedTuple):
    """Where a text is; of a retired one, where it was last.

    ``words`` are those of a correction, as the fold knows it by.
    """

    place_id: int
    path: str
    source: str
    tier: str
    blob: str
    first: int
    last: int
    kind: str
    entry: str
    text: str
    day: str | None
    headings: str
    words: str = ""
    retirement: Retirement | None = None

    @property
    def on(self) -> date | None:
        return date_of_row(self.day)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(_titles(self.headings))


class IndexedLine(NamedTuple):
    """A unit as the index holds it: a match, or one that is near a match."""

    key: int  # the index's own id, handed back
    section: int  # units of one section have one number
    position: int  # counts the units of a section (or file) upwards, without gaps
    terms: str  # index_terms(text)
    traits: str  # traits_of(text)
    path: str = ""
    heading: str = ""  # index_terms of the headings above, file name included or not
    day: str | None = None  # the date of the line: of its file, or of the heading in an archive
    text: bytes = b""  # the hash of its text
    kind: str = ""

    @property
    def on(self) -> date | None:
        return date_of_row(self.day)

    @property
    def is_said(self) -> bool:
        """Say whether it begins as the turns of a conversation do (`Ada: …`)."""
        return self.traits not in ("", ASKS)


class Corpus(NamedTuple):
    """What the index knows of all its live units."""

    units: int
    mean_length: float  # mean number of terms in a unit
    seen: Mapping[str, int] = {}  # question word -> in how many units


_K1, _B = 1.2, 0.75  # the usual constants of BM25


def rarity(units: int, holding: int) -> float:
    """Return how telling a word is that so many of the units hold; never nothing, in the smallest index."""
    holding = min(units, holding)
    return max(math.log((units - holding + 0.5) / (holding + 0.5)), 0.1 * math.log1p(units))


def strength(often: int, length: int, mean: float) -> float:
    """Return what a word is worth, by BM25, that a line of so many terms holds so often."""
    return often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * length / mean))


def over_days(ranked: Sequence[Each], day: Callable[[Each], object], most: int) -> list[Each]:
    """Return the first ``most``, of every day as many; where there are more days than that, of days far apart."""
    by_day: dict[object, list[Each]] = {}
    for each in ranked:
        by_day.setdefault(day(each), []).append(each)
    chosen: list[Each] = []
    while by_day and len(chosen) < most:
        days, room = list(by_day), most - len(chosen)
        step = max(1.0, len(days) / room)
        chosen += [by_day[days[int(at * step)]].pop(0) for at in range(min(room, len(days)))]
        by_day = {name: rest for name, rest in by_day.items() if rest}
    return chosen


class SearchLimits(NamedTuple):
    """What a search is limited to; without any, everything.

    ``path`` is a file, a folder or a pattern (`memory/2026-03-*`); ``category`` an entry's tag, or the name of
    a file or folder right below `memory/`.
    """

    tier: str | None = None
    path: str | None = None
    category: str | None = None
    source: str | None = None
    days: Days | None = None

    @property
    def is_open(self) -> bool:
        return self == SearchLimits()

    def as_sql(self) -> tuple[str, list[str]]:
        """Return the conditions on files (f), places (p) and texts (t), and their values."""
        parts = list(self._parts())
        return " AND ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]

    def admits(self, place: Place) -> bool:
        """Say whether a place that no table knows is within the limits."""
        topic = f"memory/{self.category}"
        return (
            self.tier in (None, place.tier)
            and self.source in (None, place.source)
            and (self.path is None or _is_at(place.path, self.path) or fnmatchcase(place.path, self.path))
            and (
                self.category is None
                or has_tag(place.text, self.category)
                or place.path == f"{topic}.md"
                or place.path.startswith(f"{topic}/")
            )
        )

    def _parts(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        yield "1", ()
        if self.tier is not None:
            yield "f.tier = ?", (self.tier,)
        if self.source is not None:
            yield "f.source = ?", (self.source,)
        if self.path is not None:
            below = self.path.rstrip("/") + "/"
            yield _PATH, (self.path, self.path, below, below)
        if self.category is not None:
            topic = f"memory/{self.category}"
            yield _CATEGORY, (self.category, f"{topic}.md", f"{topic}/", f"{topic}/")
        if self.days is not None:
            first = self.days.first.isoformat()
            last = self.days.last.isoformat()
            yield (_MONTH_DAY, (first[5:], last[5:])) if self.days.any_year else (_DAY, (first, last))


def has_tag(text: str, tag: str) -> bool:
    """Say whether ``text`` has `#tag`, whatever its case and whatever is behind it."""
    text, tag = (unicodedata.normalize("NFC", each) for each in (text, tag))
    return re.search(rf"(?<![\w/&#])#{re.escape(tag)}(?![\w-])", text, re.IGNORECASE) is not None


def _is_at(path: str, named: str) -> bool:
    return path == named or path.startswith(named.rstrip("/") + "/")


_PATH = "(f.path = ? OR f.path GLOB ? OR substr(f.path, 1, length(?)) = ?)"
_CATEGORY = "(has_tag(t.text, ?) OR f.path = ? OR substr(f.path, 1, length(?)) = ?)"
_DAY = "p.day BETWEEN ? AND ?"
_MONTH_DAY = "substr(p.day, 6) BETWEEN ? AND ?"
