"""One step of a text taken back out of its present form: what came after the step stays.

Lines first, by a three-way merge. Where that conflicts, or where what the step brought stands elsewhere by now,
units decide: a list item, a heading or a paragraph is taken back wherever it is.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.undo.text_step import TextStep, line_words
from clawgit.memory.undo.text_units import CORRECTION, Unit, read_units
from clawgit.memory.undo.unit_steps import without_units
from clawgit.text.comparing import fuzzy
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.merge_lines import Conflict, Woven, hunks, weave

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    """Return the units of ``present`` that stay as they are: entries that yield, and corrections that the step did not bring."""
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
    """Return a conflict with its line in the present text, and with the present text as ours."""
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
    """Where the lines of a text are in a later one."""

    def __init__(self, lines: Sequence[bytes], now: Sequence[bytes], place_of: dict[int, int]) -> None:
        self._lines, self._now, self._place_of = lines, now, place_of | {-1: -1, len(lines): len(now)}

    @cached_property
    def _come(self) -> list[bytes]:
        """The lines that came later."""
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
        """Return the nearest line above that says something, -1 where there is none."""
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
