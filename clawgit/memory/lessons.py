"""Lessons in a standing file: list items of its section `## Lessons`, beside the operator's own text."""

from __future__ import annotations

from clawgit.memory.entries import add_entry
from clawgit.text.blocks import HEADINGS, Block, blocks
from clawgit.text.lines import line_end, split_lines

TITLE = "Lessons"


def add_lesson(data: bytes, line_text: str) -> bytes:
    """Return ``data`` with one more item at the end of its section of lessons, made below all else if there is none.

    Raises:
        EntryError: As `add_entry`.
    """
    end = line_end(data)
    lines = split_lines(data)
    headings = [block for block in blocks(data) if block.kind in HEADINGS and not block.inside]
    at = next((number for number, block in enumerate(headings) if _is_title(block)), None)
    if at is None:
        gap = end if data.endswith((b"\n", b"\r")) else 2 * end
        return add_entry(data + (gap if data else b"") + b"## " + TITLE.encode() + end, line_text)
    level = HEADINGS.index(headings[at].kind)
    below = (block.first for block in headings[at + 1 :] if HEADINGS.index(block.kind) <= level)
    first_below = next(below, len(lines))
    section, rest = b"".join(lines[:first_below]), b"".join(lines[first_below:])
    added = add_entry(section, line_text)
    return added + (end if rest and not section.endswith(2 * end) else b"") + rest


def _is_title(block: Block) -> bool:
    return block.content.strip().rstrip(":").lower() == TITLE.lower()
