"""A passage between two marks in a text that somebody else keeps. Pure."""

from __future__ import annotations

from typing import Final

BEGIN: Final = "<!-- clawgit: begin (clawgit disconnect takes this out) -->\n"
END: Final = "<!-- clawgit: end -->\n"


def with_passage(text: str, passage: str) -> str:
    """Return ``text`` with the passage at its end, and an empty line before it."""
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{BEGIN}{passage}{END}"


def without_passage(text: str) -> str:
    """Return ``text`` without the passage and the empty line before it; as it is where there is none."""
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 or end < start:
        return text
    before, after = text[:start], text[end + len(END) :]
    if before.endswith("\n\n") or (before == "\n" and not after):
        before = before[:-1]
    return before + after
