"""A Markdown text as sections of lines, and which section of one text became which of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing.similarity import common_runs, facts_differ, likeness
from clawgit.text.markdown.block_structure import Block, headings_of, trim_blank
from clawgit.text.markdown.lines import split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Sequence

# How alike (0..100) two lines or titles must be to be one in other words.
LIKE = 60
# Pairs of characters to compare in two bodies: 25 ms.
BODY_LIMIT = 400_000_000


class Line(NamedTuple):
    """One line: its number from 0, its text without the end, the end, and what counts as its words."""

    number: int
    text: str
    end: str
    key: str


class Section(NamedTuple):
    """The lines from one heading to the next; the first section has the path () and no heading, and may be empty."""

    path: tuple[str, ...]
    leading: tuple[Line, ...]  # blank lines before the heading
    heading: tuple[Line, ...]
    body: tuple[Line, ...]
    said: tuple[str, ...]  # what the lines below the heading say, blank ones left out

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.leading + self.heading + self.body


class SectionMatch(NamedTuple):
    """For each old section the new one it became, by place in the text; ``moved``: same title, other place."""

    new_of: dict[int, int]
    moved: frozenset[int]


def without_trailing_comment(text: str) -> str:
    """Return ``text`` without a comment at its end and the white space before it; a line of nothing else keeps it."""
    bare = text.rstrip()
    start = bare.rfind("<!--")
    if start < 0 or bare.find("-->", start + 4) != len(bare) - 3:
        return bare
    return bare[:start].rstrip() or bare


def read_sections(text: bytes) -> list[Section]:
    """Return the sections, every line in one; bytes that are not UTF-8 become lone surrogates, headings in blocks open none."""
    raw = split_lines(text)
    lines = [_line(number, line) for number, line in enumerate(raw)]
    headings = headings_of(text)
    sections: list[Section] = []
    path: tuple[str, ...] = ()
    begin = opened = below = 0
    for block in headings:
        end = trim_blank(raw, below, block.first)
        sections.append(_section(path, lines[begin:end], opened - begin, below - begin))
        path, begin, opened, below = _path(block), end, block.first, block.last
    sections.append(_section(path, lines[begin:], opened - begin, below - begin))
    return sections


def match_sections(old: Sequence[Section], new: Sequence[Section]) -> SectionMatch:
    """Pair sections by title in order, by path elsewhere, then those that are alike in one place: renamed ones."""
    new_of = {0: 0}
    for run in common_runs(_titles(old), _titles(new)):
        new_of |= {run.old + 1 + step: run.new + 1 + step for step in range(run.length)}
    kept_order = set(new_of)
    _match_paths(old, new, new_of)
    _match_in_place(old, new, new_of)
    elsewhere = set(new_of) - kept_order
    moved = frozenset(at for at in elsewhere if old[at].path[-1] == new[new_of[at]].path[-1])
    return SectionMatch(new_of, moved)


def _line(number: int, raw: bytes) -> Line:
    bare = without_end(raw)
    text = bare.decode("utf-8", "surrogateescape")
    return Line(number, text, raw[len(bare) :].decode(), without_trailing_comment(text).rstrip())


def _section(path: tuple[str, ...], lines: list[Line], opened: int, below: int) -> Section:
    keys = tuple(line.key for line in lines[below:] if line.key)
    return Section(path, tuple(lines[:opened]), tuple(lines[opened:below]), tuple(lines[below:]), keys)


def _path(block: Block) -> tuple[str, ...]:
    return tuple(
        " ".join(without_trailing_comment(title).split()) for title in (*block.section, block.content)
    )


def _titles(sections: Sequence[Section]) -> list[str]:
    return [section.path[-1] for section in sections[1:]]


def _match_paths(old: Sequence[Section], new: Sequence[Section], new_of: dict[int, int]) -> None:
    taken = set(new_of.values())
    waiting: dict[tuple[str, ...], list[int]] = {}
    for at in reversed(range(len(new))):
        if at not in taken:
            waiting.setdefault(new[at].path, []).append(at)
    for at, section in enumerate(old):
        if at not in new_of and waiting.get(section.path):
            new_of[at] = waiting[section.path].pop()


def _match_in_place(old: Sequence[Section], new: Sequence[Section], new_of: dict[int, int]) -> None:
    taken = set(new_of.values())
    for at in range(1, len(old)):
        beside = new_of.get(at - 1, -1) + 1
        if at in new_of or beside in taken or beside == len(new):
            continue
        if _alike(old[at], new[beside]):
            new_of[at] = beside
            taken.add(beside)


def _alike(old: Section, new: Section) -> bool:
    # In lower case, since words of a title are capitalised without being names.
    titles = old.path[-1].lower(), new.path[-1].lower()
    if likeness(*titles) >= LIKE and not facts_differ(*titles):
        return True
    bodies = "\n".join(old.said), "\n".join(new.said)
    if not any(bodies):
        return len(old.path) == len(new.path)
    return len(bodies[0]) * len(bodies[1]) <= BODY_LIMIT and likeness(*bodies) >= LIKE
