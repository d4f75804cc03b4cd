"""What a small edit of a file beside memory says in words: the cell of a table or the line, before and after."""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.statements import cells_of
from clawgit.text.comparing.word_diff import word_diff
from clawgit.text.markdown.lines import ENDINGS, as_utf8, is_text, line_changes, split_lines
from clawgit.text.markdown.section_diff import section_diff
from clawgit.text.markdown.sections import without_trailing_comment
from clawgit.text.safety.control_characters import begin_of, folded
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.history.git.trees import Tree

MOST = 3  # lines that came or went: what an edit with more of them says is not told
AROUND, LONGEST = 40, 120  # characters of a line that are shown before its first difference, and of it at all


class WordChange(NamedTuple):
    """What a cell or a line of a file said and says; ``about`` names a cell: its row, and its column's head."""

    path: str
    about: str
    old: str
    new: str

    @property
    def is_reworded(self) -> bool:
        return bool(self.about or (self.old and self.new))

    @property
    def words(self) -> str:
        """Return where what it says is, and that; of a line that only went what it said."""
        if self.is_reworded:
            return self._named(self.new)
        if self.new:
            return f'{self.path} +1: "{self.new}"'
        return f'{self.path} -1: "{self.old}"'

    @property
    def before(self) -> str:
        """Return the same of what it said; nothing of a line that only came or went."""
        if self.is_reworded:
            return self._named(self.old)
        return ""

    @property
    def line(self) -> str:
        """Return both: `fees.md: Oskar Lind, per month: 136 → 130`."""
        if self.about:
            return f"{self._named(self.old or 'nothing')} → {self.new or 'nothing'}"
        if self.is_reworded:
            return f'{self.path}: "{self.old}" → "{self.new}"'
        return self.words

    def _named(self, text: str) -> str:
        return ": ".join(filter(None, (self.path, self.about, text)))


def read_word_changes(base: Tree, tip: Tree, path: str) -> list[WordChange]:
    """Return what a text says otherwise in ``tip`` than in ``base``; nothing of a new one, and where many lines differ."""
    old = base.read(path)
    new = tip.read(path)
    if old is None or new is None or not (path.endswith(ENDINGS) and is_text(old) and is_text(new)):
        return []
    old = as_utf8(old)
    new = as_utf8(new)
    if max(line_changes(old, new)) > MOST:
        return []
    lines = split_lines(new)
    gone = _beyond(split_lines(old), lines)
    came = _beyond(lines, split_lines(old))
    changes = []
    for was, now in _pairs(gone, came):
        for change in _cell_changes(path, was, now, lines) or [_around(path, was, now)]:
            if change.old or change.new:
                changes.append(change)
    return changes


def _beyond(lines: Sequence[bytes], others: Sequence[bytes]) -> list[bytes]:
    """Return the lines that the others have not, or not as often, in their order."""
    left = Counter(lines) - Counter(others)
    beyond = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
            beyond.append(line.rstrip(b"\r\n") + b"\n")
    return beyond


def _pairs(gone: list[bytes], came: list[bytes]) -> list[tuple[str, str]]:
    """Return which line became which; one that only went or came has nothing on the other side."""
    pairs = []
    for row in list(gone):
        name = cells_of(_text(row))[0]
        for new_row in came:
            if name and name == cells_of(_text(new_row))[0]:
                pairs.append((_text(row), _text(new_row)))
                gone.remove(row)
                came.remove(new_row)
                break
    went: list[str] = []
    new: list[str] = []
    for section in section_diff(b"".join(gone), b"".join(came)):
        for change in section.changes:
            if change.formatting or change.kind == "moved":
                continue
            was = without_trailing_comment(change.old)
            now = without_trailing_comment(change.new)
            if was and now:
                pairs.append((was, now))
            elif was:
                went.append(was)
            else:
                new.append(now)
    if len(went) == len(new) == 1:  # one took the place of the other
        return [*pairs, (went[0], new[0])]
    return [*pairs, *zip(went, repeat("")), *zip(repeat(""), new)]


def _cell_changes(path: str, was: str, now: str, lines: Iterable[bytes]) -> list[WordChange]:
    """Return the cells that differ of two rows with one name; nothing of what are none."""
    name, *old_cells = cells_of(was)
    new_name, *new_cells = cells_of(now)
    if not name or name != new_name or len(old_cells) != len(new_cells):
        return []
    _, *columns = cells_of(_head_above(now, lines))
    if len(columns) != len(new_cells):
        columns = [""] * len(new_cells)
    changes = []
    for column, old, new in zip(columns, old_cells, new_cells, strict=True):
        if old != new:
            about = ", ".join(filter(None, (name, column)))
            changes.append(WordChange(path, about, _masked(about, old), _masked(about, new)))
    return changes


def _head_above(row: str, lines: Iterable[bytes]) -> str:
    """Return the head of the table that has a row; nothing where it has none."""
    table: list[str] = []
    for line in lines:
        text = _text(line)
        if "|" in text:
            table.append(text)
        else:
            table.clear()
        if text == row:
            break
    if len(table) > 2 and not table[1].strip("|:- "):
        return table[0]
    return ""


def _around(path: str, was: str, now: str) -> WordChange:
    """Return a line as it was and is, of a long one what is around the first difference."""
    was = folded(redact(was)).strip("| ")
    now = folded(redact(now)).strip("| ")
    pieces = word_diff(was, now)
    if pieces and pieces[0].kind == "same" and max(len(was), len(now)) > LONGEST:
        start = now.rfind(" ", 0, max(0, len(pieces[0].text) - AROUND)) + 1
        was, now = f"…{was[start:]}", f"…{now[start:]}"
    return WordChange(path, "", begin_of(was, LONGEST), begin_of(now, LONGEST))


def _masked(about: str, cell: str) -> str:
    """Return a cell without a secret, which the head of its column may call one."""
    return redact(f"{about}: {cell}").removeprefix(f"{about}: ")


def _text(line: bytes) -> str:
    return without_trailing_comment(line.decode("utf-8", "replace"))
