"""Values that the index returns: places, matching lines and those around them. Pure."""

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
ASKS = "?"  # first in the traits of a line that ends in a question
HEADING = "heading"
ROW = "row"  # of a table: complete in itself, with the names of its columns above
# A correction in force; a correction that does not rest on the operator's word.
CORRECTION, CLAIMED = "correction", "claimed"
PRINTED = "printed"  # program output in a note of a conversation: it has no speaker and answers nothing
UNDECIDED = "undecided"  # an entry between the markers of an unfinished merge
Each = TypeVar("Each")
AROUND = 2  # units before and behind a match in its section that the ranking needs
POOL = 200  # matches, best bm25 first


@lru_cache(maxsize=4096)
def date_of_row(day: str | None) -> date | None:
    return None if day is None else date.fromisoformat(day)


_titles = lru_cache(maxsize=4096)(json.loads)  # many lines share the same titles


class Retirement(NamedTuple):
    """When a text came, and when and by whom it was removed; ``commit_id`` is empty without a commit."""

    since: datetime
    on: datetime | None = None
    by: str = ""
    commit_id: str = ""


class EntryCorrection(NamedTuple):
    """The correction of an entry."""

    correction_id: str
    correct: str


class Place(NamedTuple):
    """The place of a text; of a retired one, its last place.

    ``words`` are a correction's words, its key in the fold.
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
    """A unit of the index: a match, or one near a match."""

    key: int  # the index's own id
    section: int  # the same for all units of one section
    position: int  # counts the units of a section (or file), without gaps
    terms: str  # index_terms(text)
    traits: str  # traits_of(text)
    path: str = ""
    heading: str = ""  # index_terms of the headings above, with or without the file name
    day: str | None = None  # the day of the line: of its file, or of its heading in an archive
    text: bytes = b""  # the hash of its text
    kind: str = ""

    @property
    def on(self) -> date | None:
        return date_of_row(self.day)

    @property
    def is_said(self) -> bool:
        """Say whether it begins like a turn of a conversation (`Ada: …`)."""
        return self.traits not in ("", ASKS)


class Corpus(NamedTuple):
    """Totals of all live units of the index."""

    units: int
    mean_length: float  # mean number of terms in a unit
    seen: Mapping[str, int] = {}  # question word -> in how many units


_K1, _B = 1.2, 0.75  # the usual constants of BM25


def rarity(units: int, holding: int) -> float:
    """Return BM25's weight of a word in ``holding`` of so many units; above 0 even in the smallest index."""
    holding = min(units, holding)
    return max(math.log((units - holding + 0.5) / (holding + 0.5)), 0.1 * math.log1p(units))


def strength(often: int, length: int, mean: float) -> float:
    """Return the BM25 score of a word that occurs ``often`` in a line of ``length`` terms."""
    return often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * length / mean))


def over_days(ranked: Sequence[Each], day: Callable[[Each], object], most: int) -> list[Each]:
    """Return the first ``most``, equally many of each day; with more days than that, of days far apart."""
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
    """Filters of a search; empty ones filter nothing.

    ``path`` is a file, a folder or a pattern (`memory/2026-03-*`); ``category`` an entry's tag, or the name
    of a file or folder right below `memory/`.
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
        """Return the SQL conditions on files (f), places (p) and texts (t), and their values."""
        conditions: list[str] = []
        values: list[str] = []
        for condition, some in self._parts():
            conditions.append(condition)
            values += some
        return " AND ".join(conditions), values

    def admits(self, place: Place) -> bool:
        """Say whether a place outside the tables passes the filters."""
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
    """Say whether ``text`` has `#tag`, in any case and with any punctuation behind it."""
    text, tag = (unicodedata.normalize("NFC", each) for each in (text, tag))
    return re.search(rf"(?<![\w/&#])#{re.escape(tag)}(?![\w-])", text, re.IGNORECASE) is not None


def _is_at(path: str, named: str) -> bool:
    return path == named or path.startswith(named.rstrip("/") + "/")


_PATH = "(f.path = ? OR f.path GLOB ? OR substr(f.path, 1, length(?)) = ?)"
_CATEGORY = "(has_tag(t.text, ?) OR f.path = ? OR substr(f.path, 1, length(?)) = ?)"
_DAY = "p.day BETWEEN ? AND ?"
_MONTH_DAY = "substr(p.day, 6) BETWEEN ? AND ?"
