"""A step of a text as what it did to each unit: taken back one unit at a time, wherever the unit is now."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_marks import line_name, marks_in, with_mark
from clawgit.memory.undo.text_units import (
    CORRECTION,
    HEADING,
    ITEM,
    Unit,
    headings,
    pair_units,
    put_back,
    read_units,
)
from clawgit.text.comparing.alignment import common_runs
from clawgit.text.markdown.lines import joined, split_lines
from clawgit.text.markdown.merge_lines import Conflict, Woven, weave

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from clawgit.memory.undo.text_step import TextStep


@dataclass(frozen=True, slots=True)
class Part:
    """Which units of a step are meant: those with these ids, and list items without one that rest on this evidence.

    ``lines`` name what lines rest on (`line_name`). ``is_rest``: all units but those are meant.
    """

    ids: frozenset[str] = frozenset()
    evidence: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()
    is_rest: bool = False

    def holds(self, *forms: Unit) -> bool:
        """Say whether a unit is meant, by what it was and became."""
        return any(map(self._is_named, forms)) != self.is_rest

    def _is_named(self, unit: Unit) -> bool:
        if unit.unit_id is not None or unit.kind != ITEM:
            return unit.unit_id in self.ids
        words = unit.words.decode("utf-8", "replace").removeprefix("- ")
        return bool(self.lines) and any(line_name(words, each) in self.lines for each in self.evidence)


def limited_to(step: TextStep, part: Part) -> TextStep:
    """Return what of a step concerns these units only, also where one got its id by the step."""
    old = TextUnits.of(step.before, step.path)
    new = TextUnits.of(step.made, step.path)
    became = pair_units(old.units, new.units)
    for at, to in became.items():
        if part.holds(old.units[at], new.units[to]):
            new.instead[to] = old.own(at)
    come = set(range(len(new.units))).difference(became.values())
    new.instead |= {to: [] for to in come if new.units[to].kind != HEADING and part.holds(new.units[to])}
    for to in sorted(come, reverse=True) if part.is_rest else ():
        if new.units[to].kind == HEADING and not new.holding(to):
            new.instead[to] = []
    gone = [at for at, unit in enumerate(old.units) if part.holds(unit) and at not in became]
    text = new.text()
    back = put_back(text, (step.before, old.units), gone, step.path)
    return replace(step, before=text if back.conflicts else back.data)


def keeping_ids(step: TextStep, ids: Collection[str]) -> TextStep:
    """Return a step before which the units to which it gave these ids had them already."""
    if not marks_in(step.made).intersection(ids) - marks_in(step.before):
        return step
    old = TextUnits.of(step.before, step.path)
    new = TextUnits.of(step.made, step.path)
    for at, to in pair_units(old.units, new.units).items():
        unit_id = new.units[to].unit_id
        if unit_id in ids and unit_id is not None and old.units[at].unit_id is None:
            old.instead[at] = with_mark(old.own(at), 0, unit_id)
    return replace(step, before=old.text()) if old.instead else step


def without_part(step: TextStep, ids: Collection[str]) -> TextStep:
    """Return a step without what it did to the units with these ids: they are in the text before as it made them."""
    return limited_to(step, Part(frozenset(ids), is_rest=True))


def without_units(step: TextStep, present: bytes) -> Woven:
    """Return ``present`` without what ``step`` did to each unit.

    Each unit's step is taken out of all three texts; what is left of the step is merged by lines.
    """
    old, new, now = (TextUnits.of(data, step.path) for data in (step.before, step.made, present))
    became = pair_units(old.units, new.units)
    since = {to: here for to, here in pair_units(new.units, now.units).items() if _is_here(new, to, step)}
    steps = _Steps(old, new, now, became, since, step)
    steps.take_out()
    if steps.conflicts:
        return Woven(present, tuple(steps.conflicts))
    rest = weave(new.text(), old.text(), now.text())
    left = [
        each._replace(ours=each.theirs, theirs=each.ours) for each in rest.conflicts if _says_something(each)
    ]
    if left:
        return Woven(present, tuple(left))
    return put_back(rest.data, (step.before, old.units), steps.wanted, step.path)


def _is_here(text: TextUnits, at: int, step: TextStep) -> bool:
    """Say whether a unit is not one that is in another file by now: what is in its place is another."""
    return text.units[at].unit_id not in step.elsewhere


def _says_something(conflict: Conflict) -> bool:
    return any(line.strip() for line in (*conflict.base, *conflict.ours, *conflict.theirs))


@dataclass(slots=True)
class TextUnits:
    """A text, its units, and what takes their place: other lines or none."""

    lines: list[bytes]
    units: list[Unit]
    instead: dict[int, list[bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, data: bytes, path: str) -> TextUnits:
        """Read a text."""
        return cls(split_lines(data), read_units(data, path))

    def places(self, unit_id: str) -> list[int]:
        """Return the numbers of the list items that carry an id."""
        return [at for at, unit in enumerate(self.units) if unit.kind == ITEM and unit.unit_id == unit_id]

    def holding(self, at: int) -> list[int]:
        """Return the units that hang on one and stay: below that heading, or within that item."""
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
        """Return the lines of a unit."""
        return self.lines[self.units[at].first : self.units[at].last]

    def text(self) -> bytes:
        """Return the text with what takes their place; a gap that is left is one gap, not two."""
        lines = list(self.lines)
        for at in sorted(self.instead, reverse=True):
            first, last = self.units[at].first, self.units[at].last
            lines[first:last] = self.instead[at]
            if not self.instead[at] and _is_gap(lines, first - 1) and _is_gap(lines, first):
                del lines[first if first < len(lines) else first - 1 : first + 1]
        return joined(lines)


def _is_gap(lines: list[bytes], at: int) -> bool:
    return not 0 <= at < len(lines) or not lines[at].strip()


@dataclass(slots=True)
class _Steps:
    """What the step from ``old`` to ``new`` did to units, and where those are ``now``."""

    old: TextUnits
    new: TextUnits
    now: TextUnits
    became: dict[int, int]
    since: dict[int, int]
    step: TextStep
    wanted: list[int] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    in_place: frozenset[int] = field(init=False)
    come: list[int] = field(init=False)

    def __post_init__(self) -> None:
        known = set(self.since.values())
        self.come = [at for at in range(len(self.now.units)) if at not in known]
        above = headings(self.new.units)
        over = headings(self.now.units)
        section_of = self.since | {-1: -1}
        self.in_place = frozenset(
            to for to in _in_order(self.since) if section_of.get(above[to]) == over[self.since[to]]
        )

    def take_out(self) -> None:
        """Take each unit's step out of the three texts, as far as nobody did something else to the unit since."""
        stayed = _in_order(self.became)
        made = {to: at for at, to in self.became.items()}
        for at in range(len(self.old.units)):
            if at not in self.became:
                self._take_out_removed(at)
            elif self.old.own(at) != self.new.own(self.became[at]) and at in stayed:
                self._take_out_reworded(at, self.became[at])
            elif at not in stayed:
                self._take_out_moved(at, self.became[at])
        for to in reversed(range(len(self.new.units))):
            if to not in made:
                self._take_out_added(to)

    def _take_out_removed(self, at: int) -> None:
        """Let it come back, unless it did already."""
        self.old.instead[at] = []
        if not self._is_back(self.old.units[at]):
            self.wanted.append(at)

    def _is_back(self, unit: Unit) -> bool:
        """Say whether the unit stands again: with its id, or without one with its words."""
        if unit.unit_id in self.step.elsewhere:
            return True
        for at in self.come:
            other = self.now.units[at]
            same = other.unit_id == unit.unit_id if unit.unit_id else other.words == unit.words
            if same and other.kind == unit.kind:
                self.come.remove(at)
                return True
        return False

    def _take_out_reworded(self, at: int, to: int) -> None:
        here = self.since.get(to)
        old, new = self.old.units[at], self.new.units[to]
        reworded = here is not None and self.now.units[here].words not in (old.words, new.words)
        yields = bool({old.unit_id, new.unit_id}.intersection(self.step.yielding))
        if (here is None and old.unit_id is not None) or (yields and (here is None or reworded)):
            self.old.instead[at] = self.new.instead[to] = []  # what was removed since stays away
        elif here is None or reworded:
            self._conflict(to, here, self.old.own(at))
        else:
            self.new.instead[to] = self.old.own(at)
            self.now.instead[here] = indented(self.old.own(at), old.indent, self.now.units[here].indent)

    def _take_out_moved(self, at: int, to: int) -> None:
        """Move it back, unless it was moved again: then it stays where it is."""
        here = self.since[to] if to in self.in_place else None
        if here is None and self.old.own(at) != self.new.own(to):
            self._take_out_reworded(at, to)
        elif here is not None and self.now.own(here) != self.new.own(to):
            self._conflict(to, here, self.old.own(at))
        else:
            self.old.instead[at] = self.new.instead[to] = []
            if here is not None:
                self.now.instead[here] = []
                self.wanted.append(at)

    def _take_out_added(self, to: int) -> None:
        here = self.since.get(to)
        unit = self.new.units[to]
        if here is None:
            self.new.instead[to] = []
        elif unit.kind != CORRECTION and self.now.units[here].words != unit.words:
            self._conflict(to, here, [])
        elif unit.kind == HEADING and self.now.holding(here):
            self.new.instead[to] = []  # what was written below it since needs it
        elif unit.kind == ITEM and self.now.holding(here):
            self._conflict(to, self.now.holding(here)[0], [])
        else:
            self.new.instead[to] = self.now.instead[here] = []

    def _conflict(self, to: int, here: int | None, back: Iterable[bytes]) -> None:
        ours = [] if here is None else self.now.own(here)
        line = self.new.units[to].first if here is None else self.now.units[here].first
        self.conflicts.append(Conflict(line + 1, tuple(self.new.own(to)), tuple(ours), tuple(back)))


def _in_order(pairs: dict[int, int]) -> frozenset[int]:
    """Return the first halves of the pairs that are in one order on both sides."""
    first = sorted(pairs)
    second = sorted(pairs, key=pairs.__getitem__)
    runs = common_runs([str(at) for at in first], [str(at) for at in second])
    return frozenset(first[run.old + step] for run in runs for step in range(run.length))


def _level(heading: Unit) -> int:
    marks = len(heading.words) - len(heading.words.lstrip(b"#"))
    return marks or (1 if heading.words.endswith(b"=") else 2)


def indented(lines: list[bytes], old: int, new: int) -> list[bytes]:
    """Return a list item's lines with another indent."""
    if old == new:
        return lines
    return [b" " * new + line[min(old, len(line) - len(line.lstrip(b" \t"))) :] for line in lines]


def without_entry(data: bytes, entry_id: str, path: str) -> tuple[bytes, tuple[str, ...]]:
    """Return ``data`` without the entry and what is within it, and the words of the latter."""
    text = TextUnits.of(data, path)
    inner: list[str] = []
    for at in text.places(entry_id):
        text.instead[at] = []
        for below in range(at + 1, len(text.units)):
            unit = text.units[below]
            if unit.kind != ITEM or unit.indent <= text.units[at].indent:
                break
            text.instead[below] = []
            inner.append(unit.words.decode("utf-8", "replace"))
    return text.text(), tuple(inner)


def with_earlier_words(present: bytes, entry_id: str, before: bytes, made: bytes) -> Woven:
    """Return ``present`` with what a change from ``before`` to ``made`` did to the entry in another file taken back.

    Its words of before, or no entry where that knows none; a conflict where it was reworded since.
    """
    old, new, now = (TextUnits.of(data, "") for data in (before, made, present))
    was, became, stands = (text.places(entry_id) for text in (old, new, now))
    if became and not was:  # the change gave it its id
        pairs = pair_units(old.units, new.units)
        was = [at for at, to in pairs.items() if to == became[0]]
    for at in stands:
        words = now.units[at].words
        back = old.own(was[0]) if was else []
        if became and words == new.units[became[0]].words:
            now.instead[at] = indented(back, old.units[was[0]].indent if was else 0, now.units[at].indent)
        elif not was or words != old.units[was[0]].words:
            return Woven(present, (Conflict(now.units[at].first + 1, (), tuple(now.own(at)), tuple(back)),))
    return Woven(now.text())


def words_of(data: bytes, entry_id: str) -> str | None:
    """Return what an entry says, None where the text does not have it."""
    return next((entry.text for entry in read_entries(data) if entry.entry_id == entry_id), None)
