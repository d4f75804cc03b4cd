"""`soul pending` and `soul approve`: what a proposal would change now, and making it on the operator's word."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.actors import author_of
from clawgit.history.authorship.commit_messages import body_of
from clawgit.history.provenance.principle_origins import BASIS, Origin
from clawgit.history.review.parked_changes import OverlaidError, evidence_of, laid_over, other_trailers
from clawgit.history.review.proposals import (
    SUMMARY,
    ProposalError,
    find_proposal,
    list_proposals,
    reject_proposal,
    settle_proposal,
)
from clawgit.identity.carried_edit import carried_over, edit_pieces, with_pieces
from clawgit.memory.entries.tiers import is_identity, is_standing
from clawgit.plan import Edit, Plan
from clawgit.text.words.tokens import count_pieces
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    from collections.abc import Container

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.review.proposals import Proposal
    from clawgit.identity.carried_edit import EditPiece
    from clawgit.plan import Evidence

REVIEWED, PROPOSAL = "Reviewed-by", "Clawgit-Proposal"


class ProposedPiece(NamedTuple):
    """One principle's part of a proposal, under the number by which `--only` takes it."""

    number: int
    path: str
    piece: EditPiece


class PendingEdit(NamedTuple):
    """A proposal with what it would change now; none where later changes touch the same lines (``is_stale``).

    ``is_open``: the edit is still in the folder, not committed.
    """

    proposal: Proposal
    commit: Commit
    reason: str
    evidence: tuple[Evidence, ...]
    pieces: tuple[ProposedPiece, ...] = ()
    tokens: int = 0
    is_stale: bool = False
    is_open: bool = False

    @property
    def made_at(self) -> datetime:
        """Return when it was proposed."""
        return datetime.fromtimestamp(self.commit.committed_at, UTC)


class Edited(NamedTuple):
    """A file as the operator saved it, and as it was committed when he began."""

    path: str
    before: bytes | None
    text: bytes


def pending_edits(history: History) -> list[PendingEdit]:
    """Return the proposals that are pending, the oldest first."""
    tree = history.tip().tree
    found = [_pending(history, proposal, tree) for proposal in list_proposals(history)]
    return sorted(found, key=lambda each: each.commit.committed_at)


LAPSES = timedelta(days=30)
_LAPSED = "Nobody decided for 30 days."


def lapse_proposals(history: History, now: datetime, intent: Intent) -> int:
    """Take proposals from the list that nobody decided for long, as if they were rejected; return how many.

    An edit that is still in the folder stays on it, and what the operator ordered himself.
    """
    old = [each for each in pending_edits(history) if _may_lapse(each) and now - each.made_at >= LAPSES]
    for each in old:
        reject_proposal(history, each.proposal.proposal_id, _LAPSED, intent)
    return len(old)


def _may_lapse(found: PendingEdit) -> bool:
    ordered = found.commit.trailers.first(BASIS) in (Origin.ORDER.value, Origin.CORRECTION.value)
    return not found.is_open and not ordered


def find_pending(history: History, proposal_id: str) -> PendingEdit:
    """Return one of them.

    Raises:
        ProposalError: None is called so.
    """
    return _pending(history, find_proposal(history, proposal_id), history.tip().tree)


def approve_proposal(
    history: History, proposal_id: str, intent: Intent, only: Container[int] | None = None
) -> Recorded:
    """Make the edit, or the pieces of it in ``only``, on top of what came since, as the operator's change.

    Where pieces are left, the proposal stays with these.

    Raises:
        ProposalError: There is none, or later changes touch the same lines; nothing was changed.
        GuardError: A guard is against it.
    """
    found = find_pending(history, proposal_id)
    taken = [each for each in found.pieces if only is None or each.number in only]
    if found.is_stale or not taken:
        raise _nothing_to_take(found)
    done = apply_plan(history, lambda tree: _plan(history, found, tree, only, intent), intent)
    if done.commit_id is not None:
        before = history.tree_of(history.objects.commit(done.commit_id).parent_ids[0])
        whole = {path: _wanted(history, found.proposal, path, before) for path in found.proposal.paths}
        settle_proposal(history, found.proposal, whole if len(taken) < len(found.pieces) else {})
    return done


def approved_text(history: History, found: PendingEdit, path: str) -> bytes | None:
    """Return how a file would read with the whole proposal; None is no file."""
    return _wanted(history, found.proposal, path, history.tip().tree)


def approve_edited(history: History, found: PendingEdit, edited: Edited, intent: Intent) -> Recorded:
    """Make what the operator wrote from a proposal the file's, on top of what came meanwhile; the proposal is settled.

    Raises:
        ProposalError: Somebody changed the same lines meanwhile; nothing was changed.
        GuardError: A guard is against it.
    """

    def planned(tree: Tree) -> Plan:
        try:
            text = laid_over(edited.before, tree.read(edited.path), edited.text)
        except OverlaidError as error:
            raise _nothing_to_take(found._replace(is_stale=True)) from error
        edits = (Edit(edited.path, text),)
        return Plan(_summary(found), edits, found.reason, trailers=_signed(history, found, intent))

    done = apply_plan(history, planned, intent)
    settle_proposal(history, found.proposal, {})
    return done


def _pending(history: History, proposal: Proposal, tree: Tree) -> PendingEdit:
    commit = history.objects.commit(proposal.commit_id)
    reason = "\n".join(body_of(commit)).strip()
    is_open = all(_is_open(history, proposal, path) for path in proposal.paths)
    bare = PendingEdit(proposal, commit, reason, evidence_of(commit), is_open=is_open)
    pieces: list[ProposedPiece] = []
    tokens = 0
    for path in proposal.paths:
        try:
            wanted = _wanted(history, proposal, path, tree) or b""
        except OverlaidError:
            return bare._replace(is_stale=True)
        present = tree.read(path) or b""
        tokens += _tokens(wanted) - _tokens(present)
        for piece in edit_pieces(present, wanted):
            pieces.append(ProposedPiece(len(pieces) + 1, path, piece))
    return bare._replace(pieces=tuple(pieces), tokens=tokens)


def _is_open(history: History, proposal: Proposal, path: str) -> bool:
    content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
    wanted = history.tree_of(proposal.commit_id).read(path)
    return (None if content is None else content.data) == wanted


def _wanted(history: History, proposal: Proposal, path: str, tree: Tree) -> bytes | None:
    commit = history.objects.commit(proposal.commit_id)
    base = history.tree_of(commit.parent_ids[0] if commit.parent_ids else None)
    old = base.read(path)
    present = tree.read(path)
    wanted = history.tree_of(proposal.commit_id).read(path)
    if old is None or present is None or wanted is None or not (is_identity(path) or is_standing(path)):
        return laid_over(old, present, wanted)
    carried = carried_over(old, present, wanted) if present != old else wanted
    return laid_over(old, present, wanted) if carried is None else carried


def _plan(
    history: History, found: PendingEdit, tree: Tree, only: Container[int] | None, intent: Intent
) -> Plan:
    now = _pending(history, found.proposal, tree)
    if now.is_stale or [each.piece for each in now.pieces] != [each.piece for each in found.pieces]:
        raise _nothing_to_take(now._replace(is_stale=True))
    edits = []
    for path in found.proposal.paths:
        wanted = _wanted(history, found.proposal, path, tree)
        here = [each for each in now.pieces if each.path == path]
        taken = [each.piece for each in here if only is None or each.number in only]
        if taken:
            whole = len(taken) == len(here)
            edits.append(Edit(path, wanted if whole else with_pieces(tree.read(path) or b"", taken)))
    return Plan(
        _summary(found),
        tuple(edits),
        found.reason,
        evidence=found.evidence,
        trailers=(*other_trailers(found.commit), *_signed(history, found, intent)),
        verbatim=True,
    )


def _summary(found: PendingEdit) -> str:
    return f"approved: {found.proposal.summary.removeprefix(SUMMARY)}"


def _signed(history: History, found: PendingEdit, intent: Intent) -> tuple[tuple[str, str], ...]:
    return reviewed_by(history, found.proposal.proposal_id, intent)


def reviewed_by(history: History, proposal_id: str, intent: Intent) -> tuple[tuple[str, str], ...]:
    """Return what a commit says by which the operator approves something."""
    who = author_of(history, intent.actor)
    return (PROPOSAL, proposal_id), (REVIEWED, f"{who.name} <{who.email}>")


def _nothing_to_take(found: PendingEdit) -> ProposalError:
    name = found.proposal.proposal_id
    if found.is_stale:
        return ProposalError(
            f"Later changes touch the lines that {name} is about, so nothing was changed.",
            hint=f"`git show {found.commit.commit_id[:12]}` has its text; `clawgit soul reject {name}` drops it.",
        )
    return ProposalError(
        f"{name} has no such piece; nothing was changed.", hint="`clawgit soul pending` numbers them."
    )


def _tokens(data: bytes) -> int:
    return count_pieces(data.decode("utf-8", "replace"))
