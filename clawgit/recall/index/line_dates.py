"""The day that a line speaks of: its own date, else that of a heading above it, else that of its file. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.tiers import date_of, day_in
from clawgit.text.lazy_pattern import lazy_pattern

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


def own_day(text: str) -> date | None:
    """Return the date that a line begins with, as in `2026-01-20: Chose REST`."""
    found = _OWN.match(text)
    return day_in(found[1]) if found else None


def section_day(path: str, titles: Sequence[str]) -> date | None:
    """Return the day of a section: the innermost heading's, else the file's (a month's first, a quarter's first)."""
    for title in reversed(titles):
        for found in _DAY.findall(title):
            day = day_in(found)
            if day is not None:
                return day
    return date_of(path) or _month_of(path.rpartition("/")[2])


def _month_of(name: str) -> date | None:
    found = _MONTH.search(name)
    if found is not None:
        return day_in(f"{found[1]}-{_MONTHS.index(found[2]) + 1:02}-01")
    numbered = _NUMBERED.match(name)
    if numbered is None:
        return None
    month = int(numbered[2]) if numbered[2] else 3 * int(numbered[3]) - 2
    return day_in(f"{numbered[1]}-{month:02}-01")
