"""`memory add`: one statement becomes one entry, in one change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.actors import OPERATOR
from clawgit.history.commit import Recorded, apply_plan
from clawgit.memory.entries import Tag, add_entry, entry_line, read_entries
from clawgit.memory.tiers import Tier, is_derived, tier_of
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from clawgit.history.intent import Intent
    from clawgit.history.repository import History
    from clawgit.history.trees import Tree

CORE = "MEMORY.md"
LEARNED = "memory/learned.md"


class PlaceError(ClawgitError):
    """A statement cannot be remembered in that file."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a statement: where it stands, as which line, under which id."""

    recorded: Recorded
    path: str
    line: str
    entry_id: str | None


def remember(
    history: History,
    statement: str,
    intent: Intent,
    *,
    tag: str | None = None,
    path: str | None = None,
) -> Remembered:
    """Add ``statement`` to ``path``; the same line is not added twice."""
    line = entry_line(statement, on=intent.now.date(), tag=Tag(tag) if tag else None)
    place = path if path is not None else CORE if intent.actor == OPERATOR else LEARNED

    def plan(tree: Tree) -> Plan:
        target = _place_in(tree, place, intent)
        old = tree.read(target) or b""
        if line.encode() in old and any(entry.text == line for entry in read_entries(old)):
            return Plan("")
        return Plan(f"memory: {line}", (Edit(target, add_entry(old, line)),))

    recorded = apply_plan(history, plan, intent)
    target = _place_in(history.tip().tree, place, intent)
    return Remembered(recorded, target, line, _id_of(history, target, line))


def _place_in(tree: Tree, place: str, intent: Intent) -> str:
    """Return the file to write, refusing those that are no memory or not this actor's to fill."""
    if place == CORE and tree.entry(CORE) is None and tree.entry("memory.md") is not None:
        place = "memory.md"
    if (
        tier_of(place) not in (Tier.T1, Tier.T2)
        or is_derived(place)
        or place in ("CORRECTIONS.md", "CONFLICTS.md")
    ):
        raise PlaceError(
            f"{place} is no file of memories.", hint="Name MEMORY.md or a .md file below memory/."
        )
    if place in (CORE, "memory.md") and intent.actor != OPERATOR:
        raise PlaceError(
            f"{place} rests on the operator's words, so the {intent.actor} cannot write there.",
            hint=f"Leave --to away: it goes to {LEARNED}.",
        )
    return place


def _id_of(history: History, path: str, line: str) -> str | None:
    data = history.tip().tree.read(path) or b""
    return next((entry.entry_id for entry in read_entries(data) if entry.text == line), None)
