"""A text in pieces of bounded length that overlap: what vectors are made of, and long code is cut into. Pure."""

from __future__ import annotations

from bisect import bisect_right
from hashlib import sha256
from typing import NamedTuple

from clawgit.text.markdown.lines import split_lines
from clawgit.text.words.tokens import fitting


class Passage(NamedTuple):
    """A piece of a text and the lines it is in, counted from 1."""

    first: int
    last: int
    text: str

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the text: the same piece is embedded once."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def passages(data: bytes, tokens: int, overlap: int) -> list[Passage]:
    """Return ``data`` as pieces of at most ``tokens``, each but the first beginning with the end of the one before.

    At most ``overlap`` tokens (and half a piece) are said twice. Pieces end at a line's end where they can, else
    behind a space; no character is cut. What is blank throughout is left out.
    """
    lines = [line.decode("utf-8", "replace") for line in split_lines(data)]
    text, starts = "".join(lines), _starts(lines)
    overlap = min(overlap, tokens // 2)
    found: list[Passage] = []
    begin = end = 0
    while end < len(text):
        begin = _overlapping(text, starts, (begin, end), overlap)
        most = _most(text, begin, tokens)
        if most <= end:  # with what is said twice there is no room for anything new
            begin, most = end, _most(text, end, tokens)
        end = _end(text, starts, max(end, (begin + most) // 2), most)
        piece = text[begin:end]
        if piece.strip():
            found.append(Passage(bisect_right(starts, begin), bisect_right(starts, end - 1), piece))
    return found


def _most(text: str, begin: int, tokens: int) -> int:
    """Return where a piece from ``begin`` has to end at the latest, behind one character at least."""
    return begin + max(1, fitting(text[begin : begin + 4 * tokens], tokens))


def _starts(lines: list[str]) -> list[int]:
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line)
    return starts


def _end(text: str, starts: list[int], least: int, most: int) -> int:
    """Return where a piece ends best that must reach over ``least`` and may reach to ``most``."""
    if most >= len(text):
        return len(text)
    line = starts[bisect_right(starts, most) - 1]
    if line > least:
        return line
    space = max(text.rfind(" ", least, most), text.rfind("\t", least, most)) + 1
    return space if space > least else most


def _overlapping(text: str, starts: list[int], last: tuple[int, int], overlap: int) -> int:
    """Return where the piece after ``last`` begins: at a line's begin, else at a word's, within the overlap."""
    begin, end = last
    if not overlap or not end:
        return end
    tail = text[max(begin + 1, end - 4 * overlap) : end]
    earliest = end - fitting(tail[::-1], overlap)
    line = bisect_right(starts, earliest - 1)
    if line < len(starts) and starts[line] < end:
        return starts[line]
    space = text.find(" ", earliest, end)
    return space + 1 if 0 <= space < end - 1 else earliest
