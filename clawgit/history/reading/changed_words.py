"""A small edit of a file beside memory in words: the line before and after."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import cells_of, parted
from clawgit.text.comparing.similarity import common_ends
from clawgit.text.markdown.lines import ENDINGS, as_utf8, is_text, split_lines, without_trailing_comment
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


class _Row(NamedTuple):
    """A line as cells: of a table's row below their heads, else one; ``key`` is its name below these heads, or its place."""

    key: str
    cells: list[str]
    heads: list[str]

    @property
    def words(self) -> str:
        """Return the line without a secret; the head of a column, or the row's name, can mark a cell as one."""
        shown: list[str] = []
        for cell, head in zip(self.cells, self.heads, strict=True):
            lead = ", ".join(filter(None, (*shown[:1], head)))
            if lead:
                lead += ": "
            shown.append(folded(redact_talk(lead + cell).removeprefix(lead)))
        return " | ".join(shown).strip("| ")


_NOTHING = _Row("", [""], [""])


def read_word_changes(
    base: Tree, tip: Tree, path: str, since: tuple[Tree, Tree] | None = None
) -> list[WordChange] | None:
    """Return how a text differs in ``tip`` from ``base``; None if the edit is large, no text, or a secret.

    A new text has no changes. With two states ``since``, a change must be in the second and not in the first.
    """
    old = base.read(path)
    new = tip.read(path)
    if old is None or new is None:
        return []
    if not (path.endswith(ENDINGS) and is_text(old) and is_text(new)):
        return None
    before = _lines(old)
    after = _lines(new)
    gone = _beyond(before, after)
    came = _beyond(after, before)
    if gone is None or came is None or _have_secret(before, gone) or _have_secret(after, came):
        return None
    in_place = len(before) == len(after)
    states = [_lines(tree.read(path) or b"") for tree in since or ()]
    changes = []
    for was, now in _pairs(_rows(before, gone, in_place=in_place), _rows(after, came, in_place=in_place)):
        if was.cells == now.cells:  # but for white space
            continue
        row, around = now, states
        if now is _NOTHING:  # it went: the first state has it more often
            row, around = was, states[::-1]
        times = [_times(row, lines) for lines in around]
        if not states or times[0] < times[1]:
            changes.append(_change(path, was, now))
    if len(changes) > MOST:
        return None
    return changes


def read_replaced(base: Tree, tip: Tree, path: str) -> dict[str, str]:
    """Return new → old statement of single-line entries where a few took the place of as many."""
    replaced = {}
    for old, new in exchanged_lines(base, tip, path):
        for was, now in zip(read_entries(old.encode()), read_entries(new.encode()), strict=False):
            replaced[parted(now.text).statement] = parted(was.text).statement
    return replaced


def exchanged_lines(base: Tree, tip: Tree, path: str) -> Iterator[tuple[str, str]]:
    """Yield the old and new text of lines where a few took the place of as many."""
    before = split_lines(base.read(path) or b"")
    for hunk in hunks(before, split_lines(tip.read(path) or b"")):
        if hunk.end - hunk.start == len(hunk.lines) <= MOST:
            for old, new in zip(before[hunk.start : hunk.end], hunk.lines, strict=True):
                yield old.decode("utf-8", "replace").strip(), new.decode("utf-8", "replace").strip()


_masked = lru_cache(maxsize=16)(redact_lines)  # one edit's lines are the next one's too


@lru_cache(maxsize=16)
def _lines(data: bytes) -> list[str]:
    lines = as_utf8(data).decode("utf-8", "replace").split("\n")
    return [without_trailing_comment(line).strip() for line in lines]


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
    """Say whether some lines are a part of a secret, which may begin in another line."""
    if not numbers:
        return False
    first = max(0, numbers[0] - _NEAR)
    masked = _masked("\n".join(lines[first : numbers[-1] + _NEAR])).split("\n")
    return any(masked[number - first] != lines[number] for number in numbers)


def _rows(lines: Sequence[str], numbers: Sequence[int], *, in_place: bool) -> list[_Row]:
    rows = []
    for number in numbers:
        cells = _cells(lines[number])
        heads = _heads(lines, number)
        if len(heads) != len(cells):
            heads = [""] * len(cells)
        key = f"{number}" * in_place
        name = cells[0]
        if len(cells) > 1 and name and sum(_cells(line)[0] == name for line in lines if name in line) == 1:
            key = " | ".join((*heads, name))
        rows.append(_Row(key, cells, heads))
    return rows


def _cells(line: str) -> list[str]:
    cells = cells_of(line)
    if len(cells) > 1:
        return cells
    return [line]


def _heads(lines: Sequence[str], number: int) -> list[str]:
    first = number
    while first and "|" in lines[first - 1]:
        first -= 1
    if number > first + 1 and not lines[first + 1].strip(_RULES):
        return list(map(redact_talk, _cells(lines[first])))
    return []


def _pairs(gone: list[_Row], came: list[_Row]) -> list[tuple[_Row, _Row]]:
    """Return pairs of old and new lines, by key or as the only ones; an added or removed line has an empty partner."""
    pairs = []
    for was in list(gone):
        for now in came:
            if was.key and was.key == now.key:
                pairs.append((was, now))
                gone.remove(was)
                came.remove(now)
                break
    if len(gone) == len(came) == 1:
        return [*pairs, (gone[0], came[0])]
    return pairs + [(was, _NOTHING) for was in gone] + [(_NOTHING, now) for now in came]


def _times(row: _Row, lines: Sequence[str]) -> int:
    return sum(_cells(line) == row.cells for line in lines if row.cells[0] in line)


def _change(path: str, was: _Row, now: _Row) -> WordChange:
    old, new = _cut(was.words, now.words)
    if old and new:
        return WordChange(f"{path}: {new}", f"{path}: {old}", f'{path}: "{old}" → "{new}"', now.words)
    words = f'{path} -1: "{old}"'
    if new:
        words = f'{path} +1: "{new}"'
    return WordChange(words, "", words, now.words)


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
