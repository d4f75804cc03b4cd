"""How a job's slot is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.workspace.records.job_slots import SlotState

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def slot_lines(notes: Sequence[SlotNote]) -> list[str]:
    """Return slots on a line each; those of a job that were skipped for one reason are one line."""
    groups: dict[tuple[str, str], list[SlotNote]] = {}
    for note in notes:
        key = (note.job, note.reason) if note.state is SlotState.SKIPPED else (note.job, f"{note.day}")
        groups.setdefault(key, []).append(note)
    return [slot_line(group[0]) if len(group) == 1 else _skipped_line(group) for group in groups.values()]


def _skipped_line(notes: Sequence[SlotNote]) -> str:
    days = sorted(note.day for note in notes)
    return f"{notes[0].job} {days[0]} to {days[-1]}: {len(days)} slots skipped ({notes[0].reason})"


def slot_line(note: SlotNote) -> str:
    """Return a slot on one line."""
    tried = f", attempt {note.attempt}" if note.attempt > 1 else ""
    outcome = note.outcome or note.state.value
    return f"{note.job} {note.day}: {outcome}{tried}" + (f" ({note.reason})" if note.reason else "")
