"""One principle put in, reworded or taken out of the soul; every other line stays as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principles import read_principles
from clawgit.text.comparing.similarity import words
from clawgit.text.markdown.blocks import blocks
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Iterable

ORDERS, LEARNED, SKILLS = (
    "## What my operator asked of me",
    "## What I have learned",
    "## What I can do",
)
_PREFIX = re.compile(rb"\s*(?:[-*+]\s+|\d+[.)]\s+|>\s*)?")


class PrincipleEdit(NamedTuple):
    """What a principle says now (empty: a new one, below ``heading``) and what it should say (empty: it goes)."""

    old: str
    new: str
    heading: str = ORDERS


def with_edits(soul: bytes, edits: Iterable[PrincipleEdit]) -> bytes | None:
    """Return the soul with all edits, None where a principle that one of them is about is not there just once."""
    for edit in edits:
        after = _replaced(soul, edit) if edit.old else with_principles(soul, [edit.new], edit.heading)
        if after is None:
            return None
        soul = after
    return soul


def with_principles(soul: bytes, texts: Iterable[str], heading: str = ORDERS) -> bytes:
    """Return the soul with list items at the end of the section for them, which is made where there is none."""
    end = line_end(soul)
    before = split_lines(soul)
    lines = [without_end(line).rstrip() for line in before]
    new = [b"- " + text.encode() + end for text in texts]
    if heading.encode() in lines:
        at = lines.index(heading.encode()) + 1
        while at < len(lines) and not lines[at].startswith(b"#"):
            at += 1
        while at and not lines[at - 1]:
            at -= 1
    else:
        at = len(before)
        while at and not lines[at - 1]:
            at -= 1
        new = [*([end] if at else []), heading.encode() + end, end, *new]
    if at and before[at - 1] == lines[at - 1]:
        before[at - 1] += end
    return b"".join([*before[:at], *new, *before[at:]])


def _replaced(soul: bytes, edit: PrincipleEdit) -> bytes | None:
    wanted = tuple(words(edit.old))
    found = [each for each in read_principles(soul) if each.words == wanted]
    if len(found) != 1:
        return None
    first = found[0].line - 1
    last = max(block.last for block in blocks(soul) if block.first == first and block.kind != "bullet_list")
    lines = split_lines(soul)
    last = _end_of(lines, first, last)
    match = _PREFIX.match(lines[first])
    prefix = match.group() if match else b""
    new = [prefix + edit.new.encode() + line_end(soul)] if edit.new else []
    return b"".join([*lines[:first], *new, *lines[last:]])


def _end_of(lines: list[bytes], first: int, last: int) -> int:
    """Return where the principle's own lines end: at the next blank line or item."""
    at = first + 1
    while at < last and lines[at].strip() and not _PREFIX.match(lines[at]).group().strip():  # type: ignore[union-attr]
        at += 1
    return at
