"""A section of a file, found by its title; where there is none, it is made below all else."""

from __future__ import annotations

from clawgit.text.markdown.blocks import HEADINGS, Block, blocks
from clawgit.text.markdown.lines import line_end, split_lines


def parted_at(data: bytes, title: str) -> tuple[bytes, bytes, bytes]:
    """Return all up to a section's heading and with it, what stands in the section, and what comes after it."""
    end, lines = line_end(data), split_lines(data)
    headings = [block for block in blocks(data) if block.kind in HEADINGS and not block.inside]
    at = next((number for number, block in enumerate(headings) if _is_called(block, title)), None)
    if at is None:
        gap = end if data.endswith((b"\n", b"\r")) else 2 * end
        return data + (gap if data else b"") + b"## " + title.encode() + end, b"", b""
    below, level = headings[at].last, HEADINGS.index(headings[at].kind)
    others = (block.first for block in headings[at + 1 :] if HEADINGS.index(block.kind) <= level)
    after = next(others, len(lines))
    return b"".join(lines[:below]), b"".join(lines[below:after]), b"".join(lines[after:])


def _is_called(block: Block, title: str) -> bool:
    return block.content.strip().rstrip(":").lower() == title.lower()
