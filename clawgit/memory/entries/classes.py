"""How long an entry of a class is meant to hold: what has run out is archived with its lesson, never deleted."""

from __future__ import annotations

from datetime import date, timedelta

# Days after the last mention; None is for ever.
DAYS_OF_CLASS: dict[str, int | None] = {"personal": None, "tasks": 7, "agents": 30, "system": None}


def expiry_of(entry_class: str | None, last_seen: date) -> date | None:
    """Return the day on which an entry of ``entry_class`` runs out, None where it does not."""
    days = DAYS_OF_CLASS.get(entry_class or "")
    return None if days is None else last_seen + timedelta(days=days)
