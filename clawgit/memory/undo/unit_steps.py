"""Takes one change of a text back out of its present form, unit by unit; and the words that this loses."""

from __future__ import annotations

from collections import Counter
from itertools import filterfalse
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import (
    is_earlier_wording,
    line_name,
    line_words,
    lines_saying,
    marks_in,
    with_mark,
)
from clawgit.memory.undo.text_units import (
    CORRECTION,
    HEADING,
    ITEM,
    TextUnit,
    TextUnits,
    headings,
    pair_units,
    put_back,
    read_units,
)
from clawgit.text.comparing.similarity import common_places
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.lines import joined, line_end, split_lines
from clawgit.text.markdown.merge_lines import Conflict, Woven, hunks, weave

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Sequence

_END = lazy_bytes_pattern(rb"\r\n|\n|\r")
Lines = Counter[bytes]


class TextStep(NamedTuple):
    """One change of one text; ids ``elsewhere`` are not restored, reworded entries of ``yielding`` stay without a conflict."""

    before: bytes
    made: bytes
    path: str = "MEMORY.md"
    elsewhere: frozenset[str] = frozenset()
    yielding: frozenset[str] = frozenset()

    def gone_ids(self) -> frozenset[str]:
        gone = marks_in(b"".join(_only_in(self.before, self.made)))
        return gone - marks_in(self.made) if gone else gone

    def written_ids(self) -> frozenset[str]:
        return marks_in(b"".join(_only_in(self.made, self.before)))


def _only_in(text: bytes, other: bytes) -> list[bytes]:
    return list(filterfalse(frozenset(split_lines(other)).__contains__, split_lines(text)))


def lost_lines(steps: Sequence[TextStep], present: Iterable[bytes], result: Iterable[bytes]) -> list[bytes]:
    """Return lost lines: those that no step wrote, and replaced ones that do not come back although their replacement goes."""
    here = lines_saying(present)
    then = lines_saying(result)
    wrote = Lines()
    for step in steps:
        wrote.update(lines_saying([step.made]) - lines_saying([step.before]))
    lost = here - then - wrote
    for step in steps:
        owed = Lines()
        made = split_lines(step.made)
        for hunk in hunks(made, split_lines(step.before)):
            old = lines_saying(hunk.lines)
            new = lines_saying(made[hunk.start : hunk.end])
            old, new = old - new, new - old
            least = min(old.total(), (new & here).total())
            if (new & then).total() + (old & then).total() < least:
                owed.update(old - then)
        lost.update(owed)
    return list(lost)


def homeless_lines(
    steps: Sequence[TextStep], present: Iterable[bytes], result: Iterable[bytes]
) -> list[bytes]:
    """Return the lines that the steps moved between texts, and that go without coming back anywhere."""
    took = Lines()
    wrote = Lines()
    for step in steps:
        before = lines_saying([step.before])
        made = lines_saying([step.made])
        took.update(before - made)
        wrote.update(made - before)
    return list((lines_saying(present) - lines_saying(result)) & took & wrote)


class StepPart(NamedTuple):
    """A selection of a step's units: by id, or by evidence and `line_name` without one; ``is_rest``: all others."""

    ids: frozenset[str] = frozenset()
    evidence: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()
    is_rest: bool = False

    def holds(self, *forms: TextUnit) -> bool:
        return any(map(self._is_named, forms)) != self.is_rest

    def _is_named(self, unit: TextUnit) -> bool:
        if unit.unit_id is not None or unit.kind != ITEM:
            return unit.unit_id in self.ids
        words = unit.words.decode("utf-8", "replace").removeprefix("- ")
        return bool(self.lines) and any(line_name(words, each) in self.lines for each in self.evidence)


def limited_to(step: TextStep, part: StepPart) -> TextStep:
    """Return the part of a step about these units, also those that got their ids by it."""
    old = TextUnits(step.before, step.path)
    new = TextUnits(step.made, step.path)
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
    return step._replace(before=text if back.conflicts else back.data)


def keeping_ids(step: TextStep, ids: Collection[str]) -> TextStep:
    """Return the step with these ids already on the units before it."""
    if not marks_in(step.made).intersection(ids) - marks_in(step.before):
        return step
    old = TextUnits(step.before, step.path)
    new = TextUnits(step.made, step.path)
    for at, to in pair_units(old.units, new.units).items():
        unit_id = new.units[to].unit_id
        if unit_id in ids and unit_id is not None and old.units[at].unit_id is None:
            old.instead[at] = with_mark(old.own(at), 0, unit_id)
    return step._replace(before=old.text()) if old.instead else step


def carrying(steps: Sequence[TextStep], present: Sequence[bytes]) -> tuple[list[TextStep], int]:
    """Return the steps as if each unit that one took out and another put in had its present words, or was in neither if it is gone since; and the number of these."""
    texts = []
    gone = 0
    left: dict[bytes, list[tuple[TextUnits, int]]] = {}
    for step in steps:
        old = TextUnits(step.before, step.path)
        new = TextUnits(step.made, step.path)
        became = pair_units(old.units, new.units)
        for at in sorted(set(range(len(old.units))).difference(became)):
            left.setdefault(old.units[at].words, []).append((old, at))
        texts.append((old, new, sorted(set(range(len(new.units))).difference(became.values()))))
    for (_, new, came), data in zip(texts, present, strict=True):
        now = TextUnits(data, "")
        since = pair_units(new.units, now.units)
        later = {line for at in set(range(len(now.units))).difference(since.values()) for line in now.own(at)}
        for to in came:
            unit = new.units[to]
            own = new.own(to)
            here = since.get(to)
            if unit.kind == HEADING or not left.get(unit.words):
                continue
            before, at = left[unit.words].pop(0)
            indent = unit.indent
            if here is None:
                gone += 1
                new.instead[to] = list(filter(later.__contains__, own))  # of a table, other rows
            elif now.own(here) != own:
                new.instead[to] = now.own(here)
                indent = now.units[here].indent
            if to in new.instead:
                before.instead[at] = indented(new.instead[to], indent, before.units[at].indent)
    carried = []
    for step, (old, new, _) in zip(steps, texts, strict=True):
        carried.append(step._replace(before=old.text(), made=new.text()))
    return carried, gone


def without_units(step: TextStep, present: bytes) -> Woven:
    """Return ``present`` without the step's effect on each unit; the rest of the step is merged by lines."""
    steps = _Steps(step, present)
    steps.take_out()
    if steps.conflicts:
        return Woven(present, tuple(steps.conflicts))
    rest = weave(steps.new.text(), steps.old.text(), steps.now.text())
    left = []
    for each in rest.conflicts:
        if any(line.strip() for line in (*each.base, *each.ours, *each.theirs)):
            left.append(each._replace(ours=each.theirs, theirs=each.ours))
    if left:
        return Woven(present, tuple(left))
    return put_back(rest.data, (step.before, steps.old.units), steps.wanted, step.path)


class _Steps:
    def __init__(self, step: TextStep, present: bytes) -> None:
        self.step = step
        self.old = TextUnits(step.before, step.path)
        self.new = TextUnits(step.made, step.path)
        self.now = TextUnits(present, step.path)
        self.became = pair_units(self.old.units, self.new.units)
        self.since = pair_units(self.new.units, self.now.units)
        for to in list(self.since):
            if self.new.units[to].unit_id in step.elsewhere:
                del self.since[to]  # moved to another file: the unit in its place is another
        self.wanted: list[int] = []
        self.conflicts: list[Conflict] = []
        self.come = sorted(set(range(len(self.now.units))).difference(self.since.values()))
        above = headings(self.new.units)
        over = headings(self.now.units)
        section_of = self.since | {-1: -1}
        self.in_place = frozenset(
            to for to in _in_order(self.since) if section_of.get(above[to]) == over[self.since[to]]
        )

    def take_out(self) -> None:
        stayed = _in_order(self.became)
        made = set(self.became.values())
        for at in range(len(self.old.units)):
            if at not in self.became:
                self.old.instead[at] = []
                if not self._is_back(self.old.units[at]):
                    self.wanted.append(at)
            elif self.old.own(at) != self.new.own(self.became[at]) and at in stayed:
                self._take_out_reworded(at, self.became[at])
            elif at not in stayed:
                self._take_out_moved(at, self.became[at])
        for to in reversed(range(len(self.new.units))):
            if to not in made:
                self._take_out_added(to)

    def _is_back(self, unit: TextUnit) -> bool:
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
            self.old.instead[at] = self.new.instead[to] = []  # removed since: stays away
        elif here is None:
            self._conflict(to, here, self.old.own(at))
        elif reworded:
            # Only the lines that the step changed; others of the unit may be newer.
            made = joined(self.new.own(to))
            back = joined(self.old.own(at))
            result = weave(made, back, joined(self.now.own(here)))
            if result.conflicts:
                self._conflict(to, here, self.old.own(at))
            else:
                self.new.instead[to] = self.old.own(at)
                self.now.instead[here] = split_lines(result.data)
        else:
            self.new.instead[to] = self.old.own(at)
            self.now.instead[here] = indented(self.old.own(at), old.indent, self.now.units[here].indent)

    def _take_out_moved(self, at: int, to: int) -> None:
        """Move it back; if it was moved again, it stays."""
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
            self.new.instead[to] = []  # later text below it needs it
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
    return frozenset(first[at] for at, _ in common_places(first, second))


def indented(lines: list[bytes], old: int, new: int) -> list[bytes]:
    if old == new:
        return lines
    return [b" " * new + line[min(old, len(line) - len(line.lstrip(b" \t"))) :] for line in lines]


_HEADING = lazy_bytes_pattern(rb" {0,3}(?:#{1,6}(?:\s|\Z)|={2,}\s*\Z)")
_NO_TEXT = (b"(no text)",)


def without_step(step: TextStep, present: bytes) -> Woven:
    """Return ``present`` without ``step``; in a conflict ``ours`` is the present text, and the data is unusable."""
    if b"\0" in step.before + step.made + present and present not in (step.before, step.made):
        return Woven(present, (Conflict(1, (), _NO_TEXT, _NO_TEXT),))
    end = line_end(present)
    if (
        step.made not in (b"", present) and line_end(step.made) != end
    ):  # an editor may have changed them since
        step = step._replace(before=_END.sub(end, step.before), made=_END.sub(end, step.made))
    if present == step.made and not step.elsewhere & step.gone_ids():
        return Woven(step.before)
    if step.before in (present, step.made):
        return Woven(present)
    if step.path.endswith(".md"):
        result = without_units(step, present)
        return result if result.conflicts else _checked(step, present, result)
    plain = weave(step.made, step.before, present)
    if plain.conflicts:
        return Woven(
            present, tuple(each._replace(ours=each.theirs, theirs=each.ours) for each in plain.conflicts)
        )
    return _checked(step, present, plain)


def _checked(step: TextStep, present: bytes, result: Woven) -> Woven:
    """Return the result; a conflict if the step's words are still in it, apart from headings and others' entries."""
    staying = _said(result.data) - _said(step.before) - (_said(present) - _said(step.made))
    if not _places_of(staying, step, result.data):  # blocks of a ledger have many lines alike
        return result
    lines = split_lines(present)
    places = _places_of(staying, step, present)
    if not places:
        return result
    return Woven(present, tuple(Conflict(at + 1, (), (lines[at],), ()) for at in sorted(places)))


def _places_of(words: Container[bytes], step: TextStep, text: bytes) -> set[int]:
    """Return the lines of a text with some of these words, without headings, others' corrections and yielding entries."""
    lines = enumerate(split_lines(text))
    places = {at for at, line in lines if line_words(line) in words and not _HEADING.match(line)}
    if places:
        brought = _corrections(step.made, step.path) - _corrections(step.before, step.path)
        for unit in read_units(text, step.path):
            is_others = unit.kind == CORRECTION and unit.unit_id not in brought
            if is_others or unit.unit_id in step.yielding:
                places.difference_update(range(unit.first, unit.last))
    return places


def _corrections(text: bytes, path: str) -> set[str | None]:
    return {unit.unit_id for unit in read_units(text, path) if unit.kind == CORRECTION}


def _said(text: bytes) -> Counter[bytes]:
    return Counter(filter(None, map(line_words, filterfalse(is_earlier_wording, split_lines(text)))))
