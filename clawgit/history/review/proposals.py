"""Edits that wait for the operator: each a commit of its own, named by a reference, in no branch."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import author_of
from clawgit.history.authorship.commit_messages import body_of, message_of
from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.refs import PROPOSALS, REJECTED, RESCUE, delete_ref, set_ref
from clawgit.history.transaction.drafts import Draft, entry_of
from clawgit.history.transaction.transaction import Change
from clawgit.plan import Plan
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.git.trees import Tree
    from clawgit.history.review.working_tree_edits import WorkEdit

SUMMARY = "proposal: "


class ProposalError(ClawgitError):
    """There is no such proposal, or it cannot be applied any more."""


class Proposal(NamedTuple):
    """One waiting edit: its id, who made it, which files, and the commit that holds it."""

    proposal_id: str
    commit_id: str
    actor: str
    summary: str
    paths: tuple[str, ...]


def proposal_id_of(path: str, content: FileContent | None) -> str:
    """Return the id that the same edit of the same file always has."""
    entry = entry_of(content)
    said = f"{path}\0{'' if entry is None else entry.object_id}"
    return "p-" + sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:10]


def park_edit(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> str:
    """Keep one edit for the operator and return its id; it is parked once."""
    plan = Plan(f"{edit.path} as the {intent.actor} would have it")
    draft = Draft(tip.tree, {edit.path: edit.content})
    return _park(history, tip, proposal_id_of(edit.path, edit.content), Change(draft, plan, intent))


def park_plan(history: History, tip: Tip, change: Change) -> str:
    """Keep a whole plan for the operator, as it would have been made, and return its id."""
    said = "\0".join(proposal_id_of(path, content) for path, content in change.draft.contents.items())
    return _park(history, tip, "p-" + sha256(said.encode()).hexdigest()[:10], change)


def set_aside(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> str:
    """Keep one edit where nobody is asked about it, and return the name by which git shows it."""
    plan = Plan(f"{edit.path} as the {intent.actor} would have it")
    name = RESCUE + proposal_id_of(edit.path, edit.content)
    _keep_commit(history, tip, name, Change(Draft(tip.tree, {edit.path: edit.content}), plan, intent))
    return name


def _park(history: History, tip: Tip, proposal_id: str, change: Change) -> str:
    name = PROPOSALS + proposal_id
    if history.target(name) is None and history.target(REJECTED + proposal_id) is None:
        _keep_commit(history, tip, name, change)
    return proposal_id


def _keep_commit(history: History, tip: Tip, name: str, change: Change) -> None:
    plan = change.plan._replace(summary=SUMMARY + change.plan.summary)
    message, _ = message_of(plan, change.intent._replace(op=new_op("proposal")))
    tree_id = change.draft.store(history.repo)
    who = author_of(history, change.intent.actor).signature(change.intent.now)
    parents: list[str] = [] if tip.commit_id is None else [tip.commit_id]
    set_ref(history, name, str(history.repo.create_commit(None, who, who, message, tree_id, parents)))


def list_proposals(history: History) -> list[Proposal]:
    """Return the waiting edits; one that the branch has by now waits no longer."""
    tip = history.tip().tree
    found = [
        _proposal(history, name.removeprefix(PROPOSALS), history.objects.commit(commit_id))
        for name, commit_id in sorted(history.refs(PROPOSALS).items())
    ]
    return [item for item in found if not _is_there(history, item, tip)]


def find_proposal(history: History, proposal_id: str) -> Proposal:
    """Return one that is pending.

    Raises:
        ProposalError: None is called so.
    """
    for found in list_proposals(history):
        if found.proposal_id == proposal_id:
            return found
    raise ProposalError(
        f"No pending proposal is called {proposal_id}.", hint="`clawgit soul pending` lists what is pending."
    )


def reject_proposal(history: History, proposal_id: str, reason: str, intent: Intent) -> None:
    """Take a proposal from the list for good: the same edit is not proposed again, and its reason is kept.

    Raises:
        ProposalError: None is called so.
    """
    with history.locked():
        found = find_proposal(history, proposal_id)
        plan = Plan(f"rejected: {found.summary.removeprefix(SUMMARY)}", reason=reason)
        message, _ = message_of(plan, intent)
        who = author_of(history, intent.actor).signature(intent.now)
        tree_id = history.objects.commit(found.commit_id).tree_id
        commit_id = history.repo.create_commit(None, who, who, message, tree_id, [found.commit_id])
        set_ref(history, REJECTED + proposal_id, str(commit_id))
        delete_ref(history, PROPOSALS + proposal_id)


def settle_proposal(history: History, proposal: Proposal, left: Mapping[str, bytes | None]) -> None:
    """Take a proposal whose edit was made from the list; where files in ``left`` shall read otherwise yet, it stays."""
    with history.locked():
        name = PROPOSALS + proposal.proposal_id
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
    """Return the reason for which this edit was rejected before; None if never."""
    commit_id = history.target(REJECTED + proposal_id)
    return None if commit_id is None else " ".join(body_of(history.objects.commit(commit_id)))


def _is_there(history: History, proposal: Proposal, tip: Tree) -> bool:
    wanted = history.tree_of(proposal.commit_id)
    return all(tip.entry(path) == wanted.entry(path) for path in proposal.paths)


def _proposal(history: History, proposal_id: str, commit: Commit) -> Proposal:
    base = history.tree_of(commit.parent_ids[0] if commit.parent_ids else None)
    return Proposal(
        proposal_id,
        commit.commit_id,
        commit.trailers.first("Clawgit-Actor") or "unknown",
        commit.subject,
        tuple(history.tree_of(commit.commit_id).changed(base)),
    )
