"""Where a long Markdown text can be cut so that each part reads by itself as it does in the whole.

An item or a heading at the margin opens a block whatever is above it, unless that is open code or an open
comment. So two versions of a file need to be parsed only where they differ.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.block_structure import BOM, front_matter_lines
from clawgit.text.markdown.lines import split_lines

_OPENING = lazy_bytes_pattern(rb"- [^\s]|#{1,6}[ \t]")
_MARGIN = lazy_bytes_pattern(rb"\n(?=- [^\s]|#{1,6}[ \t])")
_UNUSUAL = lazy_bytes_pattern(rb"\n[ `~<]")
_SWALLOWING = lazy_bytes_pattern(rb"\n( {0,3})(`{3,}|~{3,}|<(?:!--)?)([^\n]*)")


class Cuts(NamedTuple):
    """A text and the stretches where nothing opens; ``to_be_continued``: what is added would not be read by itself."""

    text: bytes
    closed: tuple[tuple[int, int], ...]
    to_be_continued: bool

    def at(self, place: int) -> bool:
        if place in (0, len(self.text)):
            return True
        opens = self.text[place - 1 : place] == b"\n" and _OPENING.match(self.text, place) is not None
        return opens and not any(first <= place < last for first, last in self.closed)

    def parts(self, first: int, last: int) -> list[bytes]:
        """Return the parts between two places at which the text can be cut, each without its last line end."""
        if first == last:
            return []
        if not any(begin < last and first < end for begin, end in self.closed):
            return _MARGIN.split(self.text[first:last].removesuffix(b"\n"))
        margins = (match.start() + 1 for match in _MARGIN.finditer(self.text, first, last))
        places = [first, *(place for place in margins if first < place and self.at(place)), last]
        return [self.text[start:end].removesuffix(b"\n") for start, end in pairwise(places)]


def find_cuts(text: bytes, before: Cuts | None = None) -> Cuts | None:
    """Return where ``text`` can be cut, None where only a parser can tell; of what grew from ``before`` only the rest is read."""
    if before is not None and not before.to_be_continued and text.startswith(before.text):
        return _found(text, before.closed, len(before.text))
    if text.startswith(BOM):
        return None
    count = front_matter_lines(text) if text.startswith(b"---") else 0
    front = len(b"".join(split_lines(text)[:count])) if count else 0
    return _found(text, ((0, front),) if front else (), front)


def _found(text: bytes, closed: tuple[tuple[int, int], ...], start: int) -> Cuts | None:
    rest = text[start:]
    if b"\r" in rest and rest.count(b"\r") != rest.count(b"\r\n"):
        return None
    lines = b"\n" + rest  # a line of `rest` begins where its newline is here
    at, is_open = 0, not text.endswith(b"\n") or (not closed and text.startswith(b"---"))
    while (match := _next(lines, at)) is not None:
        end = _end(lines, match)
        if end is None:
            return None
        at = min(end, len(rest))
        is_open = is_open or end > len(rest)
        closed = (*closed, (start + match.start(), start + at))
    return Cuts(text, closed, is_open)


def _next(lines: bytes, at: int) -> re.Match[bytes] | None:
    """Return the next line that may swallow others; most lines are passed over by their first letter."""
    while (line := _UNUSUAL.search(lines, at)) is not None:
        match = _SWALLOWING.match(lines, line.start())
        if match is not None:
            return match
        at = line.end()
    return None


def differing(old: Cuts, new: Cuts) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the stretch of each text outside of which both are the same, from cut to cut."""
    size = len(old.text)
    if new.text.startswith(old.text) and old.at(size) and new.at(size):
        return (size, size), (size, len(new.text))
    head = _common_head(old.text, new.text)
    most = min(len(old.text), len(new.text)) - head
    tail = _common_tail(old.text, new.text, most)
    first = _cut_before(old, new, head)
    behind = len(old.text) - len(new.text)
    last = _cut_after(old, new, max(len(new.text) - tail, first), behind)
    return (first, last + behind), (first, last)


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


def _common_head(a: bytes, b: bytes) -> int:
    low, high = 0, min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _common_tail(a: bytes, b: bytes, most: int) -> int:
    low, high = 0, most
    if a[len(a) - high :] == b[len(b) - high :]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle
    return low


def _cut_before(old: Cuts, new: Cuts, place: int) -> int:
    while place > 0:
        line = max(new.text.rfind(b"\n- ", 0, place + 3), new.text.rfind(b"\n#", 0, place + 2)) + 1
        if line <= 0:
            return 0
        if line <= place and old.at(line) and new.at(line):
            return line
        place = min(line - 1, place - 1)
        place = next((first for first, last in new.closed if first <= place < last), place)
    return 0


def _cut_after(old: Cuts, new: Cuts, place: int, behind: int) -> int:
    for match in _MARGIN.finditer(new.text, place):
        line = match.start() + 1
        if new.at(line) and old.at(line + behind):
            return line
    return len(new.text)
