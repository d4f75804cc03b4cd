"""Sections of a file by their title, and one more item in one: lessons in a standing file, beside the operator's own text."""

from __future__ import annotations

from clawgit.memory.entries.entries import add_entry
from clawgit.text.markdown.blocks import HEADINGS, Block, blocks
from clawgit.text.markdown.lines import line_end, split_lines

TITLE = "Lessons"
TOOLS_TITLE = "Tools"  # of AGENTS.md, where there is no TOOLS.md


def parted_at(data: bytes, title: str) -> tuple[bytes, bytes, bytes]:
    """Return all up to a section's heading and with it, what is in the section, and what comes after it."""
    end = line_end(data)
    lines = split_lines(data)
    headings = [block for block in blocks(data) if block.kind in HEADINGS and not block.inside]
    at = next((number for number, block in enumerate(headings) if is_called(block, title)), None)
    if at is None:
        gap = end if data.endswith((b"\n", b"\r")) else 2 * end
        return data + (gap if data else b"") + b"## " + title.encode() + end, b"", b""
    below, level = headings[at].last, HEADINGS.index(headings[at].kind)
    others = (block.first for block in headings[at + 1 :] if HEADINGS.index(block.kind) <= level)
    after = next(others, len(lines))
    return b"".join(lines[:below]), b"".join(lines[below:after]), b"".join(lines[after:])


def is_called(block: Block, title: str) -> bool:
    """Say whether a heading is that title, in any case, with or without a colon."""
    return block.content.strip().rstrip(":").lower() == title.lower()


def add_lesson(data: bytes, line_text: str) -> bytes:
    """Return ``data`` with one more item at the end of its section of lessons, made below all else if there is none.

    Raises:
        EntryError: As `add_entry`.
    """
    return add_below(data, TITLE, line_text)


def add_below(data: bytes, title: str, line_text: str) -> bytes:
    """Return what `add_lesson` does, for a section of any title.

    Raises:
        EntryError: As `add_entry`.
    """
    end = line_end(data)
    head, body, rest = parted_at(data, title)
    section = head + body
    added = add_entry(section, line_text)
    return added + (end if rest and not added.endswith(2 * end) else b"") + rest
