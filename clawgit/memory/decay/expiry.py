"""Whether an entry's time is over, and why not: its class says so, never its words alone. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.tiers import RETIRED_ENTRIES
from clawgit.memory.trust import OPERATOR

if TYPE_CHECKING:
    from datetime import date

    from clawgit.memory.entry_states import EntryState


def is_the_operators(state: EntryState) -> bool:
    """Say whether no job may take an entry out of memory: the operator wrote, corrected or brought it back, as far as is known."""
    is_corrected = any(each.counts for each in state.corrections)
    return state.source in (OPERATOR, "unknown") or is_corrected or came_back(state)


def came_back(state: EntryState) -> bool:
    """Say whether an entry was in the archive once, and somebody brought it back."""
    return any(seen.path.startswith(RETIRED_ENTRIES) for seen in state.seen)


def is_over(state: EntryState, on: date, *, open_until: date | None = None) -> bool:
    """Say whether an entry's time is over on a day: after the last one of its class, and of the days that it names.

    A class without a term, or one that nobody knows, has no end; nor has an entry without an id.
    """
    last = state.expires
    if last is None or state.entry.entry_id is None or is_the_operators(state):
        return False
    return on > max(last, open_until or last)
