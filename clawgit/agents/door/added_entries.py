"""Entries that a plan adds: one to core memory beside other changes, or lessons to memory/lessons.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.transaction.taken_entry_ids import ids_beside
from clawgit.memory.corrections.write_correction import Held
from clawgit.memory.entries.entries import Tag, entry_line, read_entries
from clawgit.memory.entries.own_section import add_remembered, core_file
from clawgit.memory.entries.tiers import LESSONS
from clawgit.memory.provenance.stamps import stamp
from clawgit.plan import Edit

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.git.trees import Tree


def with_added(tree: Tree, statement: str, on: date, evidence: str) -> tuple[Held, bytes]:
    """Return the new entry with its id, and its file; ``evidence`` is what the id is made of.

    Raises:
        EntryError: It is too long for a statement.
    """
    path = core_file(tree.entry)
    old = tree.read(path) or b""
    line = entry_line(statement, on=on, tag=None)
    data = stamp(old, add_remembered(old, line), evidence, taken=ids_beside(tree, path))
    return next(Held(path, entry) for entry in read_entries(data) if entry.text == line), data


class Lessons:
    """memory/lessons.md while a plan adds to it."""

    def __init__(self, tree: Tree) -> None:
        self.data = self._before = tree.read(LESSONS) or b""
        self.added: dict[str, str] = {}  # line: its evidence
        self._tree = tree

    def add(self, lesson: str, on: date, evidence: str) -> None:
        """Add a lesson.

        Raises:
            EntryError: It cannot be an entry; nothing was added.
        """
        line = entry_line(lesson, on=on, tag=Tag.SKILL)
        self.data = add_remembered(self.data, line)
        self.added[line] = evidence

    def edits(self) -> tuple[Edit, ...]:
        """Return the edit that adds them, none where the file has them already."""
        if self.data == self._before:
            return ()
        first = next(iter(self.added.values()))
        taken = ids_beside(self._tree, LESSONS)
        return (Edit(LESSONS, stamp(self._before, self.data, first, own=self.added, taken=taken)),)
