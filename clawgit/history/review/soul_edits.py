"""Edits of the soul and the standing files that were found in the working tree: stay, wait, or go back."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import HOST, OPERATOR
from clawgit.history.authorship.intent import in_ritual
from clawgit.history.git.refs import PROPOSALS, REJECTED
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.quarantine import Refused, put_into_quarantine
from clawgit.history.guards.soul import EXTERNAL, FORM, LOCKED, POLICY
from clawgit.history.review.proposals import MOST, is_full, park_edit, set_aside, why_rejected
from clawgit.history.review.working_tree_edits import WorkEdit
from clawgit.history.transaction.drafts import Draft
from clawgit.history.transaction.working_tree import Move, put_files
from clawgit.identity.soul_policy import (
    SoulEdit,
    SoulPolicy,
    SoulView,
    Verdict,
    judge_host_edit,
    objection,
    over_budget,
)
from clawgit.memory.entries.tiers import RITUAL, is_identity, is_standing
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History, Tip


class SettledEdits(NamedTuple):
    """The edits that may be kept, and what was decided about the others."""

    edits: tuple[WorkEdit, ...]
    held: tuple[Finding, ...] = ()
    proposals: tuple[str, ...] = ()


def settle_soul_edits(
    history: History, tip: Tip, edits: tuple[WorkEdit, ...], intent: Intent
) -> SettledEdits:
    """Apply `soul_policy` to edits that are not the operator's.

    A host's edit that may not stay is parked as a proposal, then its file goes back. An edit of unknown
    origin is parked too, but its file is left as it is: only the operator may say that it goes.
    """
    bound = [edit for edit in edits if _is_bound(edit)]
    if not bound or tip.commit_id is None:
        return SettledEdits(edits)
    if intent.actor == OPERATOR:
        return _settle_operator(history, edits, bound, intent)
    intent = in_ritual(history, tip.commit_id, intent)
    if intent.soul_is_open:
        return SettledEdits(edits)
    settle = _settle_host if intent.actor == HOST else _settle_unknown
    result = SettledEdits(tuple(edit for edit in edits if edit not in bound))
    for edit in bound:
        result = SettledEdits(*map(add, result, settle(history, tip, edit, intent)))
    return result


def _is_bound(edit: WorkEdit) -> bool:
    """Say whether `soul_policy` is about it; the end of the first conversation is nobody's to take back."""
    if edit.path == RITUAL and edit.content is None:
        return False
    return is_identity(edit.path) or is_standing(edit.path)


def _settle_operator(
    history: History, edits: tuple[WorkEdit, ...], bound: list[WorkEdit], intent: Intent
) -> SettledEdits:
    if LOCKED in intent.overridden or SoulPolicy(history.settings.soul_policy) is not SoulPolicy.LOCKED:
        return SettledEdits(edits)
    held = tuple(
        Finding(LOCKED, edit.path, f"{edit.path} is locked by soul_policy.", "Say why with --reason.")
        for edit in bound
    )
    return SettledEdits(tuple(edit for edit in edits if edit not in bound), held)


def _settle_host(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> SettledEdits:
    old = tip.tree.read(edit.path)
    new = None if edit.content is None else edit.content.data
    policy = SoulPolicy(history.settings.soul_policy)
    is_form = intent.form_is_open and edit.path == FORM
    verdict = judge_host_edit(policy, old, new, is_standing=is_standing(edit.path), is_form=is_form)
    if intent.trust == EXTERNAL or _is_too_much(history, edit.path, old, verdict.kept):
        verdict = Verdict(old, proposed=True, restored=True)
    if verdict.kept == new:
        return SettledEdits((edit,))
    park = _proposed if verdict.proposed else _quarantined
    parked, finding = park(history, tip, edit, intent)
    kept = None if verdict.kept is None else FileContent(verdict.kept)
    put_files(history, [Move(edit.path, (edit.content,), kept)], merge=False)
    stays = (WorkEdit(edit.path, kept),) if verdict.kept != old else ()
    return SettledEdits(stays, (finding,), (parked,) if verdict.proposed and parked else ())


def _is_too_much(history: History, path: str, old: bytes | None, new: bytes | None) -> bool:
    return is_identity(path) and over_budget(old, new, history.settings.soul_max_tokens) > 0


def _proposed(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> tuple[str, Finding]:
    if is_full(history, edit, intent):
        aside = set_aside(history, tip, edit, intent)
        said = f"The agent's edit to {edit.path} went back: {MOST} of its proposals need your answer first."
        return "", Finding(POLICY, edit.path, said, f"`git show {aside}` shows it.")
    parked = park_edit(history, tip, edit, intent)
    rejected = why_rejected(history, parked)
    if rejected is not None:
        said = f"This edit of {edit.path} was rejected before ({rejected}), so it went back."
        return parked, Finding(POLICY, edit.path, said, f"`git show {REJECTED}{parked}` shows it.")
    said = f"The agent's edit to {edit.path} needs your approval: proposal {parked}."
    return parked, Finding(POLICY, edit.path, said, f"`git show {PROPOSALS}{parked}` shows it.")


def _quarantined(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> tuple[str, Finding]:
    said = f"The host's edit of {edit.path} went back, since soul_policy is locked."
    against = Finding(LOCKED, edit.path, said, "It is kept in quarantine.")
    parked = put_into_quarantine(
        history, tip, Refused(Draft(tip.tree, {edit.path: edit.content}), (against,)), intent
    )
    return parked, against._replace(way_out=f"`clawgit pending show {parked}` shows it.")


def _settle_unknown(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> SettledEdits:
    policy = SoulPolicy(history.settings.soul_policy)
    old = tip.tree.read(edit.path)
    new = None if edit.content is None else edit.content.data
    asked = SoulEdit(intent.actor, intent.trust, old, new, is_standing(edit.path))
    if objection(asked, SoulView(policy)) is None and not _is_too_much(history, edit.path, old, new):
        return SettledEdits((edit,))
    parked = park_edit(history, tip, edit, intent)
    finding = Finding(
        POLICY,
        edit.path,
        f"{edit.path} has an edit by an unknown author that nobody has agreed to.",
        f"`clawgit keep --as operator` if it is yours, `git restore {edit.path}` to drop it.",
    )
    return SettledEdits((), (finding,), (parked,))
