"""What taking a change back would lose: words that it did not bring, or that it took out and that do not come back."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.memory.undo.text_step import line_words
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.merge_lines import hunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.memory.undo.text_step import TextStep

_MARKER = re.compile(rb"(?:[-*+]|\d{1,9}[.)])[ \t]+")
_SAYS_NOTHING = re.compile(rb"[^A-Za-z0-9\x80-\xff]*|#{1,6}[ \t].*|<!--.*-->")

Lines = Counter[bytes]


def lost_lines(steps: Sequence[TextStep], present: Iterable[bytes], result: Iterable[bytes]) -> list[bytes]:
    """Return the lines that would be lost where ``present`` texts become ``result`` to take ``steps`` back.

    Lost is a line that goes although no step wrote it, and one that a step took out for another line, where that
    other one goes and nothing comes in its place.
    """
    here, then = said(present), said(result)
    wrote = Lines()
    for step in steps:
        wrote.update(said([step.made]) - said([step.before]))
    lost = here - then - wrote
    for step in steps:
        lost.update(_owed(step, here, then))
    return list(lost)


def homeless_lines(
    steps: Sequence[TextStep], present: Iterable[bytes], result: Iterable[bytes]
) -> list[bytes]:
    """Return the lines that the steps took from one text to another, and that go from there and come back nowhere."""
    took, wrote = Lines(), Lines()
    for step in steps:
        before, made = said([step.before]), said([step.made])
        took.update(before - made)
        wrote.update(made - before)
    return list((said(present) - said(result)) & took & wrote)


def said(texts: Iterable[bytes]) -> Lines:
    """Return the lines that say something, without ids and list markers; headings and comments do not."""
    lines = (
        _MARKER.sub(b"", line_words(line), count=1)
        for text in texts
        if b"\0" not in text
        for line in split_lines(text)
    )
    return Lines(line for line in lines if not _SAYS_NOTHING.fullmatch(line))


def _owed(step: TextStep, here: Lines, then: Lines) -> Lines:
    """Return what a step took out and what is missing, from each place that would say less than before the step."""
    owed = Lines()
    made = split_lines(step.made)
    for hunk in hunks(made, split_lines(step.before)):
        old, new = said(hunk.lines), said(made[hunk.start : hunk.end])
        old, new = old - new, new - old
        least = min(old.total(), (new & here).total())
        if (new & then).total() + (old & then).total() < least:
            owed.update(old - then)
    return owed
