"""The parts of a dated note that can be promoted: its sections, and of what is below no heading but the day's each block. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.statements import without_time
from clawgit.text.markdown.block_structure import trim_blank
from clawgit.text.markdown.blocks import HEADINGS, Block, blocks
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

DEEPEST = 3  # a heading below that opens no part of its own


class Part(NamedTuple):
    """A part of a note: its title (empty where it has none but a time of day), its lines (0-based, end exclusive), and its text.

    ``begins`` is its first line, the heading included; its words begin at ``first``.
    """

    title: str
    begins: int
    first: int
    last: int
    text: str

    @property
    def scored(self) -> str:
        """Return what is looked at: the title counts with the text."""
        return f"{self.title}\n{self.text}" if self.title else self.text


def parts_of(data: bytes) -> list[Part]:
    """Return the parts of a note in their order; one without words of its own is none."""
    lines, found = split_lines(data), blocks(data)
    opening = [block for block in found if block.kind in HEADINGS[:DEEPEST] and not block.inside]
    edges = [*(block.first for block in opening), len(lines)]
    parts = _loose(lines, found, 0, edges[0])
    for heading, end in zip(opening, edges[1:], strict=True):
        if heading.kind == HEADINGS[0]:
            parts += _loose(lines, found, heading.last, end)
        else:
            last = trim_blank(lines, heading.last, end)
            title = without_time(" ".join(heading.content.split()))
            parts.append(Part(title, heading.first, heading.last, last, _text(lines, heading.last, last)))
    return [part for part in parts if part.text.strip()]


def without_parts(data: bytes, parts: Iterable[Part]) -> bytes:
    """Return the note without these parts; all else stays, and no two blank lines are left where one went."""
    lines = split_lines(data)
    gone = {at for part in parts for at in range(part.begins, part.last)}
    kept: list[bytes] = []
    for at, line in enumerate(lines):
        follows_gone = at and at - 1 in gone and not line.strip()
        if at in gone or (follows_gone and (not kept or not kept[-1].strip())):
            if follows_gone and at not in gone:
                gone.add(at)
            continue
        kept.append(line)
    ended = trim_blank(lines, 0, len(lines)) - 1 in gone  # nothing stands any more where blank lines led to
    return b"".join(kept[: trim_blank(kept, 0, len(kept))] if ended else kept)


def _loose(lines: list[bytes], found: list[Block], first: int, last: int) -> list[Part]:
    """Return each block between two lines as a part: an item with what is below it, or a paragraph."""
    here = [
        block
        for block in found
        if first <= block.first < last and block.kind not in HEADINGS and _is_outermost(block)
    ]
    ends = [trim_blank(lines, block.first, block.last) for block in here]
    return [
        Part("", block.first, block.first, end, _text(lines, block.first, end))
        for block, end in zip(here, ends, strict=True)
    ]


def _is_outermost(block: Block) -> bool:
    return not block.inside or (
        block.kind == "list_item" and len(block.inside) == 1 and block.inside[0].endswith("list")
    )


def _text(lines: list[bytes], first: int, last: int) -> str:
    return b"".join(lines[first:last]).decode("utf-8", "replace")
