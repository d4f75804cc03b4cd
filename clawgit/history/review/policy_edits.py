"""Edits that `soul_policy` or `memory_policy` does not let pass: each stays, waits, or goes back."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN
from clawgit.history.authorship.intent import in_ritual
from clawgit.history.git.refs import PROPOSALS, REJECTED, delete_ref
from clawgit.history.guards.authority import EXTERNAL, FORM, LOCKED, MEMORY_POLICY, POLICY, is_held
from clawgit.history.guards.finding import Finding, Severity
from clawgit.history.guards.quarantine import Refused, put_into_quarantine
from clawgit.history.review.proposals import (
    MOST,
    TooManyOpenError,
    change_of,
    is_full,
    list_proposals,
    park,
    park_edit,
    set_aside,
    why_rejected,
)
from clawgit.history.review.working_tree_edits import WorkEdit
from clawgit.history.transaction.drafts import Draft
from clawgit.history.transaction.working_tree import Move, content_of, put_files
from clawgit.identity.carried_edit import edit_pieces
from clawgit.identity.soul_policy import (
    SoulEdit,
    SoulPolicy,
    SoulView,
    Verdict,
    judge_host_edit,
    objection,
    over_budget,
)
from clawgit.memory.entries.entry_marks import without_marks
from clawgit.memory.entries.tiers import RITUAL, holds_entries, is_identity, is_standing
from clawgit.workspace.safe_files import FileContent, data_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.git.trees import Tree
    from clawgit.history.guards.finding import After
    from clawgit.history.review.proposals import Proposal
    from clawgit.history.transaction.transaction import Change

MOST_OF_MEMORY: Final = 50  # changes of memory by others that may be pending

_Lines = Counter[tuple[str, str, bytes]]


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
    bound = []
    for edit in edits:
        ends_first_talk = edit.path == RITUAL and edit.content is None
        if (is_identity(edit.path) or is_standing(edit.path)) and not ends_first_talk:
            bound.append(edit)
    if not bound or tip.commit_id is None:
        return SettledEdits(edits)
    free = tuple(edit for edit in edits if edit not in bound)
    if intent.actor == OPERATOR:
        is_locked = SoulPolicy(history.settings.soul_policy) is SoulPolicy.LOCKED
        if not is_locked or LOCKED in intent.overridden:
            return SettledEdits(edits)
        findings = []
        for edit in bound:
            sentence = f"{edit.path} is locked by soul_policy."
            findings.append(Finding(LOCKED, edit.path, sentence, "Say why with --reason."))
        return SettledEdits(free, tuple(findings))
    intent = in_ritual(history, tip.commit_id, intent)
    if intent.soul_is_open:
        return SettledEdits(edits)
    settle = _settle_host if intent.actor == HOST else _settle_unknown
    result = SettledEdits(free)
    for edit in bound:
        result = SettledEdits(*map(add, result, settle(history, tip, edit, intent)))
    return result


def _settle_host(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> SettledEdits:
    old = tip.tree.read(edit.path)
    new = data_of(edit.content)
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
        sentence = (
            f"The agent's edit to {edit.path} went back: {MOST} of its proposals need your answer first."
        )
        return "", Finding(POLICY, edit.path, sentence, f"`git show {aside}` shows it.")
    parked = park_edit(history, tip, edit, intent)
    rejected = why_rejected(history, parked)
    if rejected is not None:
        sentence = f"This edit of {edit.path} was rejected before ({rejected}), so it went back."
        return parked, Finding(POLICY, edit.path, sentence, f"`git show {REJECTED}{parked}` shows it.")
    sentence = f"The agent's edit to {edit.path} needs your approval: proposal {parked}."
    return parked, Finding(POLICY, edit.path, sentence, f"`git show {PROPOSALS}{parked}` shows it.")


def _quarantined(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> tuple[str, Finding]:
    sentence = f"The host's edit of {edit.path} went back, since soul_policy is locked."
    against = Finding(LOCKED, edit.path, sentence, "It is kept in quarantine.")
    parked = put_into_quarantine(
        history, tip, Refused(Draft(tip.tree, {edit.path: edit.content}), (against,)), intent
    )
    return parked, against._replace(way_out=f"`clawgit pending show {parked}` shows it.")


def _settle_unknown(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> SettledEdits:
    policy = SoulPolicy(history.settings.soul_policy)
    old = tip.tree.read(edit.path)
    new = data_of(edit.content)
    asked = SoulEdit(intent.actor, intent.trust, old, new, is_standing(edit.path))
    if objection(asked, SoulView(policy)) is None and not _is_too_much(history, edit.path, old, new):
        return SettledEdits((edit,))
    sentence = f"{edit.path} has an edit by an unknown author that nobody has agreed to."
    parked = park_edit(history, tip, edit, intent)
    drop = f"git restore {edit.path}"
    if why_rejected(history, parked) is None:
        drop = f"clawgit reject {parked}"
    way_out = f"`clawgit keep --as operator` if it is yours, `{drop}` to drop it."
    return SettledEdits((), (Finding(POLICY, edit.path, sentence, way_out),), (parked,))


def settle_memory_edits(
    history: History, tip: Tip, edits: tuple[WorkEdit, ...], intent: Intent
) -> SettledEdits:
    """Put back the files of memory that somebody edited whose edits wait; nothing of what was written is lost."""
    if not is_held(history.settings, intent):
        return SettledEdits(edits)
    stay: list[WorkEdit] = []
    findings: list[Finding] = []
    proposals: list[str] = []
    for edit in edits:
        if not holds_entries(edit.path):
            stay.append(edit)
            continue
        try:
            parked = park_memory(history, tip, change_of(tip, edit, intent))
        except TooManyOpenError:
            parked = ""
        whose = "an unknown author" if intent.actor == UNKNOWN else f"the {intent.actor}"
        said = f"The edit of {edit.path} by {whose} went back"
        rejected = why_rejected(history, parked) if parked else None
        if not parked:
            name = set_aside(history, tip, edit, intent)
            sentence = f"{said}: {MOST_OF_MEMORY} changes of memory need the operator's answer first."
            way_out = f"`git show {name}` shows it."
        elif rejected is not None:
            sentence = f"{said}, since it was rejected before ({rejected})."
            way_out = f"`git show {REJECTED}{parked}` shows it."
        else:
            sentence = f"{said} and needs the operator's approval: {parked}."
            way_out = f"`clawgit pending show {parked}` shows it; `clawgit approve {parked}` makes it."
        findings.append(Finding(MEMORY_POLICY, edit.path, sentence, way_out, severity=Severity.REMARK))
        if parked:
            proposals.append(parked)
        back = content_of(tip.tree, edit.path)
        put_files(history, [Move(edit.path, (edit.content,), back)], merge=False)
    return SettledEdits(tuple(stay), tuple(findings), tuple(proposals))


def park_memory(history: History, tip: Tip, change: Change) -> str:
    """Keep a change of memory for the operator and return its id; callers hold the lock."""
    author = change.intent.actor
    paths = change.draft.changed_paths()
    lines = _changed_lines(tip.tree, change.draft, paths)
    contained: list[Proposal] = []
    outsiders = 0
    for proposal in list_proposals(history):
        if not proposal.is_of_memory:
            continue
        outsiders += proposal.actor in (HOST, UNKNOWN)
        if proposal.actor != author:
            continue
        under = next(iter(history.objects.commit(proposal.commit_id).parent_ids), None)
        others = _changed_lines(history.tree_of(under), history.tree_of(proposal.commit_id), proposal.paths)
        if lines and lines <= others:
            return proposal.proposal_id
        if others <= lines:
            contained.append(proposal)
    if author in (HOST, UNKNOWN) and outsiders - len(contained) >= MOST_OF_MEMORY:
        raise TooManyOpenError(
            f"{MOST_OF_MEMORY} changes of memory need the operator's answer already, so this one was not added.",
            hint="Do not repeat it. Tell him; more can be added when he has answered (`clawgit pending`).",
        )
    said = repr((sorted(paths), sorted(lines.items()))).encode("utf-8", "surrogateescape")
    proposal_id = park(history, tip, "p-" + sha256(said).hexdigest()[:10], change)
    for proposal in contained:
        delete_ref(history, PROPOSALS + proposal.proposal_id)
    return proposal_id


def _changed_lines(base: Tree, new: After | Tree, paths: Iterable[str]) -> _Lines:
    """Count the lines that go and come, without their marks: an id says nothing to a person."""
    lines: _Lines = Counter()
    for path in paths:
        for piece in edit_pieces(base.read(path) or b"", new.read(path) or b""):
            for sign, texts in (("-", piece.gone), ("+", piece.come)):
                for text in texts:
                    if text.strip():
                        lines[path, sign, without_marks(text).strip()] += 1
    return lines
