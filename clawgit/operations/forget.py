"""Forgetting a line of memory: found by its words, its id or its place, and taken out as `undo` takes things out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import UsageError
from clawgit.history.undo.forgetting import (
    Line,
    Meant,
    find_entry,
    find_forgetting,
    find_lines,
    find_place,
    find_same,
)
from clawgit.operations.paths import line_named, workspace_path
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.undo.undo import Undoing


class Forgetting(NamedTuple):
    """A line, what taking it out does, and what else says the same and stays."""

    line: Line
    undoing: Undoing
    same: tuple[Line, ...]


def find_meant(history: History, what: str) -> Meant:
    """Return the lines that somebody may mean by words, an id (`m:…`) or a place (`PATH:LINE`)."""
    what = what.strip()
    if what.startswith("x:"):
        raise UsageError(f"{what} is a correction.", hint=f"`clawgit undo {what}` withdraws it.")
    if what.startswith(MESSAGE):
        raise UsageError(
            f"{what} is a message, and messages stay.",
            hint=f"`clawgit undo --source {what}` takes back what rests on it.",
        )
    if what.startswith("m:"):
        return find_entry(history, what)
    place = line_named(what)
    if place is None:
        return find_lines(history, what)
    return find_place(history, workspace_path(history.root, place[0]), place[1])


def plan_forgetting(history: History, line: Line) -> Forgetting:
    """Return what forgetting a line would do, before anything is written."""
    return Forgetting(line, find_forgetting(history, line), tuple(find_same(history, line)))
