"""What changed between two Markdown texts, section by section and line by line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from clawgit.text.sections import (
    LIKE,
    Line,
    Section,
    SectionMatch,
    match_sections,
    read_sections,
    without_trailing_comment,
)
from clawgit.text.similarity import likeness
from clawgit.text.worddiff import Piece, common_runs, tokens, word_diff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# A line alone in the place of another one needs less to be taken for its new wording.
LIKE_IN_PLACE = 40
# Above so many pairs of removed and added lines only those in one place are compared (2 µs a pair).
PAIR_LIMIT = 200_000

_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line that came, went, was reworded or moved; numbers from 1, None on the side where it is not.

    Texts come without their line end; bytes that are not UTF-8 are lone surrogates. ``pieces`` are those of a
    changed line. ``formatting``: no word differs, only blank lines, line ends or what the caller ignores.
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


def section_diff(
    old: bytes, new: bytes, *, ignore: Callable[[str], str] = without_trailing_comment
) -> tuple[SectionChange, ...]:
    """Return the changes in the order of the new text, a removed section after the one it followed.

    Empty only for equal bytes. ``ignore`` returns a line without what is not its words (ids). A section that
    moved is told by its heading; a line that moved stands in its new section only.
    """
    before, after = read_sections(old, ignore), read_sections(new, ignore)
    matched = match_sections(before, after)
    pairing = _Pairing()
    for at, to in matched.new_of.items():
        _align(before[at], after[to], pairing)
    _pair_moved(before, after, pairing)
    _pair_reworded(before, after, matched, pairing)
    pairing.moved |= {line.number for at in matched.moved for line in before[at].heading[:1]}
    return tuple(_section_changes(before, after, matched, pairing))


def stat(
    changes: Iterable[SectionChange], *, ignore: Callable[[str], str] = without_trailing_comment
) -> Stat:
    """Return how many lines and words came, went and changed; words that ``ignore`` leaves out are not counted."""
    lines: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for change in (line for section in changes for line in section.changes):
        lines["formatting" if change.formatting else change.kind] += 1
        if not change.formatting and change.kind != "moved":
            for piece in word_diff(ignore(change.old), ignore(change.new)):
                words[piece.kind] += sum(_WORD.search(token) is not None for token in tokens(piece.text))
    return Stat(**lines, words_added=words["added"], words_removed=words["removed"])


@dataclass(slots=True)
class _Pairing:
    """Old lines and the new ones they became, by number; rivals are what differs in one place."""

    new_of: dict[int, Line] = field(default_factory=dict)
    old_of: dict[int, Line] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    rivals: list[tuple[list[Line], list[Line]]] = field(default_factory=list)

    def join(self, old: Line, new: Line) -> None:
        """Take ``new`` for what became of ``old``."""
        self.new_of[old.number] = new
        self.old_of[new.number] = old

    def left(self, sections: Iterable[Section]) -> tuple[list[Line], ...]: ...
