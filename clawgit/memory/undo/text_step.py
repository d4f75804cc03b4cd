"""One change of one text: what it took out and wrote, and which words are lost where it is taken back."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.memory.entries.entry_marks import marks_in, without_marks
from clawgit.text.markdown.lines import line_end, split_lines
from clawgit.text.markdown.merge_lines import hunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_END = re.compile(rb"\r\n|\n|\r")
_MARKER = re.compile(rb"(?:[-*+]|\d{1,9}[.)])[ \t]+")
_SAYS_NOTHING = re.compile(rb"[^A-Za-z0-9\x80-\xff]*|#{1,6}[ \t].*|<!--.*-->")
Lines = Counter[bytes]


def line_words(line: bytes) -> bytes:
    """Return a line without ids and the white space around it."""
    return without_marks(line).strip()


@dataclass(frozen=True, slots=True)
class TextStep:
    """What one change did to one file's text; ids that stand ``elsewhere`` by now are not brought back.

    An entry of ``yielding`` that was reworded since stays as it is; of any other that is a conflict.
    """

    before: bytes
    made: bytes
    path: str = "MEMORY.md"
    elsewhere: frozenset[str] = frozenset()
    yielding: frozenset[str] = frozenset()

    def gone_ids(self) -> frozenset[str]:
        """Return the ids on lines that the change took out and that none of its own lines has."""
        made = frozenset(split_lines(self.made))
        gone = marks_in(b"".join(line for line in split_lines(self.before) if line not in made))
        return gone - marks_in(self.made) if gone else gone

    def written_ids(self) -> frozenset[str]:
        """Return the ids on lines that the change wrote."""
        before = frozenset(split_lines(self.before))
        return marks_in(b"".join(line for line in split_lines(self.made) if line not in before))

    def written_words(self) -> frozenset[bytes]:
        """Return the lines that the change wrote, without ids and the white space around them."""
        before = frozenset(split_lines(self.before))
        written = (line_words(line) for line in split_lines(self.made) if line not in before)
        return frozenset(words for words in written if words)

    def in_line_ends_of(self, text: bytes) -> TextStep:
        """Return the step in the line ends of ``text``: an editor may have changed them since."""
        end = line_end(text)
        if line_end(self.made) == end or not self.made:
            return self
        return replace(self, before=_END.sub(end, self.before), made=_END.sub(end, self.made))


def lost_lines(steps: Sequence[TextStep], present: Iterable[bytes], result: Iterable[bytes]) -> list[bytes]:
    """Return the lines that would be lost where ``present`` texts become ``result`` to take ``steps`` back.

    Lost is a line that goes although no step wrote it, and one that a step took out for another line, where that
    other one goes and nothing comes in its place.
    """
    here = lines_saying(present)
    then = lines_saying(result)
    wrote = Lines()
    for step in steps:
        wrote.update(lines_saying([step.made]) - lines_saying([step.before]))
    lost = here - then - wrote
    for step in steps:
        lost.update(_owed(step, here, then))
    return list(lost)


def homeless_lines(
    steps: Sequence[TextStep], present: Iterable[bytes], result: Iterable[bytes]
) -> list[bytes]:
    """Return the lines that the steps took from one text to another, and that go from there and come back nowhere."""
    took = Lines()
    wrote = Lines()
    for step in steps:
        before = lines_saying([step.before])
        made = lines_saying([step.made])
        took.update(before - made)
        wrote.update(made - before)
    return list((lines_saying(present) - lines_saying(result)) & took & wrote)


def lines_saying(texts: Iterable[bytes]) -> Lines:
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
        old = lines_saying(hunk.lines)
        new = lines_saying(made[hunk.start : hunk.end])
        old, new = old - new, new - old
        least = min(old.total(), (new & here).total())
        if (new & then).total() + (old & then).total() < least:
            owed.update(old - then)
    return owed
