"""Which lines of a change are readings of the operator's messages: the fold asks it of commits, and whoever writes one of its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_marks import marks_in, with_mark
from clawgit.memory.provenance.fold import earlier_wordings
from clawgit.memory.provenance.grounds import is_reading
from clawgit.memory.provenance.pieces import ENTRY, Piece, piece_of
from clawgit.plan import MESSAGE
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


_NOTHING = Piece("")


def quotes_of(evidence: Iterable[str]) -> list[str]:
    """Return what evidence quotes of messages."""
    return [item.partition(" ")[2].strip('"') for item in evidence if item.startswith(MESSAGE)]


def readings_among(added: Sequence[Piece], removed: Sequence[Piece], quotes: Sequence[str]) -> set[Piece]:
    """Return the entries that say in other words what is quoted."""
    entries = [piece for piece in added if piece.form == ENTRY]
    earlier = earlier_wordings(entries, removed)
    found = set()
    for piece in entries:
        old = earlier.get(piece, _NOTHING).words
        if is_reading(piece.words, old, quotes):
            found.add(piece)
    return found


def with_signs(old: bytes, new: bytes, quotes: Sequence[str]) -> bytes:
    """Return ``new`` with a sign in the marks of entries that are readings, and of no other that is not in ``old``."""
    before = {piece_of(entry) for entry in read_entries(old)}
    entries = {piece_of(entry): entry for entry in read_entries(new)}
    added = [piece for piece in entries if piece not in before]
    readings = readings_among(added, [piece for piece in before if piece not in entries], quotes)
    lines = split_lines(new)
    for piece in added:
        entry = entries[piece]
        if entry.entry_id is not None:
            own, at = lines[entry.first : entry.last], entry.text_last - 1 - entry.first
            lines[entry.first : entry.last] = with_mark(
                own, at, entry.entry_id, is_understood=piece in readings
            )
    return b"".join(lines)


def without_signs(data: bytes, entry_ids: Collection[str]) -> bytes:
    """Return a text without the signs of readings in the marks of these entries."""
    if marks_in(data).isdisjoint(entry_ids):
        return data
    lines = split_lines(data)
    for entry in read_entries(data):
        if entry.entry_id in entry_ids and entry.entry_id is not None:
            own, at = lines[entry.first : entry.last], entry.text_last - 1 - entry.first
            lines[entry.first : entry.last] = with_mark(own, at, entry.entry_id)
    return b"".join(lines)
