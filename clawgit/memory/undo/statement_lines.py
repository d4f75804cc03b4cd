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
            found.append(Statement(unit.first, unit.last, words, unit.unit_id))
        elif unit.kind != HEADING:
            for at in range(unit.first, unit.last):
                said = " ".join(lines[at].decode("utf-8", "replace").split())
                found.append(Statement(at, at + 1, said))
    return [each for each in found if _SAYS.search(each.words)]


def without_statement(data: bytes, path: str, statement: Statement) -> tuple[bytes, tuple[str, ...]]:
    """Return ``data`` without the statement where it is now, and the words of what is within it.

    Of several with these words, the one nearest to its line; unchanged where none has them.
    """
    same = [each for each in statements(data, path) if each.words == statement.words]
    if not same:
        return data, ()
    nearest = min(same, key=lambda each: abs(each.first - statement.first))
    text = TextUnits.of(data, path)
    at = max(number for number, unit in enumerate(text.units) if unit.first <= nearest.first)
    if text.units[at].kind == ITEM:
        inner = take_out_item(text, at)
        return text.text(), inner
    own = text.own(at)
    line = nearest.first - text.units[at].first
    text.instead[at] = [*own[:line], *own[line + 1 :]]
    return text.text(), ()
