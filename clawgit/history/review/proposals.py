"""Edits that wait for the operator, each a commit with a reference, in no branch.

Also what happens to edits that `soul_policy` or `memory_policy` does not let pass.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from hashlib import sha256
from itertools import filterfalse
from operator import add
from shlex import quote
from typing import TYPE_CHECKING, Final

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN, in_third_person
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent, in_ritual
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.refs import PROPOSALS, REJECTED, RESCUE, delete_ref, set_ref
from clawgit.history.guards.authority import FORM, LOCKED, MEMORY_POLICY, POLICY, is_held
from clawgit.history.guards.finding import Finding, Severity
from clawgit.history.guards.quarantine import PROPOSED, Parked, keep_commit, put_into_quarantine, read_parked
from clawgit.history.provenance.correction_files import read_known_corrections
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.review.working_tree_edits import JudgedEdits, WorkEdit
from clawgit.history.transaction.transaction import Change
from clawgit.history.transaction.working_tree import (
    Draft,
    FileMove,
    content_of,
    draft_of,
    entry_of,
    put_files,
)
from clawgit.identity.principles import edit_pieces
from clawgit.identity.soul_policy import (
    SoulEdit,
    SoulPolicy,
    objection,
    over_budget,
    part_that_stays,
)
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.entries import line_words
from clawgit.memory.entries.tiers import RITUAL, holds_entries, is_correction_file, is_identity, is_standing
from clawgit.plan import Plan
from clawgit.text.comparing.similarity import words
from clawgit.text.markdown.lines import split_lines
from clawgit.workspace.safe_files import FileContent, data_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History, Tip
    from clawgit.history.git.trees import Tree


FORGETS = "forget: "
MOST: Final = 10  # items of a host that may be pending: few enough to read
LAPSED: Final = "Nobody decided for 60 days."


def proposal_id_of(contents: Mapping[str, FileContent | None]) -> str:
    """Return an id that is the same for the same edit of the same files."""
    parts = []
    for path, content in contents.items():
        entry = entry_of(content)
        parts.append(f"{path}\0{'' if entry is None else entry.object_id}")
    return _id_of("\0".join(parts))


def _id_of(text: str) -> str:
    return "p-" + sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:10]


def change_of(tip: Tip, edit: WorkEdit, intent: Intent) -> Change:
    plan = Plan(f"{edit.path} as the {intent.actor} would have it")
    return Change(Draft(tip.tree, {edit.path: edit.content}), plan, intent)


def park(history: History, tip: Tip, change: Change, proposal_id: str = "") -> str:
    """Keep a change for the operator, unless it waits already or was rejected, and return its id."""
    proposal_id = proposal_id or proposal_id_of(change.draft.contents)
    name = PROPOSALS + proposal_id
    if history.target(name) is None and history.target(REJECTED + proposal_id) is None:
        _keep_commit(history, tip, name, change)
    return proposal_id


def _keep_commit(history: History, tip: Tip, name: str, change: Change) -> None:
    plan = change.plan._replace(summary=PROPOSED + change.plan.summary)
    intent = change.intent._replace(op=new_op("proposal"))
    keep_commit(history, name, plan, intent, change.draft.store(history.repo), tip.commit_id)


def list_proposals(history: History) -> list[Parked]:
    """Return the pending edits, without those on the branch by now and orders to forget lines that are gone."""
    tip = history.tip().tree
    proposals = []
    for name, commit_id in sorted(history.refs(PROPOSALS).items()):
        proposal = read_parked(history, name, commit_id)
        proposed = history.tree_of(commit_id)
        is_made = all(tip.entry(path) == proposed.entry(path) for path in proposal.paths)
        if not is_made and not _is_forgotten(history, tip, proposal):
            proposals.append(proposal)
    return proposals


def _is_forgotten(history: History, tip: Tree, proposal: Parked) -> bool:
    if not proposal.summary.startswith(FORGETS):
        return False
    before, after = history.around(proposal.commit)
    for path in filterfalse(is_correction_file, proposal.paths):
        gone = set(split_lines(before.read(path) or b"")) - set(split_lines(after.read(path) or b""))
        if not gone.isdisjoint(split_lines(tip.read(path) or b"")):
            return False
    return True


def find_proposal(history: History, proposal_id: str) -> Parked:
    """Return a pending proposal, or a rejected one, which the operator may reconsider."""
    for proposal in list_proposals(history):
        if proposal.parked_id == proposal_id:
            return proposal
    rejected = history.target(REJECTED + proposal_id)
    if rejected is not None:
        (commit_id,) = history.objects.commit(rejected).parent_ids
        return read_parked(history, PROPOSALS + proposal_id, commit_id)
    hint = "`clawgit pending` lists what is pending."
    raise ClawgitError(f"No pending proposal is called {proposal_id}.", hint=hint)


def reject_proposal(history: History, proposal_id: str, reason: str, intent: Intent) -> None:
    """Reject a proposal: its reason is kept, and the same edit is not proposed again."""
    with history.locked():
        proposal = find_proposal(history, proposal_id)
        if history.target(PROPOSALS + proposal_id) is None:
            sentence = f"{proposal_id} was rejected before."
            raise ClawgitError(sentence, hint=f"`clawgit approve {proposal_id}` makes it all the same.")
        plan = Plan(f"rejected: {proposal.summary}", reason=reason)
        name, parked = REJECTED + proposal_id, proposal.commit
        keep_commit(history, name, plan, intent, parked.tree_id, parked.commit_id)
        delete_ref(history, PROPOSALS + proposal_id)
        tip = history.tip().tree
        proposed = history.tree_of(proposal.commit_id)
        for path in proposal.paths:  # the edit is taken out, if the file has it and no other edit
            move = FileMove(path, (content_of(proposed, path),), content_of(tip, path))
            put_files(history, [move], merge=False)


def lapsed_proposals(history: History, since: datetime) -> list[Parked]:
    """Return the proposals that lapsed since then: rejected without a decision."""
    lapsed = []
    for name, commit_id in sorted(history.refs(REJECTED).items()):
        commit = history.objects.commit(commit_id)
        if commit.committed_at > since.timestamp() and " ".join(commit.body) == LAPSED:
            lapsed.append(find_proposal(history, name.removeprefix(REJECTED)))
    return lapsed


def settle_proposal(history: History, proposal: Parked, left: Mapping[str, bytes | None]) -> None:
    """Remove an approved proposal from the list; with ``left``, it stays with these texts instead."""
    with history.locked():
        name = PROPOSALS + proposal.parked_id
        delete_ref(history, REJECTED + proposal.parked_id)
        if not left:
            delete_ref(history, name)
            return
        tip = history.tip()
        was = history.repo[proposal.commit_id].peel(pygit2.Commit)
        texts = {path: None if data is None else FileContent(data) for path, data in left.items()}
        tree_id = Draft(tip.tree, texts).store(history.repo)
        parents = [] if tip.commit_id is None else [tip.commit_id]
        moved = history.repo.create_commit(None, was.author, was.committer, was.message, tree_id, parents)
        set_ref(history, name, str(moved))


def why_rejected(history: History, proposal_id: str) -> str | None:
    commit_id = history.target(REJECTED + proposal_id)
    if commit_id is None:
        return None
    return " ".join(history.objects.commit(commit_id).body) or "no reason given"


class TooManyOpenError(ClawgitError):
    """A host has too many items pending with the operator."""


def propose_principle(history: History, line: str, plan: Plan, intent: Intent) -> str:
    """Propose a principle that no author wrote; a pending one is not proposed twice."""
    with history.locked():
        for waiting in list_proposals(history):
            soul = history.tree_of(waiting.commit_id).read("SOUL.md") or b""
            if any(words(each) == words(line) for each in soul.decode("utf-8", "replace").splitlines()):
                return waiting.parked_id
        refuse_flood(history, intent)
        tip = history.tip()
        return park(history, tip, Change(draft_of(tip.tree, plan.edits), plan, intent))


def _open_of(history: History, *actors: str) -> list[str]:
    """Return the pending proposals by these actors, without those of memory, which has a limit of its own."""
    proposals = []
    for each in list_proposals(history):
        if each.actor in actors and not each.is_of_memory:
            proposals.append(each.parked_id)
    return proposals


def refuse_flood(history: History, intent: Intent) -> None:
    """Refuse a host's next proposal or question while ten wait for the operator."""
    if intent.actor not in (HOST, UNKNOWN):
        return
    waiting = len(_open_of(history, HOST, UNKNOWN))
    with present_fold(history) as store:
        for each in read_known_corrections(history, store):
            if each.correction.status is Status.OPEN and each.actor in (HOST, UNKNOWN):
                waiting += 1
    if waiting >= MOST:
        sentence = f"{MOST} proposals and questions of yours wait for the operator already, so this one was not added."
        hint = "Do not repeat it. Tell him what you meant; more can be added when he has answered (`clawgit status`)."
        raise TooManyOpenError(sentence, hint=hint)


MOST_OF_MEMORY: Final = 50  # pending changes of memory by others

_Lines = Counter[tuple[str, str, bytes]]


def settle_soul_edits(history: History, tip: Tip, edits: tuple[WorkEdit, ...], intent: Intent) -> JudgedEdits:
    """Apply `soul_policy` to edits that are not the operator's.

    A host's edit that may not stay is parked as a proposal, then its file goes back. An edit of unknown origin is parked
    too, but its file stays as it is: only the operator may revert it.
    """
    bound = []
    for edit in edits:
        ends_first_talk = edit.path == RITUAL and edit.content is None
        if (is_identity(edit.path) or is_standing(edit.path)) and not ends_first_talk:
            bound.append(edit)
    if not bound or tip.commit_id is None:
        return JudgedEdits(edits)
    free = tuple(edit for edit in edits if edit not in bound)
    if intent.actor == OPERATOR:
        is_locked = SoulPolicy(history.settings.soul_policy) is SoulPolicy.LOCKED
        if not is_locked or LOCKED in intent.overridden:
            return JudgedEdits(edits)
        findings = []
        for edit in bound:
            sentence = f"{edit.path} is locked by soul_policy."
            findings.append(Finding(LOCKED, edit.path, sentence, "Say why with --reason."))
        return JudgedEdits(free, tuple(findings))
    intent = in_ritual(history, tip.commit_id, intent)
    if intent.soul_is_open:
        return JudgedEdits(edits)
    settle = _settle_host if intent.actor == HOST else _settle_unknown
    result = JudgedEdits(free)
    for edit in bound:
        result = JudgedEdits(*map(add, result, settle(history, tip, edit, intent)))
    return result


def _settle_host(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> JudgedEdits:
    old = tip.tree.read(edit.path)
    new = data_of(edit.content)
    policy = SoulPolicy(history.settings.soul_policy)
    is_form = intent.form_is_open and edit.path == FORM
    soul_edit = SoulEdit(HOST, intent.trust, old, new, is_standing(edit.path), is_form)
    stays = part_that_stays(soul_edit, policy)
    if _is_too_much(history, edit.path, old, stays):
        stays = old
    if stays == new:
        return JudgedEdits((edit,))
    parked = ""
    if policy is not SoulPolicy.LOCKED:
        change = change_of(tip, edit, intent)
        others = _open_of(history, HOST)
        if len(others) < MOST or proposal_id_of(change.draft.contents) in others:
            parked = park(history, tip, change)
        finding = _parked_finding(history, tip, POLICY, change, parked)
    else:
        sentence = f"The host's edit of {edit.path} went back, since soul_policy is locked."
        finding = Finding(LOCKED, edit.path, sentence, "It is kept in quarantine.")
        draft = Draft(tip.tree, dict([edit]))
        name = put_into_quarantine(history, tip, draft, [finding], intent, Plan(""))
        finding = finding._replace(way_out=f"`clawgit pending show {name}` shows it.")
    content = None if stays is None else FileContent(stays)
    put_files(history, [FileMove(edit.path, (edit.content,), content)], merge=False)
    left = (WorkEdit(edit.path, content),) if stays != old else ()
    return JudgedEdits(left, (finding,), proposals=tuple(filter(None, [parked])))


def _is_too_much(history: History, path: str, old: bytes | None, new: bytes | None) -> bool:
    return is_identity(path) and over_budget(old, new, history.settings.soul_max_tokens) > 0


def _parked_finding(history: History, tip: Tip, rule: str, change: Change, parked: str) -> Finding:
    """Return what became of an edit of one file; without ``parked`` too many wait already, and it is set aside."""
    (path,) = change.draft.contents
    whose = in_third_person(change.intent.actor)
    rejected = why_rejected(history, parked) if parked else None
    if not parked:
        name = RESCUE + proposal_id_of(change.draft.contents)
        _keep_commit(history, tip, name, change)
        says = "went back: others of its author need the operator's answer first"
        way_out = f"`git show {name}` shows it."
    elif rejected is not None:
        says = f"went back, since it was rejected before ({rejected})"
        way_out = f"`git show {REJECTED}{parked}` shows it."
    else:
        says = f"needs the operator's approval: {parked}"
        way_out = f"`clawgit pending show {parked}` shows it; `clawgit approve {parked}` makes it."
    return Finding(rule, path, f"The edit of {path} by {whose} {says}.", way_out)


def _settle_unknown(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> JudgedEdits:
    policy = SoulPolicy(history.settings.soul_policy)
    old = tip.tree.read(edit.path)
    new = data_of(edit.content)
    soul_edit = SoulEdit(intent.actor, intent.trust, old, new, is_standing(edit.path))
    if objection(soul_edit, policy) is None and not _is_too_much(history, edit.path, old, new):
        return JudgedEdits((edit,))
    sentence = f"{edit.path} has an edit by an unknown author that nobody has agreed to."
    parked = park(history, tip, change_of(tip, edit, intent))
    drop = f"git restore {quote(edit.path)}"
    if why_rejected(history, parked) is None:
        drop = f"clawgit reject {parked}"
    way_out = f"`clawgit keep --as operator` if it is yours, `{drop}` to drop it."
    return JudgedEdits((), (Finding(POLICY, edit.path, sentence, way_out),), proposals=(parked,))


def settle_memory_edits(
    history: History, tip: Tip, edits: tuple[WorkEdit, ...], intent: Intent
) -> JudgedEdits:
    """Put back the files of memory with edits that wait; all that was written is kept."""
    if not is_held(history.settings, intent):
        return JudgedEdits(edits)
    stay: list[WorkEdit] = []
    findings: list[Finding] = []
    proposals: list[str] = []
    for edit in edits:
        if not holds_entries(edit.path):
            stay.append(edit)
            continue
        change = change_of(tip, edit, intent)
        parked = ""
        with suppress(TooManyOpenError):
            parked = park_memory(history, tip, change)
            proposals.append(parked)
        finding = _parked_finding(history, tip, MEMORY_POLICY, change, parked)
        findings.append(finding._replace(severity=Severity.REMARK))
        back = content_of(tip.tree, edit.path)
        put_files(history, [FileMove(edit.path, (edit.content,), back)], merge=False)
    return JudgedEdits(tuple(stay), tuple(findings), proposals=tuple(proposals))


def park_memory(history: History, tip: Tip, change: Change) -> str:
    """Keep a change of memory for the operator and return its id; callers hold the lock."""
    author = change.intent.actor
    paths = change.draft.changed_paths()
    lines = _changed_lines(tip.tree, change.draft, paths)
    contained: list[Parked] = []
    outsiders = 0
    for proposal in list_proposals(history):
        if not proposal.is_of_memory:
            continue
        outsiders += proposal.actor in (HOST, UNKNOWN)
        if proposal.actor != author:
            continue
        others = _changed_lines(*history.around(proposal.commit), proposal.paths)
        if lines and lines <= others:
            return proposal.parked_id
        if others <= lines:
            contained.append(proposal)
    if author in (HOST, UNKNOWN) and outsiders - len(contained) >= MOST_OF_MEMORY:
        sentence = f"{MOST_OF_MEMORY} changes of memory need the operator's answer already, so this one was not added."
        hint = "Do not repeat it. Tell him; more can be added when he has answered (`clawgit pending`)."
        raise TooManyOpenError(sentence, hint=hint)
    proposal_id = park(history, tip, change, _id_of(repr((sorted(paths), sorted(lines.items())))))
    for proposal in contained:
        delete_ref(history, PROPOSALS + proposal.parked_id)
    return proposal_id


def _changed_lines(base: Tree, new: Draft | Tree, paths: Iterable[str]) -> _Lines:
    """Count removed and added lines without their marks: an id tells a person nothing."""
    lines: _Lines = Counter()
    for path in paths:
        for piece in edit_pieces(base.read(path) or b"", new.read(path) or b""):
            for sign, texts in (("-", piece.gone), ("+", piece.come)):
                for text in texts:
                    if text.strip():
                        lines[path, sign, line_words(text)] += 1
    return lines
