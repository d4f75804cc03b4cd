"""Edits that wait for the operator: each a commit of its own, named by a reference, in no branch."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, UNKNOWN
from clawgit.history.authorship.commit_messages import body_of
from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.refs import PROPOSALS, REJECTED, RESCUE, delete_ref, set_ref
from clawgit.history.guards.quarantine import keep_commit
from clawgit.history.provenance.correction_files import read_known_corrections
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.transaction.drafts import Draft, entry_of
from clawgit.history.transaction.transaction import Change
from clawgit.history.transaction.working_tree import Move, content_of, put_files
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.tiers import holds_entries
from clawgit.plan import Plan
from clawgit.text.comparing.similarity import words
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.review.working_tree_edits import WorkEdit

SUMMARY = "proposal: "
MOST: Final = 10  # items of a host that may be pending: few enough to be read
LAPSED: Final = "Nobody decided for 60 days."


class Proposal(NamedTuple):
    """One waiting edit: its id, who made it, which files, and the commit that holds it."""

    proposal_id: str
    commit_id: str
    actor: str
    summary: str
    paths: tuple[str, ...]

    @property
    def is_of_memory(self) -> bool:
        """Say whether it waits because of `memory_policy`."""
        return any(map(holds_entries, self.paths))


def proposal_id_of(path: str, content: FileContent | None) -> str:
    """Return the id that the same edit of the same file always has."""
    entry = entry_of(content)
    sentence = f"{path}\0{'' if entry is None else entry.object_id}"
    return "p-" + sha256(sentence.encode("utf-8", "surrogateescape")).hexdigest()[:10]


def change_of(tip: Tip, edit: WorkEdit, intent: Intent) -> Change:
    plan = Plan(f"{edit.path} as the {intent.actor} would have it")
    return Change(Draft(tip.tree, {edit.path: edit.content}), plan, intent)


def park_edit(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> str:
    """Keep one edit for the operator and return its id; it is parked once."""
    return park(history, tip, proposal_id_of(edit.path, edit.content), change_of(tip, edit, intent))


def park_plan(history: History, tip: Tip, change: Change) -> str:
    """Keep a whole plan for the operator, as it would have been made, and return its id."""
    said = "\0".join(proposal_id_of(path, content) for path, content in change.draft.contents.items())
    return park(history, tip, "p-" + sha256(said.encode()).hexdigest()[:10], change)


def set_aside(history: History, tip: Tip, edit: WorkEdit, intent: Intent) -> str:
    """Keep one edit where nobody is asked about it, and return the name by which git shows it."""
    name = RESCUE + proposal_id_of(edit.path, edit.content)
    _keep_commit(history, tip, name, change_of(tip, edit, intent))
    return name


def park(history: History, tip: Tip, proposal_id: str, change: Change) -> str:
    """Keep a change under an id, unless it waits already or was rejected, and return the id."""
    name = PROPOSALS + proposal_id
    if history.target(name) is None and history.target(REJECTED + proposal_id) is None:
        _keep_commit(history, tip, name, change)
    return proposal_id


def _keep_commit(history: History, tip: Tip, name: str, change: Change) -> None:
    plan = change.plan._replace(summary=SUMMARY + change.plan.summary)
    intent = change.intent._replace(op=new_op("proposal"))
    keep_commit(history, name, plan, intent, change.draft.store(history.repo), tip.commit_id)


def list_proposals(history: History) -> list[Proposal]:
    """Return the pending edits; one that the branch has by now is not pending any more."""
    tip = history.tip().tree
    proposals = []
    for name, commit_id in sorted(history.refs(PROPOSALS).items()):
        proposal = _proposal(history, name.removeprefix(PROPOSALS), history.objects.commit(commit_id))
        proposed = history.tree_of(commit_id)
        if any(tip.entry(path) != proposed.entry(path) for path in proposal.paths):
            proposals.append(proposal)
    return proposals


def find_proposal(history: History, proposal_id: str) -> Proposal:
    """Return one that is pending, or was rejected: the operator may think better of it."""
    for proposal in list_proposals(history):
        if proposal.proposal_id == proposal_id:
            return proposal
    rejected = history.target(REJECTED + proposal_id)
    if rejected is not None:
        (commit_id,) = history.objects.commit(rejected).parent_ids
        return _proposal(history, proposal_id, history.objects.commit(commit_id))
    raise ClawgitError(
        f"No pending proposal is called {proposal_id}.", hint="`clawgit pending` lists what is pending."
    )


def reject_proposal(history: History, proposal_id: str, reason: str, intent: Intent) -> None:
    """Take a proposal from the list: the same edit is not proposed again, and its reason is kept."""
    with history.locked():
        proposal = find_proposal(history, proposal_id)
        if history.target(PROPOSALS + proposal_id) is None:
            raise ClawgitError(
                f"{proposal_id} was rejected before.",
                hint=f"`clawgit approve {proposal_id}` makes it all the same.",
            )
        plan = Plan(f"rejected: {proposal.summary.removeprefix(SUMMARY)}", reason=reason)
        tree_id = history.objects.commit(proposal.commit_id).tree_id
        keep_commit(history, REJECTED + proposal_id, plan, intent, tree_id, proposal.commit_id)
        delete_ref(history, PROPOSALS + proposal_id)
        tip = history.tip().tree
        proposed = history.tree_of(proposal.commit_id)
        for path in proposal.paths:  # the edit itself goes, where it is still in the folder and nothing more
            move = Move(path, (content_of(proposed, path),), content_of(tip, path))
            put_files(history, [move], merge=False)


def lapsed_proposals(history: History, since: datetime) -> list[Proposal]:
    """Return the proposals that lapsed from a time on: rejected because nobody decided."""
    lapsed = []
    for name, commit_id in sorted(history.refs(REJECTED).items()):
        commit = history.objects.commit(commit_id)
        if commit.committed_at > since.timestamp() and " ".join(body_of(commit)) == LAPSED:
            lapsed.append(find_proposal(history, name.removeprefix(REJECTED)))
    return lapsed


def settle_proposal(history: History, proposal: Proposal, left: Mapping[str, bytes | None]) -> None:
    """Take a proposal whose edit was made from the list; where files in ``left`` shall read otherwise yet, it stays."""
    with history.locked():
        name = PROPOSALS + proposal.proposal_id
        delete_ref(history, REJECTED + proposal.proposal_id)
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
    return " ".join(body_of(history.objects.commit(commit_id))) or "no reason given"


def _proposal(history: History, proposal_id: str, commit: Commit) -> Proposal:
    paths = tuple(history.tree_of(commit.commit_id).changed(history.tree_of(commit.first_parent)))
    actor = commit.trailers.first("Clawgit-Actor") or UNKNOWN
    return Proposal(proposal_id, commit.commit_id, actor, commit.subject, paths)


class TooManyOpenError(ClawgitError):
    """A host has asked the operator enough."""


def propose_principle(history: History, line: str, plan: Plan, intent: Intent) -> str:
    """Keep a principle that nobody wrote for the operator; one that waits already is not asked twice."""
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
    waiting = [
        each.proposal_id for each in list_proposals(history) if each.actor == HOST and not each.is_of_memory
    ]
    return len(waiting) >= MOST and proposal_id_of(edit.path, edit.content) not in waiting


def refuse_flood(history: History, intent: Intent) -> None:
    """Refuse one more proposal or question of a host while ten of them wait for the operator."""
    if intent.actor not in (HOST, UNKNOWN):
        return
    waiting = 0
    for proposal in list_proposals(history):
        if proposal.actor in (HOST, UNKNOWN) and not proposal.is_of_memory:
            waiting += 1
    with present_fold(history) as store:
        for each in read_known_corrections(history, store):
            if each.correction.status is Status.OPEN and each.actor in (HOST, UNKNOWN):
                waiting += 1
    if waiting >= MOST:
        raise TooManyOpenError(
            f"{MOST} proposals and questions of yours wait for the operator already, so this one was not added.",
            hint="Do not repeat it. Tell him what you meant; more can be added when he has answered (`clawgit status`).",
        )
