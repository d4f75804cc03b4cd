"""Comments with what corrected entries said before: a host reads them in every prompt, so they stay for some days only."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_marks import is_earlier_wording
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clawgit.memory.corrections.correction_log import Correction

_BEGINS = b"<!-- was"


def without_stale_wordings(
    data: bytes, corrections: Callable[[], Iterable[Correction]], *, before: date
) -> bytes:
    """Return ``data`` without the old words of entries that were all corrected before the day ``before``.

    Words below an entry that no correction names are somebody else's comment, and stay.
    """
    if _BEGINS not in data:
        return data
    latest: dict[str, date] = {}
    for each in corrections():
        for entry_id in each.corrects:
            latest[entry_id] = max(latest.get(entry_id, date.min), _day(each))
    lines = split_lines(data)
    stale = {
        at
        for entry in read_entries(data)
        if entry.entry_id in latest and latest[entry.entry_id] < before
        for at in range(entry.first, entry.last)
        if is_earlier_wording(lines[at])
    }
    return b"".join(line for at, line in enumerate(lines) if at not in stale)


def _day(correction: Correction) -> date:
    try:
        return date.fromisoformat(correction.at[:10])
    except ValueError:
        return date.max  # nobody knows when: it stays
