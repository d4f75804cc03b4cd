"""What changed between two Markdown texts, section by section and line by line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Literal

from clawgit.text.comparing.word_diff import Piece, tokens, word_diff
from clawgit.text.markdown.line_pairs import LinePairs, pair_lines
from clawgit.text.markdown.sections import (
    Line,
    Section,
    SectionMatch,
    match_sections,
    read_sections,
    without_trailing_comment,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_WORD = re.compile(r"\w")
_NONE = Section((), (), (), (), ())


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line that came, went, was reworded or moved; numbers from 1, None on the side where it is not.

    Texts come without their line end; bytes that are not UTF-8 are lone surrogates. ``pieces`` are those of a
    changed line. ``formatting``: no word differs, only blank lines, line ends or a comment behind.
    """

    kind: Literal["added", "removed", "changed", "moved"]
    old_line: int | None
    new_line: int | None
    old: str
    new: str
    pieces: tuple[Piece, ...] = ()
    formatting: bool = False


@dataclass(frozen=True, slots=True)
class SectionChange:
    """What changed under one heading path, () before the first heading; a removed section has its old path."""

    section: tuple[str, ...]
    changes: tuple[LineChange, ...]


@dataclass(frozen=True, slots=True)
class Stat:
    """Counts of lines by kind and of words; a formatting change counts as nothing else, a moved line has no words."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    moved: int = 0
    formatting: int = 0
    words_added: int = 0
    words_removed: int = 0


def section_diff(old: bytes, new: bytes) -> tuple[SectionChange, ...]:
    """Return the changes in the order of the new text, a removed section after the one it followed.

    Empty only for equal bytes. A comment at a line's end (an id) is none of its words. A section that moved is
    known by its heading; a line that moved is in its new section only.
    """
    if old == new:
        return ()
    before, after = read_sections(old), read_sections(new)
    matched = match_sections(before, after)
    pairs = pair_lines(before, after, matched)
    found = (
        SectionChange((section if other is _NONE else other).path, _changes(section, other, pairs))
        for section, other in _in_order(before, after, matched)
    )
    return tuple(change for change in found if change.changes)


def stat(changes: Iterable[SectionChange]) -> Stat:
    """Return how many lines and words came, went and changed; a comment at a line's end has no words."""
    lines: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for change in (line for section in changes for line in section.changes):
        lines["formatting" if change.formatting else change.kind] += 1
        if not change.formatting:
            for piece in word_diff(*map(without_trailing_comment, (change.old, change.new))):
                words[piece.kind] += sum(_WORD.search(token) is not None for token in tokens(piece.text))
    return Stat(**lines, words_added=words["added"], words_removed=words["removed"])


def _in_order(
    before: Sequence[Section], after: Sequence[Section], matched: SectionMatch
) -> Iterator[tuple[Section, Section]]:
    """Yield each new section with the old one it was, and removed ones behind those they followed."""
    removed: dict[int, list[Section]] = {}
    behind = 0
    for at, section in enumerate(before):
        if at not in matched.new_of:
            removed.setdefault(behind, []).append(section)
        elif at not in matched.moved:
            behind = matched.new_of[at]
    old_of = {to: before[at] for at, to in matched.new_of.items()}
    for to, section in enumerate(after):
        yield old_of.get(to, _NONE), section
        for gone in removed.get(to, ()):
            yield gone, _NONE


def _changes(old: Section, new: Section, pairs: LinePairs) -> tuple[LineChange, ...]:
    placed: list[tuple[tuple[int, int, int], LineChange]] = []
    behind = -1
    for line in old.lines:
        became = pairs.new_of.get(line.number)
        if became is None:
            gone = LineChange("removed", line.number + 1, None, line.text, "", formatting=not line.key)
            placed.append(((behind, 1, line.number), gone))
        elif line.number not in pairs.moved or line in old.heading:
            behind = became.number
    placed += [
        ((line.number, 0, 0), change)
        for line in new.lines
        if (change := _change(pairs.old_of.get(line.number), line, pairs)) is not None
    ]
    return tuple(change for _, change in sorted(placed, key=itemgetter(0)))


def _change(old: Line | None, new: Line, pairs: LinePairs) -> LineChange | None:
    if old is None:
        return LineChange("added", None, new.number + 1, "", new.text, formatting=not new.key)
    numbers = old.number + 1, new.number + 1
    same_words = old.key == new.key
    if same_words and old.number in pairs.moved:
        return LineChange("moved", *numbers, old.text, new.text)
    if (old.text, old.end) == (new.text, new.end):
        return None
    return LineChange("changed", *numbers, old.text, new.text, word_diff(old.text, new.text), same_words)
