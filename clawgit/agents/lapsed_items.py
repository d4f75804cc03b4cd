"""What nobody decides within 60 days lapses: a no that changes nothing and can be taken back."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.agents.door.operator_plans import drop
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.decisions import pending_edits
from clawgit.history.guards.corrections import KEEPER, LAPSES, WRITTEN
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.review.proposals import LAPSED, reject_proposal
from clawgit.memory.corrections.correction_log import Correction, Status

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

_SOUL_KEEPER = "soul-keeper"


def lapse_items(history: History, now: datetime) -> None:
    """Reject the proposals and drop the questions that nobody decided for long.

    An edit that is still in the folder stays pending, and what the operator ordered himself.
    """
    for edit in pending_edits(history):
        if edit.may_lapse and now - edit.made_at >= LAPSES:
            reject_proposal(
                history, edit.proposal.proposal_id, LAPSED, Intent(new_op("lapse"), _SOUL_KEEPER, now)
            )
    for name, asked in standing_corrections(history.tip().tree).items():
        if asked.status is Status.OPEN and _is_old(asked, now):
            drop(history, f"x:{name}", Intent(new_op("lapse"), KEEPER, now), reason=LAPSED)


def _is_old(asked: Correction, now: datetime) -> bool:
    """Say whether a question was asked long ago; one whose time somebody rewrote stays."""
    try:
        since = datetime.strptime(asked.at, WRITTEN).replace(tzinfo=now.tzinfo)
    except ValueError:
        return False
    return now - since >= LAPSES
