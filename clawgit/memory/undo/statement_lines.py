"""The statements of a Markdown text as `forget` takes them out: a list item, or one line of other text."""

from __future__ import annotations

import re
from typing import NamedTuple

from clawgit.memory.undo.text_units import HEADING, ITEM, read_units
from clawgit.memory.undo.unit_steps import TextUnits, take_out_item
from clawgit.text.markdown.lines import split_lines

_SAYS = re.compile(r"\w")


class Statement(NamedTuple):
    """Words and their own lines (0-based, end exclusive); ``entry_id`` is the id that they carry, if any."""

    first: int
    last: int
    words: str
    entry_id: str | None = None


def statements(data: bytes, path: str) -> list[Statement]:
    """Return what a text says, in the order of its lines; headings are none."""
    lines = split_lines(data)
    found: list[Statement] = []
    for unit in read_units(data, path):
        if unit.kind == ITEM:
            words = unit.words.decode("utf-8", "replace").removeprefix("- ")
            if _SAYS.search(words):
                found.append(Statement(unit.first, unit.last, words, unit.unit_id))
        elif unit.kind != HEADING:
            for at in range(unit.first, unit.last):
                words = " ".join(lines[at].decode("utf-8", "replace").split())
                if _SAYS.search(words):
                    found.append(Statement(at, at + 1, words))
    return found


def without_statement(data: bytes, path: str, statement: Statement) -> tuple[bytes, tuple[str, ...]]:
    """Return ``data`` without the statement where it is now, and the words of what is within it.

    Of several with these words, the one nearest to its line; unchanged where none has them.
    """
    line = _nearest(statements(data, path), statement)
    if line is None:
        return data, ()
    text = TextUnits.of(data, path)
    inner: tuple[str, ...] = ()
    for at, unit in enumerate(text.units):
        if unit.first <= line < unit.last and unit.kind == ITEM:
            inner = take_out_item(text, at)
        elif unit.first <= line < unit.last:
            own = text.own(at)
            text.instead[at] = [*own[: line - unit.first], *own[line - unit.first + 1 :]]
    return text.text(), inner


def _nearest(present: list[Statement], statement: Statement) -> int | None:
    """Return the line of those with the same words that is nearest to where these were."""
    nearest = None
    for each in present:
        if each.words != statement.words:
            continue
        if nearest is None or abs(each.first - statement.first) < abs(nearest - statement.first):
            nearest = each.first
    return nearest
