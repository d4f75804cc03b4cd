"""Units that a step removed, put back: below the nearest neighbour of their old section that still stands."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from clawgit.memory.undo.text_units import HEADING, ITEM, Unit, pair_units, read_units
from clawgit.text.markdown.lines import joined, line_end, split_lines
from clawgit.text.markdown.merge_lines import Conflict, Woven

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def put_back(data: bytes, earlier: tuple[bytes, Sequence[Unit]], wanted: Iterable[int], path: str) -> Woven:
    """Return ``data`` with the ``wanted`` units of an earlier text in it again; a conflict where their section is gone."""
    before, units = earlier
    groups = _groups(sorted(wanted), units)
    if not groups:
        return Woven(data)
    found = read_units(data, path)
    places = _Places(units, found, pair_units(units, found), len(split_lines(data)))
    lines, old = split_lines(data), split_lines(before)
    spots = [(places.spot(group), group) for group in groups]
    lost = [group for spot, group in spots if spot is None]
    if lost:
        return Woven(data, tuple(_gone(old, units, group) for group in lost))
    chunks = [(spot.line, _chunk(old, units, group, spot)) for spot, group in spots if spot is not None]
    for line, chunk in sorted(chunks, key=itemgetter(0))[::-1]:
        lines[line:line] = chunk
    return Woven(joined(lines, line_end(data or before)))


@dataclass(frozen=True, slots=True)
class _Spot:
    """The line at which something is put in, below or above what is there."""

    line: int
    neighbour: str
    below: bool = True


@dataclass(frozen=True, slots=True)
class _Places:
    """The units of the old text, those of the present one, and which became which."""

    old: Sequence[Unit]
    now: Sequence[Unit]
    became: dict[int, int]
    end: int

    def spot(self, group: list[int]) -> _Spot | None:
        """Return where a group of old units belongs, None where its section is gone."""
        if self.old[group[0]].kind == HEADING:
            return self._spot_of_section(group)
        heading = _heading(self.old, group[0])
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
        return self._at_begin(self.became[heading]) if heading in self.became else None

    def _spot_of_section(self, group: list[int]) -> _Spot:
        """Above what was below the heading and is still there, else behind the section before, else at the end."""
        following = group[-1] + 1
        if following < len(self.old) and self.old[following].kind != HEADING and following in self.became:
            return self._above(self.became[following])
        headings = [at for at, unit in enumerate(self.old) if unit.kind == HEADING and at in self.became]
        above = [at for at in headings if at < group[0]]
        if above:
            return self._at_end(self.became[above[-1]])
        below = [at for at in headings if at > group[-1]]
        return (
            self._above(self.became[below[0]])
            if below
            else _Spot(self.end, self.now[-1].kind if self.now else "")
        )

    def _stands(self, at: int, heading: int) -> bool:
        """Say whether an old unit is still in what became of its section, if that is known."""
        if at not in self.became:
            return False
        return heading not in self.became or _heading(self.now, self.became[at]) == self.became[heading]

    def _below(self, at: int, unit: Unit) -> _Spot:
        """Return the place below a unit and what hangs on it."""
        while at + 1 < len(self.now) and self.now[at + 1].indent > unit.indent:
            at += 1
        return _Spot(self.now[at].last, self.now[at].kind)

    def _above(self, at: int) -> _Spot:
        return _Spot(self.now[at].first, self.now[at].kind, below=False)

    def _at_begin(self, at: int) -> _Spot:
        """Return the place below a heading: what is there now came later."""
        empty = at + 1 == len(self.now) or self.now[at + 1].kind == HEADING
        return _Spot(self.now[at].last, HEADING) if empty else self._above(at + 1)

    def _at_end(self, at: int) -> _Spot:
        """Return the place at the end of the section in which a unit stands."""
        while at + 1 < len(self.now) and self.now[at + 1].kind != HEADING:
            at += 1
        return _Spot(self.now[at].last, self.now[at].kind)


def _heading(units: Sequence[Unit], at: int) -> int:
    """Return the heading above a unit, -1 where there is none."""
    return next((each for each in range(at - 1, -1, -1) if units[each].kind == HEADING), -1)


def _groups(wanted: Sequence[int], units: Sequence[Unit]) -> list[list[int]]:
    """Return neighbouring units together; a heading begins a new group."""
    groups: list[list[int]] = []
    for at in wanted:
        if groups and groups[-1][-1] == at - 1 and units[at].kind != HEADING:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _chunk(old: list[bytes], units: Sequence[Unit], group: list[int], spot: _Spot) -> list[bytes]:
    """Return the group's lines with the gap that parts them from their neighbour."""
    first, last = units[group[0]].first, units[group[-1]].last
    end = line_end(b"".join(old))
    lines = split_lines(joined([*old[first:last], b""], end))
    beside = group[0] - 1 if spot.below else group[-1] + 1
    gap = [] if not spot.neighbour or units[group[0]].kind == spot.neighbour == ITEM else [end]
    if 0 <= beside < len(units) and units[beside].kind == spot.neighbour:
        gap = old[units[beside].last : first] if spot.below else old[last : units[beside].first]
    return [*gap, *lines] if spot.below else [*lines, *gap]


def _gone(old: list[bytes], units: Sequence[Unit], group: list[int]) -> Conflict:
    first, last = units[group[0]].first, units[group[-1]].last
    return Conflict(first + 1, (), (), tuple(old[first:last]))
