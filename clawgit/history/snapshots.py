"""Named states of the soul: making one, and finding one again by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.commit import APPLIED, REPEATED, Recorded, apply_plan
from clawgit.history.edits import edits_of
from clawgit.history.keep import Kept, keep_as_one, keep_op
from clawgit.history.locked import opened
from clawgit.history.log import SOUL_FILES
from clawgit.history.record import until_settled
from clawgit.history.recover import recover
from clawgit.history.views import refresh_views
from clawgit.plan import Plan
from clawgit.text.control import folded

if TYPE_CHECKING:
    from clawgit.history.intent import Intent
    from clawgit.history.objects import Commit
    from clawgit.history.repository import History

SNAPSHOT = "Clawgit-Snapshot"


def take_snapshot(history: History, name: str, intent: Intent) -> Recorded:
    """Commit the operator's edits of the soul under ``name``; without edits, name the state that stands.

    Raises:
        GuardError: The edits hold what must not be committed; nothing was changed.
    """
    plan = Plan(f"soul: {folded(name)}", trailers=((SNAPSHOT, folded(name)),))
    intent = opened(history, intent, name)
    with history.locked():
        recovered = Kept(recovered=tuple(recover(history)))
        done = _made_before(history, intent) if intent.given else None
        commit_id = done or until_settled(lambda: _commit_edits(history, plan, intent))
        if commit_id is not None:
            recovered |= Kept(remarks=refresh_views(history, intent.now))
    if commit_id is None:
        return apply_plan(history, lambda _: plan, intent)
    return Recorded(REPEATED if done else APPLIED, intent.op, commit_id, recovered)


def _commit_edits(history: History, plan: Plan, intent: Intent) -> str | None:
    tip = history.tip()
    found = edits_of(history, tip, SOUL_FILES)
    if not found.edits and not found.problems:
        return None
    return keep_as_one(history, tip, found, intent, plan)


def _made_before(history: History, intent: Intent) -> str | None:
    return history.ops.find(intent.op) or history.ops.find(keep_op(intent.op))


def find_snapshot(history: History, name: str) -> Commit | None:
    """Return the newest commit on this branch that was named so."""
    for commit in history.objects.first_parents(history.tip().commit_id):
        if commit.trailers.first(SNAPSHOT) == name:
            return commit
    return None
