"""What others added to the soul unseen: listed with its lines, approved by the operator's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.apply_plan import apply_plan
from clawgit.history.decide_proposal import reviewed_by
from clawgit.history.reading.git_log import SOUL_FILES, read_named
from clawgit.history.review.proposals import ProposalError
from clawgit.history.review.unreviewed import unreviewed_commits, unreviewed_id
from clawgit.identity.drift import DriftKind, drift_between
from clawgit.plan import Plan

if TYPE_CHECKING:
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange


class Unreviewed(NamedTuple):
    """One change of the soul that stays, though the operator has not seen it: what it added."""

    change: LoggedChange
    added: tuple[str, ...]

    @property
    def proposal_id(self) -> str:
        """Return the id by which `soul approve` and `soul reject` take it."""
        return unreviewed_id(self.change.commit_id)


def list_unreviewed(history: History) -> list[Unreviewed]:
    """Return the changes of the soul by others that the operator has not seen, the oldest first."""
    named = unreviewed_commits(history)
    changes = read_named(history, named) if named else {}
    return [Unreviewed(changes[name], _added(history, changes[name])) for name in named]


def approve_unreviewed(history: History, proposal_id: str, intent: Intent) -> Recorded:
    """Record that the operator saw a change and lets it stay; the tree stays as it is.

    Raises:
        ProposalError: None is called so.
    """
    found = find_unreviewed(history, proposal_id)
    trailers = reviewed_by(history, found.proposal_id, intent)
    return apply_plan(history, lambda _: Plan(f"reviewed: {found.change.summary}", trailers=trailers), intent)


def find_unreviewed(history: History, proposal_id: str) -> Unreviewed:
    """Return one of them.

    Raises:
        ProposalError: None is called so.
    """
    for found in list_unreviewed(history):
        if found.proposal_id == proposal_id:
            return found
    raise ProposalError(
        f"Nothing unreviewed is called {proposal_id}.", hint="`clawgit soul pending` lists what is pending."
    )


def _added(history: History, change: LoggedChange) -> tuple[str, ...]:
    now = history.tree_of(change.commit_id)
    before = history.tree_of((*change.parent_ids, None)[0])
    found = []
    for path in SOUL_FILES:
        drift = drift_between(before.read(path) or b"", now.read(path) or b"")
        found += [each.new.text for each in drift.principles if each.kind is DriftKind.ADDED and each.new]
    return tuple(found)
