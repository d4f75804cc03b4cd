"""Differences of two Markdown texts, line by line, below their headings."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.text.comparing.similarity import LIKE, Run, common_runs, facts_differ, likeness
from clawgit.text.comparing.word_diff import DiffPiece, tokens, word_diff
from clawgit.text.markdown.block_structure import headings_of, trim_blank
from clawgit.text.markdown.lines import split_lines, without_end, without_trailing_comment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIKE_IN_PLACE = 40  # of 100: a line that alone replaces another one needs less to count as its new wording
# Pairs of characters to compare, 150 added to each line for the call: 0.5 s. Above this in one place, each line is compared only with the line of its number.
PAIR_LIMIT = 12_500_000_000
LONGEST = 20_000  # characters of a line to be compared
_WORD = re.compile(r"\w")


class _Line(NamedTuple):
    """A line: its number from 0, its text, its end, its words, and the titles above it."""

    number: int
    text: str
    end: str
    key: str
    section: tuple[str, ...]


class LineChange(NamedTuple):
    """A line added, removed, reworded or moved; texts without line end, invalid UTF-8 as lone surrogates."""

    kind: Literal["added", "removed", "changed", "moved"]
    old_line: int | None  # from 1; None on the side without it
    new_line: int | None
    old: str
    new: str
    pieces: tuple[DiffPiece, ...] = ()  # of a changed line
    formatting: bool = False  # only blank lines, line ends or a comment at the end differ


class SectionChange(NamedTuple):
    """Changes under one heading path, () before the first heading."""

    section: tuple[str, ...]
    changes: tuple[LineChange, ...]


class Stat(NamedTuple):
    """Counts of lines by kind and of words; a formatting change counts only as such, a moved line has no words."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    moved: int = 0
    formatting: int = 0
    words_added: int = 0
    words_removed: int = 0


def section_diff(old: bytes, new: bytes) -> tuple[SectionChange, ...]:
    """Return the changes in the order of the new text, removed lines behind their predecessors; empty only for equal bytes."""
    if old == new:
        return ()
    before = _lines(old)
    after = _lines(new)
    became = _in_order(before, after)
    staying = dict(became)
    moved = _elsewhere(before, after, became)
    old_of = {to: at for at, to in became.items()}
    placed: list[tuple[tuple[int, int], tuple[str, ...], LineChange]] = []
    behind = -1
    for line in before:
        if line.number not in became:
            gone = LineChange("removed", line.number + 1, None, line.text, "", formatting=not line.key)
            placed.append(((behind, 1), line.section, gone))
        behind = staying.get(line.number, behind)
    for line in after:
        at = old_of.get(line.number)
        change = _change(None if at is None else before[at], line, is_moved=at in moved)
        if change is not None:
            placed.append(((line.number, 0), line.section, change))
    by_section: dict[tuple[str, ...], list[LineChange]] = {}
    for _, section, change in sorted(placed, key=itemgetter(0)):
        by_section.setdefault(section, []).append(change)
    return tuple(SectionChange(section, tuple(changes)) for section, changes in by_section.items())


def stat(changes: Iterable[SectionChange]) -> Stat:
    """Return how many lines and words were added, removed and changed; a comment at a line's end has no words."""
    lines: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for change in (line for section in changes for line in section.changes):
        lines["formatting" if change.formatting else change.kind] += 1
        if not change.formatting:
            for piece in word_diff(*map(without_trailing_comment, (change.old, change.new))):
                words[piece.kind] += sum(_WORD.search(token) is not None for token in tokens(piece.text))
    return Stat(**lines, words_added=words["added"], words_removed=words["removed"])


def _lines(text: bytes) -> list[_Line]:
    whole = split_lines(text)
    # with the blank lines above
    headings = {trim_blank(whole, 0, block.first): block for block in headings_of(text)}
    section: tuple[str, ...] = ()
    lines = []
    for number, raw in enumerate(whole):
        if number in headings:
            titles = (*headings[number].section, headings[number].content)
            section = tuple(" ".join(without_trailing_comment(title).split()) for title in titles)
        bare = without_end(raw)
        line = bare.decode("utf-8", "surrogateescape")
        key = without_trailing_comment(line)
        lines.append(_Line(number, line, raw[len(bare) :].decode(), key, section))
    return lines


def _in_order(before: Sequence[_Line], after: Sequence[_Line]) -> dict[int, int]:
    """Return old → new line numbers: equal words in order, reworded in place, and blank ones behind the same line.

    Lines with words are aligned first: else two common blank lines would outweigh a statement.
    """
    first, second = ([line for line in side if line.key] for side in (before, after))
    became: dict[int, int] = {}
    at = to = 0
    for run in (
        *common_runs(list(map(attrgetter("key"), first)), list(map(attrgetter("key"), second))),
        Run(len(first), len(second), 0),
    ):
        became |= _reworded(first[at : run.old], second[to : run.new])
        at, to = run.old + run.length, run.new + run.length
        became |= {first[run.old + step].number: second[run.new + step].number for step in range(run.length)}
    blank: dict[int, list[int]] = {}
    behind = -1
    for line in before:
        if not line.key:
            blank.setdefault(behind, []).append(line.number)
        behind = became.get(line.number, behind)
    paired = frozenset(became.values())
    behind = -1
    for line in after:
        if line.number in paired:
            behind = line.number
        elif not line.key and blank.get(behind):
            became[blank[behind].pop(0)] = line.number
    return became


def _reworded(gone: Sequence[_Line], come: Sequence[_Line]) -> dict[int, int]:
    """Return old → new line numbers of lines changed in one place, the closest pairs first."""
    pairs: Iterable[tuple[_Line, _Line]] = product(gone, come)
    sizes = [sum(len(line.key) + 150 for line in side) for side in (gone, come)]
    if sizes[0] * sizes[1] > PAIR_LIMIT:
        pairs = zip(gone, come, strict=False)
    is_alone = len(gone) == len(come) == 1
    scored = []
    for was, line in pairs:
        if max(len(was.key), len(line.key)) <= LONGEST:
            like = likeness(was.key, line.key)
            is_one = like >= LIKE
            if is_alone and not is_one:  # a heading, or a little alike
                is_heading = was.key.startswith("#") and line.key.startswith("#")
                is_one = is_heading or (like >= LIKE_IN_PLACE and not facts_differ(was.key, line.key))
            if is_one:
                scored.append((-like, was.number, line.number))
    became: dict[int, int] = {}
    taken: set[int] = set()
    for _, at, to in sorted(scored):
        if at not in became and to not in taken:
            became[at] = to
            taken.add(to)
    return became


def _elsewhere(before: Sequence[_Line], after: Sequence[_Line], became: dict[int, int]) -> set[int]:
    """Pair lines with the same words elsewhere, and return the old numbers."""
    gone: dict[str, list[int]] = {}
    for line in before:
        if line.number not in became and _WORD.search(line.key):
            gone.setdefault(line.key, []).append(line.number)
    taken = frozenset(became.values())
    moved: set[int] = set()
    for line in after:
        if line.number not in taken and gone.get(line.key):
            at = gone[line.key].pop(0)
            became[at] = line.number
            moved.add(at)
    return moved


def _change(old: _Line | None, new: _Line, *, is_moved: bool) -> LineChange | None:
    if old is None:
        return LineChange("added", None, new.number + 1, "", new.text, formatting=not new.key)
    numbers = old.number + 1, new.number + 1
    if is_moved:
        return LineChange("moved", *numbers, old.text, new.text)
    if (old.text, old.end) == (new.text, new.end):
        return None
    pieces = word_diff(old.text, new.text)
    return LineChange("changed", *numbers, old.text, new.text, pieces, old.key == new.key)
