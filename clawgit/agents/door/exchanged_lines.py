"""A line of USER.md, or of a file beside memory, set right in its place; and the lines that still say the old words."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.undo.forgetting import StatementLine, lines_that_say
from clawgit.memory.corrections.write_correction import shortened
from clawgit.memory.entries.statements import parted, row_saying, row_statements
from clawgit.memory.entries.tiers import USER_FILE
from clawgit.memory.undo.text_units import line_statements
from clawgit.recall.index.searched_files import is_beside_memory
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.lines import joined, split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.correct_by_hand import MOST_LISTED, is_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.trees import Tree

_MARKED = ("|", ">")
_PROSE = lazy_bytes_pattern(rb"[a-z\d](?!\w*[.)] )")
_SENTENCE_ENDS = tuple(map(str.encode, ".!?:。！？"))


class LinePlace(NamedTuple):
    """Where a line is that is meant: its file, and its number (from 0) where that is known."""

    path: str
    number: int | None = None


def still_read(tree: Tree, statement: str, changed: LinePlace | None = None) -> str:
    """Return the sentence that names the lines which say the old words still; beside a ``changed`` one, those in just its words."""
    if not statement:
        return ""
    places = []
    for line in lines_that_say(tree, statement):
        is_same = parted(line.statement.words).statement == statement
        if changed is None or (is_same and changed not in _places_of(line)):
            places.append(line.place)
    if not places:
        return ""
    verb = "read"
    if len(places) == 1:
        verb = "reads"
    return f" {', '.join(places[:MOST_LISTED])} still {verb} as before: edit it there. Searches show your correction first."


def _places_of(line: StatementLine) -> tuple[LinePlace, LinePlace]:
    return LinePlace(line.path, line.statement.first), LinePlace(line.path)


def file_beside_memory(tree: Tree, statement: str) -> list[LinePlace]:
    """Return the file beside memory that says so, where only one does."""
    if not statement:
        return []
    paths = set(filter(is_beside_memory, map(attrgetter("path"), lines_that_say(tree, statement))))
    if len(paths) > 1:
        return []
    return list(map(LinePlace, paths))


def line_exchanged(tree: Tree, old: str, new: str, at: LinePlace) -> bytes | None:
    """Return USER.md, or a file beside memory, with the line that says ``old`` saying ``new``; None where none does, several do, or it goes over several.

    A row of a table and a quotation stay one.
    """
    label, colon, _ = folded(old).partition(":")
    if not is_line(folded(new), folded(old)) and not (colon and folded(new).startswith(label)):
        return None  # a value would be all that the line says
    if at.path != USER_FILE and not is_beside_memory(at.path):
        return None
    if old.startswith(_MARKED) and not new.startswith(old[0]):
        return None
    data = tree.read(at.path) or b""
    lines = split_lines(data)
    saying = []
    for statement in line_statements(data, at.path):
        is_meant = at.number in (None, statement.first)
        if is_meant and shortened(parted(statement.words).statement) == folded(old):
            saying.append(statement.first)
    if len(saying) != 1:
        return None
    number = saying[0]
    line = _exchanged(lines[number], folded(old), folded(new))
    if not line or _goes_on(lines, number) or (number > 0 and _goes_on(lines, number - 1)):
        return None
    return joined([*lines[:number], line, *lines[number + 1 :]])


def _exchanged(line: bytes, old: str, new: str) -> bytes:
    """Return a line with what it says exchanged, of a row each cell that differs; empty where it does not say that once."""
    if line.count(old.encode()) == 1:
        return line.replace(old.encode(), new.encode())
    row = line.decode("utf-8", "surrogateescape")
    was = row_statements(old)
    now = row_statements(new)
    if len(was) != len(now):
        return b""
    for wrong, right in zip(was, now, strict=True):
        if wrong != right:
            row = row_saying(row, wrong, right)
    return row.encode("utf-8", "surrogateescape")


def _goes_on(lines: Sequence[bytes], number: int) -> bool:
    """Say whether the sentence of a line may end on the next one."""
    line, behind = map(bytes.strip, (*lines, b"")[number : number + 2])
    is_ended = (
        not line or line.startswith((b"#", b"|", b"<!--", b"```", b"---")) or line.endswith(_SENTENCE_ENDS)
    )
    return not is_ended and _PROSE.match(behind) is not None
