"""What a search is limited to: tier, place, category, source, days."""

from __future__ import annotations

import re
import unicodedata
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.recall.index.places import Place
    from clawgit.recall.questions.question_dates import Days


class Limits(NamedTuple):
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
        """Say whether nothing is left out."""
        return self == Limits()

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
