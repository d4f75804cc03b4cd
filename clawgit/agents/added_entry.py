"""An entry more in core memory, in a change that does something else as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.transaction.taken_entry_ids import ids_beside
from clawgit.memory.corrections.verdicts import Held
from clawgit.memory.entries.entries import entry_line, read_entries
from clawgit.memory.entries.own_section import add_remembered, core_file
from clawgit.memory.provenance.stamps import stamp

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.git.trees import Tree


def with_added(tree: Tree, statement: str, on: date, evidence: str) -> tuple[Held, bytes]:
    """Return the new entry with its id, and its file; ``evidence`` is what the id is made of.

    Raises:
        EntryError: It is too long for a statement.
    """
    path = core_file(tree.entry)
    old, line = tree.read(path) or b"", entry_line(statement, on=on, tag=None)
    data = stamp(old, add_remembered(old, line), evidence, taken=ids_beside(tree, path))
    return next(Held(path, each) for each in read_entries(data) if each.text == line), data
