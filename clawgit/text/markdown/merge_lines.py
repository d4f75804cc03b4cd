"""Three-way merge of lines: only edits of the same lines conflict; both sides of a conflict are kept and named.

git also reports a conflict for edits of adjacent lines, and for two lines appended at the same place; in
files of list items both are common.
"""

from __future__ import annotations

from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing.similarity import Run, common_ends, common_runs
from clawgit.text.markdown.lines import joined, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_OURS, _THEIRS = 0, 1


class Conflict(NamedTuple):
    """Lines that both sides changed differently; ``line`` is their place in the base, from 1."""

    line: int
    base: tuple[bytes, ...]
    ours: tuple[bytes, ...]
    theirs: tuple[bytes, ...]


class Woven(NamedTuple):
    """The merged bytes; conflicting lines of both sides are in them, ours first."""

    data: bytes
    conflicts: tuple[Conflict, ...] = ()


def weave(base: bytes | None, ours: bytes, theirs: bytes) -> Woven:
    """Return ``ours`` with the changes of ``theirs`` against ``base``; nothing of either side is lost."""
    if ours == theirs or theirs == base:
        return Woven(ours)
    if ours == base:
        return Woven(theirs)
    lines, conflicts = weave_lists(split_lines(base or b""), split_lines(ours), split_lines(theirs))
    return Woven(joined(lines), tuple(conflicts))


def weave_lists(
    base: list[bytes], ours: list[bytes], theirs: list[bytes]
) -> tuple[list[bytes], list[Conflict]]:
    """Return the same of texts that are already split into parts of any kind."""
    woven: list[bytes] = []
    conflicts: list[Conflict] = []
    at = 0
    for group in _meeting(sorted([*hunks(base, ours, _OURS), *hunks(base, theirs, _THEIRS)])):
        start, end = group[0].start, max(map(attrgetter("end"), group))
        lines, conflict = _resolved(base, start, end, group)
        woven += [*base[at:start], *lines]
        if conflict:
            conflicts.append(conflict)
        at = end
    woven += base[at:]
    return woven, conflicts


class Hunk(NamedTuple):
    """One side's lines in place of the base's lines ``start`` to ``end`` (exclusive)."""

    start: int
    end: int
    side: int
    lines: list[bytes]


def _resolved(
    base: list[bytes], start: int, end: int, hunks: list[Hunk]
) -> tuple[list[bytes], Conflict | None]:
    """Return the lines that replace the base's from ``start`` to ``end``, and the conflict if there is one."""
    ours, theirs = ([hunk for hunk in hunks if hunk.side == side] for side in (_OURS, _THEIRS))
    if not ours or not theirs:
        return _applied(base, start, end, ours or theirs), None
    for adding, removing in ((ours, theirs), (theirs, ours)):
        only_adds = all(hunk.start == hunk.end for hunk in adding)
        if only_adds and not any(map(attrgetter("lines"), removing)):
            return list(chain.from_iterable(map(attrgetter("lines"), adding))), None
    one = _applied(base, start, end, ours)
    other = _applied(base, start, end, theirs)
    differ = one != other and start < end
    conflict = Conflict(start + 1, tuple(base[start:end]), tuple(one), tuple(other)) if differ else None
    # both sides, common lines at the beginning or the end once
    head, tail = common_ends(one, other)
    return one[: len(one) - tail] + other[head:], conflict


def hunks(base: list[bytes], new: list[bytes], side: int = _OURS) -> Iterator[Hunk]:
    """Yield the changes of ``new`` against ``base``, adjacent lines in one hunk."""
    start = begin = 0
    for run in (*common_runs(base, new), Run(len(base), len(new), 0)):
        if run.old > start or run.new > begin:
            yield Hunk(start, run.old, side, new[begin : run.new])
        start = run.old + run.length
        begin = run.new + run.length


def _meeting(hunks: list[Hunk]) -> Iterator[list[Hunk]]:
    """Group hunks of the same lines or the same gap, in the order of the base."""
    group: list[Hunk] = []
    end = 0
    for hunk in hunks:
        same_gap = bool(group) and (hunk.start, hunk.end) == (group[0].start, end)
        if group and hunk.start >= end and not same_gap:
            yield group
            group = []
        end = max(end, hunk.end) if group else hunk.end
        group.append(hunk)
    if group:
        yield group


def _applied(base: list[bytes], start: int, end: int, hunks: list[Hunk]) -> list[bytes]:
    lines: list[bytes] = []
    for hunk in hunks:
        lines += [*base[start : hunk.start], *hunk.lines]
        start = hunk.end
    return lines + base[start:end]
