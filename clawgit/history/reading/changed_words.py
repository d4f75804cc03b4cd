"""A small edit of a file in words, the line before and after; of a file of memory, its lines that are no entries."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import filterfalse, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import is_earlier_wording, read_entries, without_marks
from clawgit.memory.entries.statements import cells_of, parted
from clawgit.memory.entries.tiers import holds_entries
from clawgit.text.comparing.similarity import Run, common_ends, common_runs
from clawgit.text.markdown.lines import (
    ENDINGS,
    as_utf8,
    is_heading,
    is_text,
    split_lines,
    without_trailing_comment,
)
from clawgit.text.markdown.merge_lines import hunks
from clawgit.text.safety.control_characters import begin_of, folded
from clawgit.text.safety.secrets import redact_lines, redact_talk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.history.git.trees import Tree

MOST = 3  # changed lines, and changes: a larger edit has no words
AROUND, LONGEST = 40, 120  # characters shown around a difference in a long text, and of the difference
_NEAR = 300  # lines before and after, searched for a secret over several lines: a long key has 200
_RULES = "|:- "  # characters of a table's ruler and of a line without words


class WordChange(NamedTuple):
    """A line's text, the one before (empty if it only came or went), and both: `plan.md: "two" → "2"`."""

    words: str
    before: str
    line: str
    new: str  # the whole text of the line


def read_word_changes(
    base: Tree, tip: Tree, path: str, since: tuple[Tree, Tree] | None = None
) -> list[WordChange] | None:
    """Return how a text differs in ``tip`` from ``base``; None if the edit is large, no text, or a secret.

    A new text has no changes, and a heading alone is none. With two states ``since``, a change must be in the second and not in the first.
    """
    old = base.read(path)
    new = tip.read(path)
    if old is None or new is None:
        return []
    if not (path.endswith(ENDINGS) and is_text(old) and is_text(new)):
        return None
    before = other_lines(base, path)
    after = other_lines(tip, path)
    gone = _beyond(before, after)
    came = _beyond(after, before)
    if gone is None or came is None or _have_secret(before, gone) or _have_secret(after, came):
        return None
    states = [other_lines(tree, path) for tree in since or ()]
    changes = []
    for was, now in _pairs(before, after, gone, came):
        if not (was and now) and is_heading((was or now).encode()):
            continue
        times = [lines.count(now or was) for lines in states]
        if not now:  # it went: the first state has it more often
            times.reverse()
        is_back = bool(states and was and now) and states[1].count(was) >= max(1, states[0].count(was))
        if not is_back and (not states or times[0] < times[1]):
            changes.append(_change(path, was, now))
    if len(changes) > MOST:
        return None
    return changes


def holds_still(base: Tree, made: Tree, tip: Tree, path: str) -> bool:
    """Say whether a state lacks a line that an edit took out of a file, or has one that it brought."""
    before = Counter(other_lines(base, path))
    after = Counter(other_lines(made, path))
    now = Counter(other_lines(tip, path))
    return bool((before - after) & (before - now) or (after - before) & (now - before))


def _pairs(
    before: list[str], after: list[str], gone: Sequence[int], came: Sequence[int]
) -> Iterator[tuple[str, str]]:
    """Yield old and new lines in one place: of as many in order, else those that begin alike; the others alone."""
    old = new = 0
    for run in (*common_runs(before, after), Run(len(before), len(after), 0)):
        was = [before[number] for number in gone if old <= number < run.old]
        now = [after[number] for number in came if new <= number < run.new]
        for number, line in enumerate(was):
            same = now[0] if len(now) == len(was) - number else _begins_as(line, now)
            if same:
                now.remove(same)
            yield line, same
        yield from (("", line) for line in now)
        old = run.old + run.length
        new = run.new + run.length


def _begins_as(line: str, others: Sequence[str]) -> str:
    return next((other for other in others if other.split()[:2] == line.split()[:2]), "")


def read_replaced(base: Tree, tip: Tree, path: str) -> dict[str, str]:
    """Return new → old statement of single-line entries where a few took the place of as many."""
    replaced = {}
    for old, new in exchanged_lines(base, tip, path):
        for was, now in zip(read_entries(old.encode()), read_entries(new.encode()), strict=False):
            replaced[parted(now.text).statement] = parted(was.text).statement
    return replaced


def exchanged_lines(base: Tree, tip: Tree, path: str) -> Iterator[tuple[str, str]]:
    """Yield the old and new text (without ids) of lines where a few took the place of as many; of other lines that went only the old."""
    before = _without_ids(base, path)
    for hunk in hunks(before, _without_ids(tip, path)):
        went = list(filterfalse(is_earlier_wording, before[hunk.start : hunk.end]))
        came = list(filterfalse(is_earlier_wording, hunk.lines))
        if not len(went) == len(came) <= MOST:
            came = [b""] * len(went)
        for old, new in zip(went, came, strict=True):
            yield old.decode("utf-8", "replace").strip(), new.decode("utf-8", "replace").strip()


def _without_ids(tree: Tree, path: str) -> list[bytes]:
    """Return the lines of a file; who rewrites one whole leaves ids out."""
    return list(map(without_marks, split_lines(tree.read(path) or b"")))


def other_lines(tree: Tree, path: str) -> list[str]:
    """Return the lines of a text, without the entries of memory: these have rows of their own, and are blank here."""
    return _lines(tree.read(path) or b"", has_entries=holds_entries(path))


_masked = lru_cache(maxsize=16)(redact_lines)  # one edit's lines are the next one's too


@lru_cache(maxsize=16)
def _lines(data: bytes, *, has_entries: bool) -> list[str]:
    texts = as_utf8(data).decode("utf-8", "replace").split("\n")
    lines = [_line(without_trailing_comment(text).strip()) for text in texts]
    for entry in read_entries(data) if has_entries else ():
        lines[entry.first : entry.last] = [""] * (entry.last - entry.first)
    return lines


def _line(text: str) -> str:
    """Return a line of a table with one space around each cell, another line as it is."""
    cells = cells_of(text)
    if len(cells) > 1:
        return f"| {' | '.join(cells)} |"
    return text


def _beyond(lines: Sequence[str], others: Sequence[str]) -> list[int] | None:
    """Return the numbers of lines with words that the others lack; None if they are many, or one of them is also kept."""
    head, tail = common_ends(lines, others)
    counts = Counter(lines[head : len(lines) - tail])
    left = counts - Counter(others[head : len(others) - tail])
    numbers = []
    for number in range(head, len(lines) - tail):
        line = lines[number]
        if line in left and line.strip(_RULES):
            numbers.append(number)
            if left[line] < counts[line]:
                return None
    if len(numbers) > MOST:
        return None
    return numbers


def _have_secret(lines: Sequence[str], numbers: Sequence[int]) -> bool:
    """Say whether some lines are a part of a secret, which may begin in another line, or in the head of a column."""
    if not numbers:
        return False
    first = max(0, numbers[0] - _NEAR)
    masked = _masked("\n".join(lines[first : numbers[-1] + _NEAR])).split("\n")
    for number in numbers:
        if masked[number - first] != lines[number]:
            return True
        if any(redact_talk(words) != words for words in _said(lines, number)):
            return True
    return False


def _said(lines: Sequence[str], number: int) -> Iterator[str]:
    """Yield a line, or each cell of a row behind the row's name and the head of its column."""
    cells = cells_of(lines[number])
    if len(cells) == 1:
        yield lines[number]
        return
    first = number
    while first and "|" in lines[first - 1]:
        first -= 1
    for cell, head in zip_longest(cells, cells_of(lines[first]), fillvalue=""):
        yield f"{', '.join(filter(None, (cells[0], head)))}: {cell}"


def _change(path: str, was: str, now: str) -> WordChange:
    words = folded(now).strip("| ")
    old, new = _cut(folded(was).strip("| "), words)
    if old and new:
        return WordChange(f"{path}: {new}", f"{path}: {old}", f'{path}: "{old}" → "{new}"', words)
    shown = f'{path} -1: "{old}"'
    if new:
        shown = f'{path} +1: "{new}"'
    return WordChange(shown, "", shown, words)


def _cut(old: str, new: str) -> tuple[str, str]:
    if max(len(old), len(new)) <= LONGEST:
        return old, new
    same, same_behind = common_ends(old, new)
    begin = max(0, same - AROUND)
    if begin:
        begin = max(begin, old.find(" ", begin, same) + 1)
    behind = begin_of(old[len(old) - same_behind :], AROUND)
    lead = "…" * bool(begin)
    was = begin_of(old[begin : len(old) - same_behind], LONGEST)
    now = begin_of(new[begin : len(new) - same_behind], LONGEST)
    return f"{lead}{was}{behind}", f"{lead}{now}{behind}"
