"""Conflict markers: a merge that nobody finished must not become memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding, told
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

_FENCES = (b"```", b"~~~")


def find_conflict_markers(step: Step) -> Iterator[Finding]:
    """Find conflicts that were not there before; markers inside a code fence are a quotation."""
    for path in step.paths:
        data = step.new.read(path)
        if data is None or b"<<<<<<<" not in data:
            continue
        found = conflicts_in(data)
        if len(found) > len(conflicts_in(step.base.read(path) or b"")):
            yield Finding(
                "conflict-marker",
                path,
                f"{told(path)} has the markers of an unfinished merge from line {found[-1]} on.",
                "Choose between the two sides, or put a quotation of markers into a code fence.",
                found[-1],
            )


def conflicts_in(data: bytes) -> list[int]:
    """Return the 1-based line at which each whole conflict starts: `<<<<<<<`, `=======`, `>>>>>>>`."""
    starts: list[int] = []
    fence = b""
    start, divided = 0, False
    for number, line in enumerate(split_lines(data), 1):
        fence = _fence_after(line, fence)
        if fence:
            start, divided = 0, False
        elif line.startswith(b"<<<<<<< "):
            start, divided = number, False
        elif start and line.rstrip(b"\r\n") == b"=======":
            divided = True
        elif divided and line.startswith(b">>>>>>> "):
            starts.append(start)
            start, divided = 0, False
    return starts


def _fence_after(line: bytes, fence: bytes) -> bytes:
    mark = line.lstrip(b" ")[:3]
    if mark not in _FENCES:
        return fence
    if not fence:
        return mark
    return b"" if mark == fence else fence
