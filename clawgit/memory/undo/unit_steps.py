"""One step of a text taken back out of its present form: by lines, and where that does not do, one unit at a time."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_marks import line_name, marks_in, with_mark
from clawgit.memory.undo.text_step import TextStep, line_words
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
from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.alignment import common_runs
from clawgit.text.markdown.lines import joined, split_lines
from clawgit.text.markdown.merge_lines import Conflict, Woven, hunks, weave

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


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
        inner += take_out_item(text, at)
    return text.text(), tuple(inner)


def take_out_item(text: TextUnits, at: int) -> tuple[str, ...]:
    """Take a list item and what is within it out of ``text``; return the words of the latter."""
    text.instead[at] = []
    inner: list[str] = []
    for below in range(at + 1, len(text.units)):
        unit = text.units[below]
        if unit.kind != ITEM or unit.indent <= text.units[at].indent:
            break
        text.instead[below] = []
        inner.append(unit.words.decode("utf-8", "replace"))
    return tuple(inner)


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


_HEADING = re.compile(rb" {0,3}(?:#{1,6}(?:\s|\Z)|={2,}\s*\Z)")
_NO_TEXT = (b"(no text)",)


def without_step(step: TextStep, present: bytes) -> Woven:
    """Return ``present`` without ``step``, in the present line ends.

    In a conflict ``ours`` is how it reads now, at ``line``, and ``theirs`` how it would have to read; the data is
    then of no use.
    """
    if b"\0" in step.before + step.made + present and present not in (step.before, step.made):
        return Woven(present, (Conflict(1, (), _NO_TEXT, _NO_TEXT),))
    if present != step.made:
        step = step.in_line_ends_of(present)
    if present == step.made and not step.elsewhere & step.gone_ids():
        return Woven(step.before)
    if step.before in (present, step.made):
        return Woven(present)
    return _merged(step, present)


def _merged(step: TextStep, present: bytes) -> Woven:
    plain = weave(step.made, step.before, present)
    found = _holes(plain.data)
    holes = found and found > max(_holes(present), _holes(step.before))
    if step.path.endswith(".md") and (plain.conflicts or holes or _is_displaced(step, present)):
        result = without_units(step, present)
        return result if result.conflicts else _checked(step, present, result)
    if plain.conflicts:
        place_of = dict(_same_lines(split_lines(step.made), split_lines(present)))
        return Woven(present, tuple(_seen_now(conflict, place_of) for conflict in plain.conflicts))
    stays = any(words in plain.data for words in step.written_words())
    return _checked(step, present, plain) if stays else plain


def _checked(step: TextStep, present: bytes, result: Woven) -> Woven:
    """Return the result, or a conflict where words that the step brought are still in it.

    Headings may, and what is in an entry or a correction that is not the step's to take back.
    """
    staying = _said(result.data) - _said(step.before) - (_said(present) - _said(step.made))
    lines = split_lines(present)
    found = [at for at, line in enumerate(lines) if line_words(line) in staying and not _HEADING.match(line)]
    if found:
        units = _others(step, present)
        found = [at for at in found if not any(unit.first <= at < unit.last for unit in units)]
    return Woven(present, tuple(Conflict(at + 1, (), (lines[at],), ()) for at in found)) if found else result


def _others(step: TextStep, present: bytes) -> list[Unit]:
    brought = _corrections(step.made, step.path) - _corrections(step.before, step.path)
    return [
        unit
        for unit in read_units(present, step.path)
        if unit.unit_id in step.yielding or (unit.kind == CORRECTION and unit.unit_id not in brought)
    ]


def _corrections(text: bytes, path: str) -> set[str | None]:
    return {unit.unit_id for unit in read_units(text, path) if unit.kind == CORRECTION}


def _holes(text: bytes) -> int:
    """Return about how many blank lines are beside another one or at an end."""
    return (b"\n\n" + text.replace(b"\r\n", b"\n") + b"\n").count(b"\n\n\n")


def _said(text: bytes) -> Counter[bytes]:
    return Counter(filter(None, map(line_words, split_lines(text))))


def _seen_now(conflict: Conflict, place_of: dict[int, int]) -> Conflict:
    above = [place_of[number] + 1 for number in range(conflict.line - 1) if number in place_of]
    return Conflict((above[-1] if above else 0) + 1, conflict.base, conflict.theirs, conflict.ours)


def _is_displaced(step: TextStep, present: bytes) -> bool:
    """Say whether lines alone would leave something standing, bring it twice, or put it where it never stood."""
    lines = split_lines(step.made)
    back = split_lines(step.before)
    now = split_lines(present)
    gone = step.gone_ids()
    if gone and gone & (marks_in(present) | step.elsewhere):
        return True
    places = _Places(lines, now, dict(_same_lines(lines, now)))
    return any(places.is_displaced(range(hunk.start, hunk.end), hunk.lines) for hunk in hunks(lines, back))


class _Places:
    def __init__(self, lines: Sequence[bytes], now: Sequence[bytes], place_of: dict[int, int]) -> None:
        self._lines, self._now, self._place_of = lines, now, place_of | {-1: -1, len(lines): len(now)}

    @cached_property
    def _come(self) -> list[bytes]:
        known = frozenset(self._place_of.values())
        return [line for number, line in enumerate(self._now) if number not in known]

    def is_displaced(self, hunk: range, back: Sequence[bytes]) -> bool:
        """Say whether putting ``back`` in the place of a hunk's lines needs more than the place of these lines."""
        if self._is_undisturbed(hunk):
            return False
        lines = [self._lines[number] for number in hunk]
        if any(not line.strip() or _HEADING.match(line) for line in (*lines, *back)):
            return True  # sections and gaps depend on what is beside them
        if not hunk:
            return not self._is_anchored(hunk.start)
        if back and marks_in(b"".join(lines)) != marks_in(b"".join(back)):
            return True  # one entry went and another came
        return any(map(self._stands_elsewhere, hunk)) or (not back and self._holds_more(hunk))

    def _is_undisturbed(self, hunk: range) -> bool:
        """Say whether the lines and what is above and below them stand together as they did."""
        numbers = range(self._above(hunk.start), self._below(hunk.stop) + 1)
        first = self._place_of.get(numbers[0])
        return first is not None and all(
            self._place_of.get(number) == first + step for step, number in enumerate(numbers)
        )

    def _stands_elsewhere(self, number: int) -> bool:
        if number in self._place_of:
            return False
        line = self._lines[number]
        return line_words(line) in map(line_words, self._come) or bool(
            marks_in(line) & marks_in(b"".join(self._come))
        )

    def _holds_more(self, hunk: range) -> bool:
        """Say whether inner lines would lose the list item that they hang on."""
        places = [self._place_of[number] for number in hunk if number in self._place_of]
        below = self._line(places[-1] + 1) if places else b""
        return bool(below.strip()) and _indent(below) > _indent(self._now[places[-1]])

    def _line(self, place: int) -> bytes:
        return self._now[place] if 0 <= place < len(self._now) else b""

    def _is_anchored(self, gap: int) -> bool:
        """Say whether a line beside the gap still stands; the heading of the next section is none."""
        above = self._above(gap)
        below = self._below(gap)
        if below < len(self._lines) and not _HEADING.match(self._lines[below]) and below in self._place_of:
            return True
        return above in self._place_of

    def _above(self, number: int) -> int:
        return next((each for each in reversed(range(number)) if self._lines[each].strip()), -1)

    def _below(self, number: int) -> int:
        count = len(self._lines)
        return next((each for each in range(number, count) if self._lines[each].strip()), count)


def _same_lines(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    for step in fuzzy.LCSseq.opcodes(old, new):
        if step.tag == "equal":
            yield from zip(
                range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True
            )


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip(b" \t"))
