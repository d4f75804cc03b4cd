"""Bringing the tables of a store to the present: numbered steps, each in one transaction with its record."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime

LEDGER = "CREATE TABLE migrations (number INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)"


def migrate(db: sqlite3.Connection, name: str, steps: Sequence[Sequence[str]], now: datetime) -> None:
    """Apply the steps that are missing; the first of all makes the `LEDGER`. Many processes may do so at once."""
    while number_of(db, name, len(steps)) < len(steps):
        with db:
            db.execute("BEGIN IMMEDIATE")
            number = number_of(db, name, len(steps)) + 1  # again: another process may have been faster
            if number > len(steps):
                return
            for statement in steps[number - 1]:
                db.execute(statement)
            applied_at = now.astimezone(UTC).isoformat(timespec="seconds")
            db.execute("INSERT INTO migrations VALUES (?, ?)", (number, applied_at))


def number_of(db: sqlite3.Connection, name: str, known: int) -> int:
    """Return the number of the last step that was applied; refuse what a newer clawgit applied."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone() is None:
        return 0
    number = int(db.execute("SELECT MAX(number) FROM migrations").fetchone()[0] or 0)
    refuse_newer_step(name, number, known)
    return number


def refuse_newer_step(name: str, number: int, known: int) -> None:
    """Refuse a store whose last step this clawgit does not know."""
    if number > known:
        raise RecordsError(
            f"{name} was written by a newer clawgit (it is at step {number}; this one knows {known}).",
            hint="Install a newer clawgit; nothing was changed.",
        )
