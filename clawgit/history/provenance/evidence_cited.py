"""What changes have cited as their evidence, and what the entries of the tip rest on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.memory.corrections.corrected_entries import MARK
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.provenance.pieces import line_pieces
from clawgit.memory.trust import LOWEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


@dataclass(frozen=True, slots=True)
class Cited:
    """What history cites (`chat:…`, `note:…`), and which of it each entry's words and mentions rest on.

    ``noted`` are the messages that only noted corrections cite, with what these say is right: no part of ``every``.
    """

    every: frozenset[str]
    by_entry: Mapping[str, frozenset[str]]
    noted: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A line of a note, counted from 1, and what it rests on."""

    path: str
    number: int
    words: str
    trust: str


def read_cited(history: History) -> Cited:
    """Return what the history cites, whatever became of it since.

    A correction that is only noted sets nothing right, so its message is not used up by it. What the message
    answered is, where the ledger says what is right instead: somebody may have meant that.
    """
    with open_fold(history.state) as store:
        renew_fold(history, store)
        rows = store.said()
    only_noted = _only_noted(history)
    by_entry: dict[str, set[str]] = {}
    noted: dict[str, list[str]] = {}
    every: set[str] = set()
    for entry_id, said in rows:
        items = [item.partition(" ")[0] for item in said.split("\n") if item]
        by_entry.setdefault(entry_id, set()).update(items)
        right = only_noted.get(entry_id)
        if right is not None:
            noted.setdefault(items.pop(0), []).append(right)
        if right != "":
            every.update(items)
    return Cited(
        frozenset(every),
        {entry_id: frozenset(items) for entry_id, items in by_entry.items()},
        {item: tuple(filter(None, right)) for item, right in noted.items() if item not in every},
    )


def _only_noted(history: History) -> dict[str, str]:
    """Return the corrections (`x:…`) that set no entry right, with what they say is right, if they do."""
    standing = standing_corrections(history.tip().tree)
    return {f"{MARK}{key}": each.correct for key, each in standing.items() if each.status is Status.LOGGED}


def note_lines(history: History, tree: Tree, paths: list[str]) -> list[NoteLine]:
    """Return the lines of notes that say something, each with the trust of whoever brought it."""
    with open_fold(history.state) as store:
        renew_fold(history, store)
        found = []
        for path in paths:
            for at, piece in sorted(line_pieces(tree.read(path) or b"").items()):
                origin = store.origin(piece.key)
                found.append(NoteLine(path, at + 1, piece.words, origin.trust if origin else LOWEST))
        return found
