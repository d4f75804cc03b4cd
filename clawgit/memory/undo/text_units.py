"""A Markdown text as units (headings, items, corrections, conflicts, blocks) that can be put back and taken out."""

from __future__ import annotations

import re
from collections import Counter
from itertools import filterfalse
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.conflict_log import MARK, read_conflicts
from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.memory.entries.entries import (
    is_earlier_wording,
    mark_of,
    own_lines,
    read_entries,
    with_mark,
    without_marks,
)
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CONFLICTS, is_correction_file
from clawgit.memory.provenance.pieces import readable
from clawgit.text.comparing.similarity import LIKE, closest_pairs, common_places
from clawgit.text.markdown.block_structure import HEADINGS, blocks, list_items, trim_blank
from clawgit.text.markdown.lines import heading_level, joined, line_end, split_lines, without_end
from clawgit.text.markdown.merge_lines import Conflict, Woven

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HEADING, ITEM, BLOCK, CORRECTION = "heading", "item", "block", "correction"
CONTRADICTION = "contradiction"
MOST_PAIRS = 10_000


class TextUnit(NamedTuple):
    """One unit and its own lines (0-based, end exclusive); ``words`` are without ids, white space and list markers."""

    kind: str
    first: int
    last: int
    words: bytes
    unit_id: str | None = None
    indent: int = 0


def read_units(data: bytes, path: str) -> list[TextUnit]:
    """Return the units of a text in order of their lines; nested list items are units too."""
    lines = split_lines(data)
    units = list(_whole_blocks(data, lines, path))
    own = {number for unit in units for number in range(unit.first, unit.last)}
    for item in list_items(data):
        if item.first not in own:
            item_lines = lines[item.first : item.last]
            words = b"- " + _words([item_lines[0][item.indent + item.marker_width :], *item_lines[1:]])
            units.append(TextUnit(ITEM, item.first, item.last, words, mark_of(item_lines), item.indent))
    for block in blocks(data):
        is_own = block.first in own or block.inside or block.kind == "list_item"
        if not is_own and block.last > block.first:
            kind = HEADING if block.kind in HEADINGS else BLOCK
            units.append(TextUnit(kind, block.first, block.last, _words(lines[block.first : block.last])))
    return sorted(units, key=lambda unit: unit.first)


def pair_units(old: Sequence[TextUnit], new: Sequence[TextUnit]) -> dict[int, int]:
    """Return old → new units by number: by id, words in order, words anywhere, contents, likeness, and last by place."""
    return _Pairing(old, new).became


def headings(units: Sequence[TextUnit]) -> list[int]:
    """Return the heading of each unit, -1 for none; a heading is under itself."""
    above: list[int] = []
    heading = -1
    for at, unit in enumerate(units):
        if unit.kind == HEADING:
            heading = at
        above.append(heading)
    return above


def _whole_blocks(data: bytes, lines: list[bytes], path: str) -> Iterable[TextUnit]:
    kind = CORRECTION
    whole: list[tuple[str, int, int]] = []
    if is_correction_file(path):
        whole = [(each.correction_id, each.first, each.last) for each in read_corrections(data)]
    elif path == CONFLICTS:
        kind = CONTRADICTION
        whole = [(MARK + each.conflict_id, each.first, each.last) for each in read_conflicts(data)]
    for unit_id, first, end in whole:
        last = trim_blank(lines, first, end)
        yield TextUnit(kind, first, last, b" ".join(b"".join(lines[first:last]).split()), unit_id)


def _words(lines: Iterable[bytes]) -> bytes:
    plain_lines = (without_marks(line) for line in lines if not is_earlier_wording(line))
    return b" ".join(b"".join(plain_lines).split())


class _Pairing:
    """Pairs units of ``old`` and ``new`` by number; each method pairs what earlier ones left."""

    def __init__(self, old: Sequence[TextUnit], new: Sequence[TextUnit]) -> None:
        self.old, self.new = old, new
        there = _single_ids(new)
        self.became = {at: there[key] for key, at in _single_ids(old).items() if key in there}
        self.taken = set(self.became.values())
        for way in (self._in_order, self._anywhere, self._by_content, self._alike, self._in_place):
            for at, to in way():
                if at not in self.became and to not in self.taken and _may_be_one(old[at], new[to]):
                    self.became[at] = to
                    self.taken.add(to)

    def _in_order(self) -> Iterable[tuple[int, int]]:
        first, second = (list(map(attrgetter("words"), units)) for units in (self.old, self.new))
        return common_places(first, second)

    def _anywhere(self) -> Iterable[tuple[int, int]]:
        free: dict[tuple[str, bytes], list[int]] = {}
        for to in reversed(range(len(self.new))):
            if to not in self.taken:
                free.setdefault((self.new[to].kind, self.new[to].words), []).append(to)
        for at, unit in enumerate(self.old):
            if at not in self.became and free.get((unit.kind, unit.words)):
                yield at, free[unit.kind, unit.words].pop()

    def _by_content(self) -> Iterable[tuple[int, int]]:
        votes: Counter[tuple[int, int]] = Counter()
        above = headings(self.old)
        over = headings(self.new)
        for at, to in self.became.items():
            if above[at] not in self.became and over[to] not in self.taken:
                votes[above[at], over[to]] += 1
        yield from (pair for pair, _ in votes.most_common() if -1 not in pair)

    def _alike(self) -> Iterable[tuple[int, int]]:
        """Yield pairs with close words, the closest first; different numbers or names never pair."""
        gone = [at for at in range(len(self.old)) if at not in self.became]
        come = [to for to in range(len(self.new)) if to not in self.taken]
        if len(gone) * len(come) > MOST_PAIRS:
            return
        for at, to in closest_pairs(_texts(self.old, gone), _texts(self.new, come), LIKE):
            yield gone[at], come[to]

    def _in_place(self) -> Iterable[tuple[int, int]]:
        """Yield pairs in order, if as many units of the same kinds are between the same neighbours."""
        became = self.became | {-1: -1, len(self.old): len(self.new)}
        start = -1
        for at in range(len(self.old) + 1):
            if at not in became:
                continue
            gap = range(start + 1, at)
            place = range(became[start] + 1, became[at])
            pairs = list(zip(gap, place, strict=False))
            may_be = all(_may_be_one(self.old[one], self.new[to]) for one, to in pairs)
            if len(gap) == len(place) and may_be:
                yield from pairs
            start = at


def _single_ids(units: Sequence[TextUnit]) -> dict[tuple[str, str], int]:
    places: dict[tuple[str, str], list[int]] = {}
    for at, unit in enumerate(units):
        if unit.unit_id is not None:
            places.setdefault((unit.kind, unit.unit_id), []).append(at)
    return {key: numbers[0] for key, numbers in places.items() if len(numbers) == 1}


def _texts(units: Sequence[TextUnit], numbers: Iterable[int]) -> list[str]:
    return [units[number].words.decode("utf-8", "replace") for number in numbers]


def _may_be_one(old: TextUnit, new: TextUnit) -> bool:
    return old.kind == new.kind and len({old.unit_id, new.unit_id} - {None}) < 2


def put_back(
    data: bytes, earlier: tuple[bytes, Sequence[TextUnit]], numbers: Iterable[int], path: str
) -> Woven:
    """Return ``data`` with the ``numbers`` units of an earlier text back in it; a conflict where their section is gone."""
    before, units = earlier
    groups: list[list[int]] = []
    for at in sorted(numbers):
        if groups and groups[-1][-1] == at - 1 and units[at].kind != HEADING:
            groups[-1].append(at)
        else:
            groups.append([at])
    if not groups:
        return Woven(data)
    present = read_units(data, path)
    lines = split_lines(data)
    places = _Places(
        units, present, pair_units(units, present), len(lines), headings(units), headings(present)
    )
    old = split_lines(before)
    spots = [(places.spot(group), group) for group in groups]
    chunks, lost = [], []
    for spot, group in spots:
        if spot is not None:
            chunks.append((spot.line, _chunk(old, units, group, spot)))
            continue
        first, last = units[group[0]].first, units[group[-1]].last
        lost.append(Conflict(first + 1, (), (), tuple(old[first:last])))
    if lost:
        return Woven(data, tuple(lost))
    for line, chunk in sorted(chunks, key=itemgetter(0))[::-1]:
        lines[line:line] = chunk
    return Woven(joined(lines, line_end(data or before)))


class _Spot(NamedTuple):
    """The line for an insertion, below or above its neighbour."""

    line: int
    neighbour: str
    below: bool = True


class _Places(NamedTuple):
    old: Sequence[TextUnit]
    now: Sequence[TextUnit]
    became: dict[int, int]
    end: int
    old_headings: Sequence[int]
    headings: Sequence[int]

    def spot(self, group: list[int]) -> _Spot | None:
        if self.old[group[0]].kind == HEADING:
            return self._spot_of_section(group)
        heading = self.old_headings[group[0]]
        above = next((at for at in range(group[0] - 1, heading, -1) if self._stands(at, heading)), None)
        if above is not None:
            return self._below(self.became[above], self.old[group[0]])
        for at in range(group[-1] + 1, len(self.old)):
            if self.old[at].kind == HEADING:
                break
            if self._stands(at, heading):
                return self._above(self.became[at])
        if heading < 0:
            return self._above(0) if self.now else _Spot(self.end, "")
        if heading not in self.became:
            return None
        first = self.became[heading]
        if first + 1 == len(self.now) or self.now[first + 1].kind == HEADING:
            return _Spot(self.now[first].last, HEADING)
        return self._above(first + 1)  # the present text is newer

    def _spot_of_section(self, group: list[int]) -> _Spot:
        """Above the unit that followed if it remains, else at the end of the section before, above the next, or at the end."""
        following = group[-1] + 1
        if following < len(self.old) and self.old[following].kind != HEADING and following in self.became:
            return self._above(self.became[following])
        for at in reversed(range(group[0])):
            if self.old[at].kind == HEADING and at in self.became:
                return self._at_end(self.became[at])
        for at in range(following, len(self.old)):
            if self.old[at].kind == HEADING and at in self.became:
                return self._above(self.became[at])
        return _Spot(self.end, self.now[-1].kind if self.now else "")

    def _stands(self, at: int, heading: int) -> bool:
        if at not in self.became:
            return False
        return heading not in self.became or self.headings[self.became[at]] == self.became[heading]

    def _below(self, at: int, unit: TextUnit) -> _Spot:
        while at + 1 < len(self.now) and self.now[at + 1].indent > unit.indent:
            at += 1
        return _Spot(self.now[at].last, self.now[at].kind)

    def _above(self, at: int) -> _Spot:
        return _Spot(self.now[at].first, self.now[at].kind, below=False)

    def _at_end(self, at: int) -> _Spot:
        while at + 1 < len(self.now) and self.now[at + 1].kind != HEADING:
            at += 1
        return _Spot(self.now[at].last, self.now[at].kind)


def _chunk(old: list[bytes], units: Sequence[TextUnit], group: list[int], spot: _Spot) -> list[bytes]:
    """Return the group's lines with the blank lines to their neighbour."""
    first, last = units[group[0]].first, units[group[-1]].last
    end = line_end(b"".join(old))
    lines = split_lines(joined([*old[first:last], b""], end))
    beside = group[0] - 1 if spot.below else group[-1] + 1
    gap = [] if not spot.neighbour or units[group[0]].kind == spot.neighbour == ITEM else [end]
    if 0 <= beside < len(units) and units[beside].kind == spot.neighbour:
        gap = old[units[beside].last : first] if spot.below else old[last : units[beside].first]
    return [*gap, *lines] if spot.below else [*lines, *gap]


class TextUnits:
    """A text, its units, and their replacements: other lines or none."""

    def __init__(self, data: bytes, path: str) -> None:
        self.lines = split_lines(data)
        self.units = read_units(data, path)
        self.instead: dict[int, list[bytes]] = {}

    def holding(self, at: int) -> list[int]:
        """Return the units that depend on one and stay: below that heading, or within that item."""
        unit = self.units[at]
        inner = []
        for below in range(at + 1, len(self.units)):
            other = self.units[below]
            if unit.kind == ITEM and not (other.kind == ITEM and other.indent > unit.indent):
                break
            if unit.kind == HEADING and other.kind == HEADING and _level(other) <= _level(unit):
                break
            inner.append(below)
        return [below for below in inner if self.instead.get(below) != []]

    def own(self, at: int) -> list[bytes]:
        return self.lines[self.units[at].first : self.units[at].last]

    def text(self) -> bytes:
        """Return the text after replacements; adjoining gaps become one."""
        lines = list(self.lines)
        for at in sorted(self.instead, reverse=True):
            first, last = self.units[at].first, self.units[at].last
            lines[first:last] = self.instead[at]
            if not self.instead[at] and _is_gap(lines, first - 1) and _is_gap(lines, first):
                del lines[first if first < len(lines) else first - 1 : first + 1]
        return joined(lines)


def _is_gap(lines: list[bytes], at: int) -> bool:
    return not 0 <= at < len(lines) or not lines[at].strip()


def _level(heading: TextUnit) -> int:
    return heading_level(heading.words) or (1 if heading.words.endswith(b"=") else 2)


def without_entry(data: bytes, entry_id: str, path: str) -> tuple[bytes, tuple[str, ...]]:
    """Return ``data`` without the entry and its nested items, and the words of these."""
    text = TextUnits(data, path)
    inner: list[str] = []
    for at, unit in enumerate(text.units):
        if unit.kind == ITEM and unit.unit_id == entry_id:
            inner += take_out_item(text, at)
    return text.text(), tuple(inner)


def words_of(data: bytes, entry_id: str) -> str | None:
    return next((entry.text for entry in read_entries(data) if entry.entry_id == entry_id), None)


def take_out_item(text: TextUnits, at: int) -> tuple[str, ...]:
    """Remove a list item with its nested items; return the words of these."""
    text.instead[at] = []
    inner = text.holding(at)
    for below in inner:
        text.instead[below] = []
    return tuple(_texts(text.units, inner))


_SAYS = re.compile(r"\w")


class Statement(NamedTuple):
    """Words and their own lines (0-based, end exclusive); ``entry_id`` if they have one; ``is_item``: of a list item."""

    first: int
    last: int
    words: str
    entry_id: str | None = None
    is_item: bool = False


def statements(data: bytes, path: str) -> list[Statement]:
    """Return the statements of a text in order of their lines, without headings; decoded as for search."""
    data = readable(path, data)
    lines = split_lines(data)
    result: list[Statement] = []
    for unit in read_units(data, path):
        if unit.kind == ITEM:
            words = unit.words.decode("utf-8", "replace").removeprefix("- ")
            if _SAYS.search(words):
                result.append(Statement(unit.first, unit.last, words, unit.unit_id, is_item=True))
        elif unit.kind != HEADING:
            for at in range(unit.first, unit.last):
                words = " ".join(lines[at].decode("utf-8", "replace").split())
                if _SAYS.search(words):
                    result.append(Statement(at, at + 1, words))
    return result


def line_statements(data: bytes, path: str) -> list[Statement]:
    """Return the statements of a text; each line of a multi-line entry is one, without its id."""
    lines = split_lines(data)
    several = {entry.first: entry for entry in read_entries(data) if entry.lines}
    result: list[Statement] = []
    for statement in statements(data, path):
        entry = several.get(statement.first)
        if entry is None:
            result.append(statement)
            continue
        spans = own_lines(lines, entry.first, entry.text_last)
        for (first, last), words in zip(spans, entry.lines, strict=True):
            result.append(Statement(first, last, words, is_item=True))
    return result


def reworded(old: bytes | None, new: bytes | None, path: str) -> list[tuple[str, str]]:
    """Return statements reworded in another text, with the new words; empty where more came than went."""
    before = said_in(old, path)
    after = said_in(new, path)
    going = list(filterfalse(after.__contains__, before))
    coming = list(filterfalse(before.__contains__, after))
    if len(going) != len(coming):
        return []
    return list(zip(going, coming, strict=True))


def said_in(data: bytes | None, path: str) -> list[str]:
    """Return what the lines of a text say, without their dates, tags and ids."""
    return [parted(each.words).statement for each in line_statements(data or b"", path)]


def without_statement(data: bytes, path: str, statement: Statement) -> tuple[bytes, tuple[str, ...]]:
    """Return ``data`` without the nearest statement to that line with these words, and the words nested in it."""
    nearest = _nearest(data, path, statement)
    if nearest is None:
        return data, ()
    text = TextUnits(data, path)
    inner: tuple[str, ...] = ()
    for at, unit in enumerate(text.units):
        if not unit.first <= nearest.first < unit.last:
            continue
        if unit.kind == ITEM and nearest.last == unit.last and nearest.first == unit.first:
            inner = take_out_item(text, at)
        else:
            text.instead[at] = _without_lines(text.own(at), unit, nearest)
    return text.text(), inner


def with_lines_instead(data: bytes, path: str, statement: Statement, instead: bytes) -> bytes:
    nearest = _nearest(data, path, statement)
    if nearest is None:
        return data
    lines = split_lines(data)
    own = lines[nearest.last - 1]
    end = own[len(without_end(own)) :]
    return b"".join([*lines[: nearest.first], without_end(instead), end, *lines[nearest.last :]])


def _nearest(data: bytes, path: str, statement: Statement) -> Statement | None:
    same = [each for each in line_statements(data, path) if each.words == statement.words]
    return min(same, key=lambda each: abs(each.first - statement.first), default=None)


def _without_lines(own: list[bytes], unit: TextUnit, statement: Statement) -> list[bytes]:
    """Return a unit's lines without a statement's; an item keeps its marker and its id."""
    first, last = statement.first - unit.first, statement.last - unit.first
    left = [*own[:first], *own[last:]]
    if unit.kind != ITEM:
        return left
    if first == 0:
        body = own[0].split(maxsplit=1)[1]
        left[0] = own[0][: len(own[0]) - len(body)] + left[0].lstrip(b" \t")
    if unit.unit_id is not None and mark_of(left) is None:
        left = with_mark(left, 0, unit.unit_id)
    return left
