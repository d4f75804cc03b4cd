"""What changed between two Markdown texts, section by section and line by line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.text.comparing.similarity import common_runs, facts_differ, likeness
from clawgit.text.comparing.word_diff import DiffPiece, tokens, word_diff
from clawgit.text.markdown.sections import (
    LIKE,
    Line,
    Section,
    SectionMatch,
    match_sections,
    read_sections,
    without_trailing_comment,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# A line alone in the place of another one needs less to be taken for its new wording.
LIKE_IN_PLACE = 40
# Pairs of characters to compare, 150 added to each line for the call: 200,000 pairs of usual lines, 0.5 s.
# Above it only removed and added lines in one place are compared.
PAIR_LIMIT = 12_500_000_000
_WORD = re.compile(r"\w")
_NONE = Section((), (), (), (), ())


@dataclass(slots=True)
class LinePairs:
    """Which new line each old one became, by number; ``rivals`` differ in one place, ``moved`` have the same words elsewhere."""

    new_of: dict[int, Line] = field(default_factory=dict)
    old_of: dict[int, Line] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    rivals: list[tuple[list[Line], list[Line]]] = field(default_factory=list)

    def join(self, old: Line, new: Line) -> None:
        self.new_of[old.number] = new
        self.old_of[new.number] = old

    def gone(self, lines: Iterable[Line]) -> list[Line]:
        return [line for line in lines if line.key and line.number not in self.new_of]

    def come(self, lines: Iterable[Line]) -> list[Line]:
        return [line for line in lines if line.key and line.number not in self.old_of]


def pair_lines(before: Sequence[Section], after: Sequence[Section], matched: SectionMatch) -> LinePairs:
    """Pair lines of matched sections in order, then equal ones anywhere, then reworded ones in a section."""
    both = [(before[at], after[to]) for at, to in sorted(matched.new_of.items())]
    pairs = LinePairs(moved={line.number for at in matched.moved for line in before[at].heading[:1]})
    for old, new in both:
        for was, line in (*zip(old.heading, new.heading, strict=False), *_same_lines(old.body, new.body)):
            pairs.join(was, line)
        for lines, others in _gaps(old.lines, new.lines, pairs):
            blank = [[line for line in side if not line.key] for side in (lines, others)]
            for was, line in zip(*blank, strict=False):
                pairs.join(was, line)
            pairs.rivals.append((pairs.gone(lines), pairs.come(others)))
    _pair_moved(before, after, pairs)
    _pair_reworded(both, pairs)
    return pairs


def _same_lines(old: Sequence[Line], new: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    """Align what says something first: else two common blank lines would outweigh a statement."""
    first, second = ([line for line in side if line.key] for side in (old, new))
    for run in common_runs([line.key for line in first], [line.key for line in second]):
        yield from zip(
            first[run.old : run.old + run.length], second[run.new : run.new + run.length], strict=True
        )


def _gaps(
    old: Sequence[Line], new: Sequence[Line], pairs: LinePairs
) -> list[tuple[Sequence[Line], Sequence[Line]]]:
    gaps: list[tuple[Sequence[Line], Sequence[Line]]] = []
    i = j = 0
    for at, line in enumerate(old):
        if line.number in pairs.new_of:
            to = pairs.new_of[line.number].number - new[0].number
            gaps.append((old[i:at], new[j:to]))
            i, j = at + 1, to + 1
    return [gap for gap in (*gaps, (old[i:], new[j:])) if any(gap)]


def _pair_moved(before: Iterable[Section], after: Iterable[Section], pairs: LinePairs) -> None:
    gone: dict[str, list[Line]] = {}
    for line in pairs.gone(line for section in before for line in section.body):
        if _WORD.search(line.key):
            gone.setdefault(line.key, []).append(line)
    for lines in gone.values():
        lines.reverse()
    for line in pairs.come(line for section in after for line in section.body):
        if gone.get(line.key):
            was = gone[line.key].pop()
            pairs.join(was, line)
            pairs.moved.add(was.number)


def _pair_reworded(places: Iterable[tuple[Section, Section]], pairs: LinePairs) -> None:
    groups = [(pairs.gone(old.body), pairs.come(new.body)) for old, new in places]
    work = sum(_weight(gone) * _weight(come) for gone, come in groups)
    candidates = list(_in_place(pairs))
    if work <= PAIR_LIMIT:
        for gone, come in groups:
            for was, line in product(gone, come):
                like = _likeness(was, line)
                if like >= LIKE:
                    candidates.append((like, was, line))
    for _, was, line in sorted(candidates, key=lambda pair: (-pair[0], pair[1].number, pair[2].number)):
        if was.number not in pairs.new_of and line.number not in pairs.old_of:
            pairs.join(was, line)


def _in_place(pairs: LinePairs) -> Iterator[tuple[int, Line, Line]]:
    for lines, others in pairs.rivals:
        gone = pairs.gone(lines)
        come = pairs.come(others)
        alone = len(gone) == len(come) == 1
        for was, line in zip(gone, come, strict=False):
            if _weight([was]) * _weight([line]) > PAIR_LIMIT:
                continue
            like = _likeness(was, line)
            if like >= LIKE or (alone and like >= LIKE_IN_PLACE and not facts_differ(was.key, line.key)):
                yield like, was, line


def _likeness(old: Line, new: Line) -> int:
    # Equal ones still unpaired are rules or fences in another order: paired they would seem to have stayed.
    return likeness(old.key, new.key) if old.key != new.key else 0


def _weight(lines: Iterable[Line]) -> int:
    return sum(len(line.key) + 150 for line in lines)


class LineChange(NamedTuple):
    """One line that came, went, was reworded or moved; texts without their line end, bytes that are not UTF-8 as lone surrogates."""

    kind: Literal["added", "removed", "changed", "moved"]
    old_line: int | None  # from 1; None on the side where it is not
    new_line: int | None
    old: str
    new: str
    pieces: tuple[DiffPiece, ...] = ()  # of a changed line
    formatting: bool = False  # no word differs, only blank lines, line ends or a comment behind


class SectionChange(NamedTuple):
    """What changed under one heading path, () before the first heading; a removed section has its old path."""

    section: tuple[str, ...]
    changes: tuple[LineChange, ...]


class Stat(NamedTuple):
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
    before = read_sections(old)
    after = read_sections(new)
    matched = match_sections(before, after)
    pairs = pair_lines(before, after, matched)
    changes = (
        SectionChange((section if other is _NONE else other).path, _changes(section, other, pairs))
        for section, other in _in_order(before, after, matched)
    )
    return tuple(change for change in changes if change.changes)


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
