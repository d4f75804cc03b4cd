"""What is shown of the lines that were found: as they are written, without comments, not too long. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.recall.index.paragraphs import without_comments
from clawgit.text.markdown.lines import split_lines
from clawgit.text.words.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Collection

MOST_CHARACTERS = 700
CUT = "…"


def snippet_of(data: bytes, first: int, last: int, words: Collection[str] = ()) -> str:
    """Return lines ``first`` to ``last`` (from 1) of a file; of a long text, the part that holds ``words``."""
    text = b"".join(split_lines(data)[first - 1 : last]).decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (line.rstrip() for line in without_comments(text).splitlines())
    return shortened("\n".join(line for line in lines if line.strip()), words)


def shortened(text: str, words: Collection[str] = ()) -> str:
    """Return ``text``, or as much of it as may be shown, around the first place that holds one of ``words``."""
    if len(text) <= MOST_CHARACTERS:
        return text
    room = MOST_CHARACTERS - 2 * len(CUT)
    at = _first_place(text, frozenset(words))
    begin = max(0, min(at - room // 4, len(text) - room))
    if begin and (space := text.find(" ", begin, begin + room // 8)) >= 0:
        begin = space + 1
    end = min(len(text), begin + room)
    return CUT * (begin > 0) + text[begin:end].strip() + CUT * (end < len(text))


def _first_place(text: str, words: frozenset[str]) -> int:
    """Return where the window of text begins that holds most of the words."""
    step = MOST_CHARACTERS // 4
    if not words:
        return 0
    found = [
        (len(words.intersection(terms_of(text[at : at + 3 * step]))), -at) for at in range(0, len(text), step)
    ]
    best, at = max(found)
    return -at if best else 0
