"""Lessons in a standing file: list items of its section `## Lessons`, beside the operator's own text."""

from __future__ import annotations

from clawgit.memory.entries.entries import add_entry
from clawgit.memory.entries.titled_section import parted_at
from clawgit.text.markdown.lines import line_end

TITLE = "Lessons"
TOOLS_TITLE = "Tools"  # of AGENTS.md, where there is no TOOLS.md


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
