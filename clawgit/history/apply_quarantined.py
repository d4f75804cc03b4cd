"""`quarantine apply`: what a guard refused, made after all, on the operator's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.guards.check import GuardError
from clawgit.history.guards.quarantine import QuarantineError, drop_quarantined, find_quarantined, reason_of
from clawgit.history.review.parked_changes import OverlaidError, evidence_of, laid_over, other_trailers
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.guards.quarantine import Quarantined


def apply_quarantined(history: History, quarantine_id: str, intent: Intent) -> Recorded:
    """Make the change on top of what came since, through the guards; then it is in quarantine no more.

    It keeps its evidence and the trust that it rests on: the operator's word lets it in, and makes it no truer.

    Raises:
        QuarantineError: Only the findings were kept, or later changes touch the same lines.
        GuardError: A guard is still against it.
    """
    found = find_quarantined(history, quarantine_id)
    if not found.paths:
        raise QuarantineError(
            f"Of {quarantine_id} only the findings were kept, since it held a secret or was too large.",
            hint="`clawgit quarantine show` says what was found.",
        )
    commit = history.objects.commit(found.commit_id)
    trust = commit.trailers.first("Clawgit-Trust") or ""
    try:
        done = apply_plan(history, lambda tree: _plan(history, found, tree), intent._replace(trust=trust))
    except GuardError as error:
        raise GuardError(error.findings, quarantine_id) from error
    drop_quarantined(history, quarantine_id)
    return done


def _plan(history: History, found: Quarantined, tree: Tree) -> Plan:
    commit = history.objects.commit(found.commit_id)
    base = history.tree_of(commit.parent_ids[0] if commit.parent_ids else None)
    wanted = history.tree_of(found.commit_id)
    edits = []
    for path in found.paths:
        try:
            edits.append(Edit(path, laid_over(base.read(path), tree.read(path), wanted.read(path))))
        except OverlaidError as error:
            raise QuarantineError(
                f"Later changes touch the same lines of {path}, so nothing was changed.",
                hint="`clawgit quarantine show` has the text; copy what you want into the file.",
            ) from error
    return Plan(
        found.summary,
        tuple(edits),
        reason_of(commit),
        evidence=evidence_of(commit),
        trailers=other_trailers(commit),
        verbatim=True,
    )
