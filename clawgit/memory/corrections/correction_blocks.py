"""Corrections and the entries they are about put back as they stood, byte for byte, wherever a file lost them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.text.markdown.block_structure import trim_blank
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.entries.entries import Entry


def with_correction(data: bytes, old: bytes, was: Correction) -> bytes:
    """Return ``data`` with the correction ``was`` reading as in ``old``: in its place if it stands there, else at the end.

    Where neither can be read (an open code fence hides what follows), ``old`` is returned whole.
    """
    block = _block(old, was)
    lines = split_lines(data)
    now = _find(data, was.correction_id)
    if now is not None:
        last = trim_blank(lines, now.first, now.last)
        return b"".join([*lines[: now.first], *block, *lines[last:]])
    gap = line_end(data) if data.strip() and lines[-1].strip() else b""
    text = _ended(data) + gap + b"".join(block)
    return old if _find(text, was.correction_id) is None else text


def without_correction(data: bytes, correction_id: str) -> bytes:
    """Return ``data`` without the correction of that id."""
    lines = split_lines(data)
    now = _find(data, correction_id)
    if now is not None:
        del lines[now.first : now.last]
    return b"".join(lines)


def _find(data: bytes, correction_id: str) -> Correction | None:
    return next((each for each in read_corrections(data) if each.correction_id == correction_id), None)


def with_entry(data: bytes, old: bytes, entry: Entry) -> bytes:
    """Return ``data`` with the entry's lines of ``old``, behind the nearest line that still stands before them."""
    lines, before = split_lines(data), split_lines(old)
    place = {line: number + 1 for number, line in enumerate(lines) if line.strip()}
    at = next((place[line] for line in reversed(before[: entry.first]) if line in place), len(lines))
    added = [_ended(line) for line in before[entry.first : entry.last]]
    return b"".join([*map(_ended, lines[:at]), *added, *lines[at:]])


def _block(old: bytes, was: Correction) -> list[bytes]:
    lines = split_lines(old)
    last = trim_blank(lines, was.first, was.last)
    return [*lines[was.first : last - 1], _ended(lines[last - 1])]


def _ended(data: bytes) -> bytes:
    return data + line_end(data) if data and without_end(data) == data else data
