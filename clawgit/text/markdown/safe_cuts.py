"""A long Markdown text cut into parts, each of which reads by itself as it does in the whole.

An item or a heading at the margin opens a block whatever is above it, unless that is open code or an open
comment. So of two versions of a file only the parts that differ need to be parsed.
"""

from __future__ import annotations

import re
from itertools import pairwise

from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.block_structure import BOM, front_matter_lines
from clawgit.text.markdown.lines import split_lines

_MARGIN = lazy_bytes_pattern(rb"\n(?=- [^\s]|#{1,6}[ \t])")
_SWALLOWING = lazy_bytes_pattern(rb"\n( {0,3})(`{3,}|~{3,}|<(?:!--)?)([^\n]*)")


def safe_parts(text: bytes) -> list[bytes] | None:
    """Return the parts, each without its last line end; None where only a parser can tell where to cut."""
    if text.startswith(BOM):
        return None
    count = front_matter_lines(text) if text.startswith(b"---") else 0
    front = len(b"".join(split_lines(text)[:count]))
    lines = b"\n" + text[front:]  # a line of the text begins where its newline is here
    if lines.count(b"\r") != lines.count(b"\r\n"):
        return None
    closed = [(0, front)]  # stretches where nothing opens
    at = 0
    while (match := _SWALLOWING.search(lines, at)) is not None:
        end = _end(lines, match)
        if end is None:
            return None
        at = min(end, len(lines) - 1)
        closed.append((front + match.start(), front + at))
    places = [0]
    for margin in _MARGIN.finditer(text):
        place = margin.start() + 1
        if not any(first <= place < last for first, last in closed):
            places.append(place)
    return [text[start:end].removesuffix(b"\n") for start, end in pairwise([*places, len(text)])]


def _end(lines: bytes, match: re.Match[bytes]) -> int | None:
    """Return where what ``match`` opens ends (behind the text where it stays open), None where its looks do not tell."""
    indent, mark, rest = match.groups()
    if indent or mark == b"<" or (mark[:1] == b"`" and b"`" in rest):
        return None
    if mark == b"<!--":
        close = lines.find(b"-->", match.start(2))
    else:
        fence = re.compile(rb"\n {0,3}%s{%d,}[ \t]*\r?(?=\n|\Z)" % (mark[:1], len(mark)))
        closing = fence.search(lines, match.end())
        close = -1 if closing is None else closing.end()
    end = lines.find(b"\n", close) if close >= 0 else -1
    return len(lines) if end < 0 else end
