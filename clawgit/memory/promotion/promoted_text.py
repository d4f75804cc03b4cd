"""Core memory with parts of notes in it: below a heading with their title and their day, byte for byte. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import EntryError
from clawgit.text.markdown.blocks import HEADINGS, blocks, ends_open
from clawgit.text.markdown.lines import line_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date


def with_part(data: bytes, title: str, day: date, body: Sequence[bytes]) -> bytes:
    """Return ``data`` with the lines of a part at its end, or at the end of the section that has their heading already.

    The heading is `## TITLE (2026-03-19)`, or the day where there is no title.

    Raises:
        EntryError: The text, or what would be added, ends inside open code or an open comment.
    """
    end = line_end(data or b"".join(body))
    if ends_open(data) or ends_open(b"".join(body)):
        raise EntryError("It ends inside an open code block or comment.", hint="Close it first.")
    name = f"{title} ({day})" if title else day.isoformat()
    lines = split_lines(data)
    at = _end_of_section(data, name, len(lines))
    before, after = b"".join(lines[:at] if at else lines), b"".join(lines[at:] if at else [])
    text = b"".join(body).strip(b"\r\n") + end
    before = before.rstrip(b"\r\n")
    if not at:
        heading = f"## {name}".encode("utf-8", "surrogateescape")
        before = before + 2 * end + heading if before else heading
        return before + 2 * end + text
    goes_on = split_lines(before)[-1].lstrip().startswith((b"-", b"*", b"+")) and text.startswith(
        (b"-", b"*", b"+")
    )
    return (
        before
        + (end if goes_on else 2 * end)
        + text
        + (end + after.lstrip(b"\r\n") if after.strip() else b"")
    )


def _end_of_section(data: bytes, name: str, last: int) -> int:
    """Return the line at which the section of that name ends, 0 where there is none."""
    headings = [block for block in blocks(data) if block.kind in HEADINGS and not block.inside]
    for number, block in enumerate(headings):
        if " ".join(block.content.split()) == name:
            level = HEADINGS.index(block.kind)
            below = (each.first for each in headings[number + 1 :] if HEADINGS.index(each.kind) <= level)
            return next(below, last)
    return 0
