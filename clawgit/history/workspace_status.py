"""How the workspace stands: read only, nothing is locked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.intent import ritual_is_open
from clawgit.history.authorship.pause import paused_since
from clawgit.history.git.leftovers import leftover_locks
from clawgit.history.git.refs import INTENT, PROPOSALS, QUARANTINE, RESCUE
from clawgit.history.git.repository import refuse_odd_state
from clawgit.history.review.clean_working_tree import is_clean

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.leftovers import PresentLock
    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding
    from clawgit.history.review.proposals import Proposal


class Status(NamedTuple):
    """The state of history and working tree, and what is pending for somebody."""

    branch: str
    commit_id: str | None
    blocked: str
    edits: tuple[str, ...]
    staged: tuple[str, ...]
    held: tuple[Finding, ...]
    proposals: tuple[Proposal, ...]
    interrupted: int
    rescued: int
    paused: str
    ritual: bool
    quarantined: int
    locks: tuple[PresentLock, ...] = ()
    unreviewed: tuple[str, ...] = ()
    unclaimed: tuple[str, ...] = ()


def read_status(history: History, now: datetime) -> Status:
    """Read how the workspace stands; the edits are looked for only where there are some."""
    try:
        refuse_odd_state(history)
    except ClawgitError as error:
        return _blocked(history, str(error))
    tip = history.tip()
    edits: tuple[tuple[str, ...], tuple[str, ...], tuple[Finding, ...]] = (), (), ()
    if not is_clean(history, tip):
        from clawgit.history.review.working_tree_edits import read_open_edits
        from clawgit.history.transaction.staging import refuse_conflicts

        try:
            refuse_conflicts(history)
        except ClawgitError as error:
            return _blocked(history, str(error))
        edits = read_open_edits(history, tip, now)
    return Status(
        tip.branch,
        tip.commit_id,
        "",
        *edits,
        _proposals(history),
        len(history.refs(INTENT)),
        len(history.refs(RESCUE)),
        paused_since(history) or "",
        ritual_is_open(history, tip.commit_id),
        len(history.refs(QUARANTINE)),
        tuple(leftover_locks(history)),
        *_unreviewed(history),
    )


def _proposals(history: History) -> tuple[Proposal, ...]:
    if not history.refs(PROPOSALS):
        return ()
    from clawgit.history.review.proposals import list_proposals

    return tuple(list_proposals(history))


def _unreviewed(history: History) -> tuple[tuple[str, ...], tuple[str, ...]]:
    from clawgit.history.review.unreviewed import unclaimed_commits, unreviewed_commits

    return unreviewed_commits(history), unclaimed_commits(history)


def _blocked(history: History, why: str) -> Status:
    """Return what can be said while nothing can be read or written safely."""
    locks = tuple(leftover_locks(history))
    return Status("", None, why, (), (), (), (), 0, 0, paused_since(history) or "", False, 0, locks)
