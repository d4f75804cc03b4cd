"""What one line of Markdown says: its words, its day, who says it, whether it asks. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.tiers import date_of, day_in
from clawgit.recall.index.paragraphs import without_comments
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import without_end
from clawgit.text.words.terms import index_terms, terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

_DAY = lazy_pattern(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_OWN = lazy_pattern(r"\W{0,3}(\d{4}-\d{2}-\d{2})(?!\d)")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH = lazy_pattern(rf"(?<!\d)(\d{{4}})-({'|'.join(_MONTHS)})")
_NUMBERED = lazy_pattern(r"(?<!\d)(\d{4})-(?:(\d{2})|Q([1-4]))(?!\d)")
# `Ada: …`, `- **Ada Lovelace**: …`, `[10:30] Ada: …`, `用户：…`
_SAID = lazy_pattern(
    r"[\s>*+-]*(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s*[-–]?\s*)?[*_]{0,2}(?P<who>[^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}(?:\s?\([^()]{1,20}\))?[*_]{0,2}(?::[*_]{0,2}\s|：)\s*\S"
)
_ASKS = lazy_pattern(r"[?？؟]\W*(?:[\[(（][^\[\]()（）]*[\])）]\s*)?\Z")
_SLUG = lazy_pattern(r"^\d{4}-\d{2}-\d{2}[-_]?|\.md$")
_MOST_WORDS = 3
ASKS = "?"
_MARKERS = lazy_pattern(r"\s*(?:>\s*)*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+)?")
_FENCE = lazy_pattern(r"\s*(?:```|~~~)")


def own_day(text: str) -> date | None:
    """Return the date that a line begins with, as in `2026-01-20: Chose REST`."""
    found = _OWN.match(text) if "-" in text[4:8] else None  # behind the year
    return day_in(found[1]) if found else None


def section_day(path: str, titles: Sequence[str]) -> date | None:
    """Return the day of a section: the innermost heading's, else the file's (a month's first, a quarter's first)."""
    for title in reversed(titles):
        for found in _DAY.findall(title):
            day = day_in(found)
            if day is not None:
                return day
    return date_of(path) or _month_of(path.rpartition("/")[2])


def heading_terms(path: str, titles: Sequence[str] = ()) -> str:
    """Return the terms of what stands above a line: the words of its file's name, and the headings."""
    return index_terms(" ".join((_SLUG.sub("", path.rpartition("/")[2]), *titles)))


def _month_of(name: str) -> date | None:
    found = _MONTH.search(name)
    if found is not None:
        return day_in(f"{found[1]}-{_MONTHS.index(found[2]) + 1:02}-01")
    numbered = _NUMBERED.match(name)
    if numbered is None:
        return None
    month = int(numbered[2]) if numbered[2] else 3 * int(numbered[3]) - 2
    return day_in(f"{numbered[1]}-{month:02}-01")


def traits_of(text: str) -> str:
    """Return the traits of a unit's text, packed: `?` if it ends in a question, then the terms of who says it.

    Opaque to the index, which stores it beside the terms and hands it to the ranking as `Line.traits`.
    """
    found = _SAID.match(text) if ":" in text or "：" in text else None
    speaker = terms_of(found["who"]) if found else []
    end = text[-300:]
    asks = ASKS if ("?" in end or "？" in end or "؟" in end) and _ASKS.search(end) else ""
    return asks + " ".join(speaker if len(speaker) <= _MOST_WORDS else [])


def said_in(raw: bytes) -> str:
    """Return the words of a line, markers, comments and ids left out; empty where it says nothing."""
    text = without_end(raw).decode("utf-8", "replace").removeprefix("\ufeff")
    if _FENCE.match(text):
        return ""
    text = without_comments(text)
    found = _MARKERS.match(text)
    text = " ".join(text[found.end() if found else 0 :].strip().strip("|").split())
    return text if any(map(str.isalnum, text)) else ""
