"""What changes have cited as their evidence, and what the entries of the tip rest on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.memory.corrections.corrected_entries import MARK
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.provenance.pieces import Text, line_pieces
from clawgit.memory.trust import LOWEST, OPERATOR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


@dataclass(frozen=True, slots=True)
class Cited:
    """What history cites (`chat:…`, `note:…`), and which of it each entry's words and mentions rest on.

    ``corrected`` are the messages that nothing but corrections cite, with what these are about: no part of ``every``.
    """

    every: frozenset[str]
    by_entry: Mapping[str, frozenset[str]]
    corrected: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A line of a note, counted from 1, and what it rests on."""

    path: str
    number: int
    words: str
    trust: str


def read_cited(history: History) -> Cited:
    """Return what the history cites, whatever became of it since.

    What corrects (or asks, or only notes) does not use up its message: that may say something else as well.
    """
    with open_fold(history.state) as store:
        renew_fold(history, store)
        rows = store.said()
    corrected: dict[str, list[str]] = {}
    of_corrections: set[tuple[str, str]] = set()  # a correction or an entry that it corrected, with a message
    for key, each in standing_corrections(history.tip().tree).items():
        for item in each.evidence[:1]:
            about = filter(None, (each.said, each.correct, each.proposed))
            corrected.setdefault(item, []).extend(about)
            of_corrections |= {(name, item) for name in (f"{MARK}{key}", *each.corrects)}
    by_entry: dict[str, set[str]] = {}
    for entry_id, said in rows:
        by_entry.setdefault(entry_id, set()).update(
            item.partition(" ")[0] for item in said.split("\n") if item
        )
    every = frozenset(
        item
        for entry_id, items in by_entry.items()
        for item in items
        if (entry_id, item) not in of_corrections
    )
    return Cited(
        every,
        {entry_id: frozenset(items) for entry_id, items in by_entry.items()},
        {item: tuple(about) for item, about in corrected.items() if item not in every},
    )


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


def lowest_trust(history: History, tree: Tree, paths: list[str]) -> str:
    """Return the lowest trust of any line of these notes; the operator's where they say nothing."""
    with open_fold(history.state) as store:
        renew_fold(history, store)
        found = {OPERATOR}
        for path in paths:
            origins = (store.origin(piece.key) for piece in Text(tree.read(path) or b"").pieces)
            found |= {origin.trust if origin else LOWEST for origin in origins}
            if LOWEST in found:
                break
    return lowest(found)
