"""Where new entries go: in which file, and there in which section; notes in that of their day, lessons in a standing file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import EntryError, add_entry, append_entry, ends_in_item
from clawgit.memory.entries.tiers import CORE, MEMORY_FILES
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.block_structure import HEADINGS, Block, ends_open, headings_of
from clawgit.text.markdown.lines import gap_below, line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Callable

TITLE = "Lessons"
TOOLS_TITLE = "Tools"  # of AGENTS.md, where there is no TOOLS.md
OWN_TITLE = "Remembered"
_OWN_LINE = f"## {OWN_TITLE}".encode()
# What may be a heading, or underline one.
_HEADING = lazy_bytes_pattern(rb"^ {0,3}(?:#{1,6}(?:[ \t][^\n]*)?|=+[ \t]*|-+[ \t]*)\r?$", re.MULTILINE)


def parted_at(data: bytes, title: str) -> tuple[bytes, bytes, bytes]:
    """Return all up to a section's heading and with it, what is in the section, and what comes after it."""
    end = line_end(data)
    lines = split_lines(data)
    headings = headings_of(data)
    at = next((number for number, block in enumerate(headings) if is_called(block, title)), None)
    if at is None:
        gap = end if data.endswith((b"\n", b"\r")) else 2 * end
        return (
            data + (gap if data else b"") + b"## " + title.encode("utf-8", "surrogateescape") + end,
            b"",
            b"",
        )
    below, level = headings[at].last, HEADINGS.index(headings[at].kind)
    others = (block.first for block in headings[at + 1 :] if HEADINGS.index(block.kind) <= level)
    after = next(others, len(lines))
    return b"".join(lines[:below]), b"".join(lines[below:after]), b"".join(lines[after:])


def is_called(block: Block, title: str) -> bool:
    """Say whether a heading is that title, in any case, with or without a colon."""
    return block.content.strip().rstrip(":").lower() == title.lower()


def add_below(data: bytes, title: str, line_text: str) -> bytes:
    """Return ``data`` with one more item at the end of a section, made below all else if there is none."""
    end = line_end(data)
    head, body, rest = parted_at(data, title)
    section = head + body
    added = add_entry(section, line_text)
    return added + (end if rest and not added.endswith(2 * end) else b"") + rest


def core_file(exists: Callable[[str], object]) -> str:
    """Return the file of core memory: MEMORY.md, or memory.md where only that is there."""
    return next(filter(exists, MEMORY_FILES), CORE)


def add_remembered(data: bytes, line_text: str) -> bytes:
    """Return ``data`` with one more item: at its end, or in clawgit's section where the file has others."""
    headings = _sections(data)
    own = next((at for at, each in enumerate(headings) if is_called(each, OWN_TITLE)), -1)
    if own < 0 or own + 1 == len(headings):
        return add_entry(ending_in_own_section(data), line_text)
    end = line_end(data)
    lines = split_lines(data)
    last = headings[own + 1].first
    added = add_entry(b"".join(lines[:last]), line_text)
    return added + (b"" if added.endswith(2 * end) else end) + b"".join(lines[last:])


def append_remembered(data: bytes, line_text: str) -> bytes:
    """Return what `add_remembered` does, with all of ``data`` before what is new: for notes that only ever grow."""
    return append_entry(ending_in_own_section(data), line_text)


def ending_in_own_section(data: bytes) -> bytes:
    """Return ``data``, with clawgit's heading below it if it ends in somebody else's section."""
    headings = _sections(data)
    if not headings or is_called(headings[-1], OWN_TITLE):
        return data
    end = line_end(data)
    marks = b"#" * (HEADINGS.index(min(each.kind for each in headings)) + 1)
    return data + gap_below(data, end) + marks + b" " + OWN_TITLE.encode() + end


def _sections(data: bytes) -> list[Block]:
    """Return the headings of a file but for its title; none where it certainly ends below the title or clawgit's heading."""
    if ends_in_item(data) and _ends_plainly(data):
        return []
    found = headings_of(data)
    title = HEADINGS[0]
    is_titled = bool(found) and found[0].kind == title and sum(block.kind == title for block in found) == 1
    return found[1:] if is_titled else found


def _ends_plainly(data: bytes) -> bool:
    """Say whether the last heading is clawgit's own, or the title alone: told without parsing, which takes long."""
    if data.count(b"\r") != data.count(b"\r\n"):
        return False
    lines = [line.rstrip() for line in _HEADING.findall(data)]
    return not lines or lines[-1] == _OWN_LINE or (len(lines) == 1 and lines[0].startswith(b"# "))


def grown_note(data: bytes, text: str) -> bytes:
    """Return ``data`` with the lines of ``text`` below it; as it is, if it has them already or there are none.

    Below somebody's section they come under a heading of clawgit's own, unless they bring one.
    A title with which the note begins is not repeated.

    Raises:
        EntryError: Either of them ends inside open code or an open comment, so that what follows would be part of it.
    """
    lines = [line.rstrip() for line in text.strip("\r\n").splitlines()]
    there = [without_end(line).decode("utf-8", "replace").rstrip() for line in split_lines(data)]
    if lines and lines[0].startswith("# ") and lines[0] in there[:1]:
        lines = lines[1:]
    while lines and not lines[0]:
        lines = lines[1:]
    is_there = any(there[at : at + len(lines)] == lines for at in range(len(there)))
    if not any(lines) or is_there:
        return data
    if ends_open(data):
        raise EntryError("The note ends inside an open code block or comment.", hint="Close it first.")
    end = line_end(data)
    old = data if lines[0].startswith("#") else ending_in_own_section(data)
    is_apart = not old or (old == data and not there[-1])
    gap = b""
    if not is_apart:
        gap = end if old.endswith((b"\n", b"\r")) else 2 * end
    new = old + gap + end.join(line.encode("utf-8", "replace") for line in lines) + end
    if ends_open(new):
        raise EntryError("The text ends inside an open code block or comment.", hint="Close it there.")
    return new
