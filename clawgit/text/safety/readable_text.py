"""A text as a person would read it out: without what is unseen, wide letters made narrow; every place remembered."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import re

_UNSEEN = lazy_pattern(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
# A line's end between two characters, with the quote marks and the indentation that its next line begins with.
_WRAP = lazy_pattern(r"(?<=\S)[ \t]*+(?:\\[ \t]*+)?(?:\r?\n|[\r\x85\u2028\u2029])[ \t>]*+(?=\S)")
_ENDS = "\n\r\x85\u2028\u2029"  # of lines
_WIDE = ((0xFF01, 0xFF5E), (0xFE50, 0xFE6B), (0x1D400, 0x1D7FF), (0x2460, 0x24FF), (0x2000, 0x200A))
_QUOTES = {"“": '"', "”": '"', "„": '"', "「": '"', "」": '"', "『": '"', "』": '"', "‘": "'", "’": "'"}


class Legible(NamedTuple):
    """A text to be searched; ``place`` says where a character of it is in the original."""

    text: str
    starts: tuple[int, ...] = (0,)  # from each on, the text is the original's from its origin on
    origins: tuple[int, ...] = (0,)
    joins: frozenset[int] = frozenset()  # where two characters are neighbours that a line's end parted

    def place(self, index: int) -> int:
        run = bisect_right(self.starts, index) - 1
        return self.origins[run] + index - self.starts[run]

    @property
    def lower(self) -> str:
        return self.text.lower()

    def joined(self) -> Legible:
        if not any(end in self.text for end in _ENDS):
            return self
        return _without(self, _WRAP, are_joins=True)


def legible(text: str) -> Legible:
    """Return ``text`` with wide and styled letters made plain and without what prints as nothing."""
    if not text.isascii():
        text = text.translate(_plain_letters())
    elif text.replace("\n", "").replace("\t", "").replace("\r", "").isprintable():
        return Legible(text)  # nothing is unseen: what finds that takes 0.3 ms to make
    return _without(Legible(text), _UNSEEN)


def _without(was: Legible, unwanted: re.Pattern[str], *, are_joins: bool = False) -> Legible:
    gaps = [match.span() for match in unwanted.finditer(was.text)]
    if not gaps:
        return was
    places: dict[int, int] = {}  # index in the new text → place in the original, wherever the two part
    pieces: list[str] = []
    joins: set[int] = set()
    begin = length = 0
    for first, last in (*gaps, (len(was.text), len(was.text))):
        places[length] = was.place(begin)
        for start in was.starts[bisect_right(was.starts, begin) : bisect_left(was.starts, first)]:
            places[length + start - begin] = was.place(start)
        pieces.append(was.text[begin:first])
        length, begin = length + first - begin, last
        joins.add(length)
    text = "".join(pieces)
    kept = frozenset(joins - {len(text)}) if are_joins else frozenset()
    return Legible(text, tuple(places), tuple(places.values()), kept)


@lru_cache(maxsize=1)
def _plain_letters() -> dict[int, str]:
    found = {ord(mark): plain for mark, plain in _QUOTES.items()}
    found |= dict.fromkeys((0xA0, 0x202F, 0x205F, 0x3000), " ")
    found[0x130] = "I"  # İ alone becomes longer in lower case
    for code in chain.from_iterable(range(first, last + 1) for first, last in _WIDE):
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1 and plain.isascii():
            found[code] = plain
    return found
