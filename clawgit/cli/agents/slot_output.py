"""How a job's slot is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawgit.workspace.records.job_slots import SlotNote


def slot_data(note: SlotNote) -> dict[str, Any]:
    """Return a slot as other programs read it."""
    return {
        "job": note.job,
        "slot": note.day.isoformat(),
        "state": note.state.value,
        "attempt": note.attempt,
        "due": note.due.isoformat(),
        "started": note.started.isoformat(),
        "ended": None if note.ended is None else note.ended.isoformat(),
        "outcome": note.outcome,
        "reason": note.reason,
    }


def slot_line(note: SlotNote) -> str:
    """Return a slot on one line."""
    tried = f", attempt {note.attempt}" if note.attempt > 1 else ""
    outcome = note.outcome or note.state.value
    return f"{note.job} {note.day}: {outcome}{tried}" + (f" ({note.reason})" if note.reason else "")
