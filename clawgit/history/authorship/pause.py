"""Pausing: while a workspace is paused no agent writes to it; the operator and the host go on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.safe_files import write_private

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.repository import History


def pause(history: History, reason: str, now: datetime) -> None:
    """Stop the agents until `resume`."""
    with history.locked():
        write_private(history.state / "paused", f"{now.isoformat(timespec='seconds')} {reason}\n")


def resume(history: History) -> bool:
    """Let the agents write again; False when they were not paused."""
    with history.locked(), suppress(FileNotFoundError):
        (history.state / "paused").unlink()
        return True
    return False


def paused_since(history: History) -> str | None:
    try:
        return (history.state / "paused").read_text("utf-8", "replace").strip()
    except FileNotFoundError:
        return None


def refuse_paused(history: History, actor: str) -> None:
    since = paused_since(history) if actor in AGENT_NAMES else None
    if since is not None:
        raise ClawgitError(
            f"The agents are paused ({since}).", hint="`clawgit resume` lets them write again."
        )
