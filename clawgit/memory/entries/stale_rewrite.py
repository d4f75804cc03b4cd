"""An old copy of a file written over a newer text: which entries had its writer never read?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import Entry, marks_in, read_entries, said_lines
from clawgit.memory.entries.statements import parted
from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.similarity import facts_differ
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable


_REWORDED = 60  # of 100: an equally similar line with the same facts is a rewording
_MOST_PAIRS = 40_000
_BULLETS = "-*+ \t"


def missing_entries(old: bytes, new: bytes) -> list[Entry]:
    """Return the entries of ``old`` that ``new`` has neither by id nor by opening line."""
    lines = split_lines(old)
    ids = marks_in(new)
    present = said_lines(new)
    missing = []
    for entry in read_entries(old):
        if entry.entry_id not in ids and not present.keys() & said_lines(lines[entry.first]).keys():
            missing.append(entry)
    return missing


def unseen_entries(old: bytes, new: bytes, steps: Iterable[tuple[bytes, bytes]]) -> list[Entry]:
    """Return the entries of ``old`` that are gone because ``new`` was made from a copy older than they are.

    ``steps`` are the changes that led to ``old``, newest first, as texts before and after, back to the last one by the
    writer of ``new``. Deliberate removals are not returned: an edit that only removes lines, keeps one of the newest
    lines, or removes more of the older ones.
    """
    gone = missing_entries(old, new)
    own = said_lines(new) - said_lines(old) if gone else None
    if not own:
        return []
    gone = _not_reworded(gone, [line.decode("utf-8", "replace") for line in own])
    unseen = _unseen_lines(old, new, steps) if gone else set()
    lines = split_lines(old)
    lost = [entry for entry in gone if unseen & said_lines(lines[entry.first]).keys()]
    return lost if len(lost) > len(gone) - len(lost) else []


def _unseen_lines(old: bytes, new: bytes, steps: Iterable[tuple[bytes, bytes]]) -> set[bytes]:
    """Return the lines of ``old`` newer than the newest step with a line in ``new``; empty without such a step."""
    there = said_lines(old).keys()
    present = said_lines(new).keys()
    unseen: set[bytes] = set()
    for before, after in steps:
        came = (said_lines(after) - said_lines(before)).keys() & there
        if came & present:
            return unseen
        unseen |= came
    return set()


def _not_reworded(gone: list[Entry], own: list[str]) -> list[Entry]:
    if len(gone) * len(own) > _MOST_PAIRS:
        return gone
    wordings = [parted(line.lstrip(_BULLETS)).statement for line in own]
    left = []
    for entry in gone:
        statement = parted(entry.text).statement
        alike = (each for each in wordings if fuzzy.fuzz.ratio(statement, each) >= _REWORDED)
        if all(facts_differ(statement, each) for each in alike):
            left.append(entry)
    return left
