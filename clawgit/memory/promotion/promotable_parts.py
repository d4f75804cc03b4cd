"""Which parts of recent notes are worth keeping for good, and in which file of core memory each belongs. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entry_marks import without_notes
from clawgit.memory.entries.own_section import core_file
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.promotion.note_parts import Part, parts_of
from clawgit.memory.promotion.trigger_scores import Scored, score_of
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

LEAST = 40  # hundredths
DAYS = 7
ROUTINE_DAYS = 5  # a line that is in so many notes is routine, and worth nothing by being repeated


class Promotable(NamedTuple):
    """A part of a note, and how sure it is that it is worth keeping; ``sessions`` is in how many it was needed."""

    path: str
    part: Part
    scored: Scored
    sessions: int = 0


def recent(paths: Iterable[str], on: date, days: int) -> list[str]:
    """Return the dated notes of the last days, the oldest first; those of days to come are none."""
    dated = ((date_of(path), path) for path in paths)
    return [
        path
        for day, path in sorted((day, path) for day, path in dated if day is not None)
        if 0 <= (on - day).days <= days
    ]


def promotable(
    notes: Mapping[str, bytes], wrong: Iterable[str] = (), *, least: int = LEAST
) -> list[Promotable]:
    """Return the parts of notes that score at least ``least``, the surest first.

    What says again what a correction found ``wrong`` is left out, and what only repeats the routine of other days.
    """
    routine = _routine(notes.values())
    refused = [each.casefold() for each in wrong if each]
    found = []
    for path, data in notes.items():
        for part in parts_of(data):
            scored = score_of(part.scored)
            text = part.text.casefold()
            if scored.score < least or any(each in text for each in refused) or _is_routine(part, routine):
                continue
            found.append(Promotable(path, part, scored))
    return sorted(found, key=lambda each: (-each.scored.score, each.path, each.part.begins))


def target_of(categories: Iterable[str], exists: Callable[[str], bool]) -> str:
    """Return the file of the strongest category that has one (`memory/legal.md`, `memory/decisions.md`), else MEMORY.md."""
    strongest = next(iter(categories), "")
    for name in (strongest, f"{strongest}s"):
        path = f"memory/{name}.md"
        if strongest and exists(path):
            return path
    return core_file(exists)


def _routine(texts: Iterable[bytes]) -> frozenset[bytes]:
    days = Counter(line for data in texts for line in {_bare(line) for line in split_lines(data)})
    return frozenset(line for line, number in days.items() if line and number >= ROUTINE_DAYS)


def _is_routine(part: Part, routine: frozenset[bytes]) -> bool:
    lines = [line for each in part.text.encode().splitlines() if (line := _bare(each))]
    return all(line in routine for line in lines)


def _bare(line: bytes) -> bytes:
    return b" ".join(without_notes(line).split())
