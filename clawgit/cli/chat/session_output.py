"""Sessions that ended or should be flushed, as data and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked
from clawgit.cli.change_output import change_data

if TYPE_CHECKING:
    from clawgit.capture.sessions.session_end import Ended
    from clawgit.capture.sessions.sessions import Session
    from clawgit.operations.sessions import FlushPlan

_NOTHING = dict.fromkeys(("op", "commit", "path", "from", "to", "channel", "conversation", "session")) | {
    "outcome": "nothing",
    "messages": 0,
}


def session_data(session: Session) -> dict[str, Any]:
    """Return which session it is, as other programs read it."""
    return picked(session, "channel conversation session")


def ended_data(done: Ended | None) -> dict[str, Any]:
    """Return what became of a session, as other programs read it."""
    if done is None:
        return _NOTHING
    messages = done.session.messages
    first = last = None
    if messages and done.session.timed:
        first = messages[0].sent_at.isoformat(timespec="milliseconds")
        last = messages[-1].sent_at.isoformat(timespec="milliseconds")
    about = {"path": done.path, "messages": len(messages), "from": first, "to": last}
    return change_data(done.recorded) | about | session_data(done.session)


def ended_lines(done: Ended | None) -> list[str]:
    """Return the file that stays of a session."""
    return [done.path] if done is not None and done.path else []


def flush_data(plan: FlushPlan) -> dict[str, Any]:
    """Return whether it is time to write memories down, as other programs read it."""
    from clawgit.capture.sessions.flush import NO_REPLY

    due = {"due": not plan.why_not, "why_not": plan.why_not or None}
    return due | picked(plan, "threshold path system turn") | {"silent": NO_REPLY}


def flush_lines(plan: FlushPlan) -> list[str]:
    """Return the same as people read it."""
    return [f"Not now: {plan.why_not}."] if plan.why_not else [plan.system, "", plan.turn]
