"""The mark on the line of an entry that lost a conflict, for whoever reads the file as it is. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_marks import with_superseded
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

_MARKED = b"superseded:"


def with_superseded_marks(data: bytes, losers: Mapping[str, str]) -> bytes:
    """Return ``data`` with a mark on the entries of these ids, naming their conflict, and on no other one."""
    if _MARKED not in data and not any(name.encode() in data for name in losers):
        return data  # as nearly all files: reading their entries takes longer than all the rest
    lines = split_lines(data)
    for entry in read_entries(data):
        conflict_id = losers.get(entry.entry_id or "", "")
        own = lines[entry.first : entry.last]
        lines[entry.first : entry.last] = with_superseded(own, entry.text_last - 1 - entry.first, conflict_id)
    return b"".join(lines)
