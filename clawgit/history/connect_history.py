"""Recording in the history when a host is connected to this workspace, and when it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.vouching import connected_hosts
from clawgit.history.authorship.vouching_renewal import BESIDE, CONNECTED, DISCONNECTED, tips_beside
from clawgit.plan import Plan

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History


def record_connected(history: History, host: str, intent: Intent) -> bool:
    """Record that ``host`` is connected from now on: a commit that leaves the files as they are; False where it was."""
    if host in connected_hosts(history):
        return False
    _record(history, CONNECTED, host, f"connect: {host}", intent)
    return True


def record_left(history: History, host: str, intent: Intent) -> bool:
    """Record that ``host`` is connected no more; False where it was not."""
    if host not in connected_hosts(history):
        return False
    _record(history, DISCONNECTED, host, f"disconnect: {host}", intent)
    return True


def _record(history: History, key: str, host: str, summary: str, intent: Intent) -> None:
    beside = ((BESIDE, name) for name in tips_beside(history))
    plan = Plan(summary, trailers=((key, host), *beside))
    apply_plan(history, lambda _: plan, intent)
    connected_hosts(history)  # git's hooks vouch from now on, or no more
