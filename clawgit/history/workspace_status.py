"""How the workspace stands: read only, nothing is locked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.authorship.bootstrap_ritual import ritual_is_open
from clawgit.history.authorship.pause import paused_since
from clawgit.history.git.leftovers import leftover_locks
from clawgit.history.git.refs import INTENT, PROPOSALS, QUARANTINE, RESCUE
from clawgit.history.git.repository import refuse_odd_state
from clawgit.history.review.clean_working_tree import is_clean

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.leftovers import PresentLock
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.guards.finding import Finding
    from clawgit.history.review.proposals import Proposal


class Status(NamedTuple):
    """The state of history and working tree, and what waits for somebody."""

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


class _Edits(NamedTuple):
    """What is edited, what is staged, and what is held back."""

    paths: tuple[str, ...] = ()
    staged: tuple[str, ...] = ()
    held: tuple[Finding, ...] = ()


def read_status(history: History, now: datetime) -> Status:
    """Read how the workspace stands; the edits are looked for only where there are some."""
    try:
        refuse_odd_state(history)
    except ClawgitError as error:
        return _blocked(history, str(error))
    tip = history.tip()
    edits = _Edits()
    if not is_clean(history, tip):
        from clawgit.history.transaction.staging import refuse_conflicts

        try:
            refuse_conflicts(history)
        except ClawgitError as error:
            return _blocked(history, str(error))
        edits = _edits(history, tip, now)
    return Status(
        tip.branch,
        tip.commit_id,
        "",
        edits.paths,
        edits.staged,
        edits.held,
        _proposals(history),
        len(history.refs(INTENT)),
        len(history.refs(RESCUE)),
        paused_since(history) or "",
        ritual_is_open(history, tip.commit_id),
        len(history.refs(QUARANTINE)),
        tuple(leftover_locks(history)),
    )


def _edits(history: History, tip: Tip, now: datetime) -> _Edits:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.review.held_edits import hold_back
    from clawgit.history.review.working_tree_edits import all_edits
    from clawgit.text.safety.secrets import redact_path

    found = all_edits(history, tip)
    intent = Intent("status", UNKNOWN, now, soul_is_open=ritual_is_open(history, tip.commit_id))
    return _Edits(
        tuple(redact_path(edit.path) for edit in found.edits),
        tuple(redact_path(path) for path in found.staged),
        (*found.problems, *hold_back(history, tip, found.edits, intent, with_remarks=False).held),
    )


def _proposals(history: History) -> tuple[Proposal, ...]:
    if not history.refs(PROPOSALS):
        return ()
    from clawgit.history.review.proposals import list_proposals

    return tuple(list_proposals(history))


def _blocked(history: History, why: str) -> Status:
    """Return what can be said while nothing can be read or written safely."""
    locks = tuple(leftover_locks(history))
    return Status("", None, why, (), (), (), (), 0, 0, paused_since(history) or "", False, 0, locks)
