"""Entries that a change would set back: a correction set them right, and they would not say so any more. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.memory.corrections.correction_log import Correction


def entries_set_back(
    old: bytes, new: bytes, corrections: Iterable[Correction]
) -> Iterator[tuple[str, Correction]]:
    """Yield the ids of entries that say in ``old`` what their latest correction says, and in ``new`` something else."""
    latest = {
        entry_id: correction
        for correction in sorted(corrections, key=lambda each: each.at)
        if correction.holds
        for entry_id in correction.corrects
    }
    now = {entry.entry_id: entry.text for entry in read_entries(new)} if latest else {}
    for entry in read_entries(old) if latest else ():
        correction = latest.get(entry.entry_id or "")
        if correction is None or entry.entry_id not in now:
            continue
        if _says(entry.text, correction.correct) and not _says(now[entry.entry_id], correction.correct):
            yield entry.entry_id or "", correction


def _says(text: str, correct: str) -> bool:
    return correct.casefold().rstrip(".。") in parted(text).statement.casefold()
