"""How much of a host's may wait for the operator: what he is asked must stay few enough to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, UNKNOWN
from clawgit.history.provenance.corrections_in_force import read_known_corrections
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.review.proposals import list_proposals, park_plan, proposal_id_of
from clawgit.history.transaction.drafts import Draft
from clawgit.history.transaction.transaction import Change
from clawgit.memory.corrections.correction_log import Status
from clawgit.text.comparing.similarity import words
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.review.working_tree_edits import WorkEdit
    from clawgit.plan import Plan

MOST: Final = 10


class TooManyOpenError(ClawgitError):
    """A host has asked the operator enough."""


def propose_principle(history: History, line: str, plan: Plan, intent: Intent) -> str:
    """Keep a principle that nobody wrote for the operator, whatever soul_policy would let pass; return the proposal's id.

    One that waits already is not asked twice, however it is punctuated.

    Raises:
        TooManyOpenError: Ten of the host's wait.
    """
    with history.locked():
        for waiting in list_proposals(history):
            soul = history.tree_of(waiting.commit_id).read("SOUL.md") or b""
            if any(words(each) == words(line) for each in soul.decode("utf-8", "replace").splitlines()):
                return waiting.proposal_id
        refuse_flood(history, intent)
        tip = history.tip()
        contents = {edit.path: None if edit.data is None else FileContent(edit.data) for edit in plan.edits}
        return park_plan(history, tip, Change(Draft(tip.tree, contents), plan, intent))


def is_full(history: History, edit: WorkEdit, intent: Intent) -> bool:
    """Say whether ten proposals of a host wait, and this edit of a file is none of them."""
    if intent.actor != HOST:
        return False
    waiting = [each.proposal_id for each in list_proposals(history) if each.actor == HOST]
    return len(waiting) >= MOST and proposal_id_of(edit.path, edit.content) not in waiting


def refuse_flood(history: History, intent: Intent) -> None:
    """Refuse one more proposal or question of a host while ten of them wait for the operator.

    Raises:
        TooManyOpenError: Ten wait.
    """
    if intent.actor not in (HOST, UNKNOWN) or _waiting(history) < MOST:
        return
    raise TooManyOpenError(
        f"{MOST} proposals and questions of yours wait for the operator already, so this one was not added.",
        hint="Do not repeat it. Tell him what you meant; more can be added when he has answered (`clawgit status`).",
    )


def _waiting(history: History) -> int:
    proposals = sum(each.actor in (HOST, UNKNOWN) for each in list_proposals(history))
    with present_fold(history) as store:
        known = read_known_corrections(history, store)
    asked = (each for each in known if each.correction.status is Status.OPEN)
    return proposals + sum(each.actor in (HOST, UNKNOWN) for each in asked)
