"""Changes of memory that `memory_policy` holds: each waits for the operator, once, and an edited file goes back.

An edit whose lines a newer one of the same author has, too, gives way to that one; so an editor that saves again,
and a job that plans the same each night, ask once.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from clawgit.history.authorship.actors import HOST, UNKNOWN
from clawgit.history.git.refs import PROPOSALS, REJECTED, delete_ref
from clawgit.history.guards.authority import MEMORY_POLICY, is_held
from clawgit.history.guards.finding import Finding, Severity
from clawgit.history.review.proposals import (
    TooManyOpenError,
    list_proposals,
    park,
    set_aside,
    why_rejected,
)
from clawgit.history.review.soul_edits import SettledEdits
from clawgit.history.transaction.drafts import Draft
from clawgit.history.transaction.transaction import Change
from clawgit.history.transaction.working_tree import Move, content_of, put_files
from clawgit.identity.carried_edit import edit_pieces
from clawgit.memory.entries.entry_marks import without_marks
from clawgit.memory.entries.tiers import holds_entries
from clawgit.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.git.trees import Tree
    from clawgit.history.guards.step import After
    from clawgit.history.review.proposals import Proposal
    from clawgit.history.review.working_tree_edits import WorkEdit

MOST: Final = 50  # changes of memory by others that may be pending

_Lines = Counter[tuple[str, str, bytes]]


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
        plan = Plan(f"{edit.path} as the {intent.actor} would have it")
        change = Change(Draft(tip.tree, {edit.path: edit.content}), plan, intent)
        try:
            parked = park_memory(history, tip, change)
        except TooManyOpenError:
            parked = ""
        findings.append(_told(history, tip, edit, parked, intent))
        if parked:
            proposals.append(parked)
        back = content_of(tip.tree, edit.path)
        put_files(history, [Move(edit.path, (edit.content,), back)], merge=False)
    return SettledEdits(tuple(stay), tuple(findings), tuple(proposals))


def _told(history: History, tip: Tip, edit: WorkEdit, parked: str, intent: Intent) -> Finding:
    """Say what became of an edited file; one for which there is no room is kept beside the history."""
    whose = "an unknown author" if intent.actor == UNKNOWN else f"the {intent.actor}"
    said = f"The edit of {edit.path} by {whose} went back"
    rejected = why_rejected(history, parked) if parked else None
    if not parked:
        name = set_aside(history, tip, edit, intent)
        sentence = f"{said}: {MOST} changes of memory need the operator's answer first."
        way_out = f"`git show {name}` shows it."
    elif rejected is not None:
        sentence = f"{said}, since it was rejected before ({rejected})."
        way_out = f"`git show {REJECTED}{parked}` shows it."
    else:
        sentence = f"{said} and needs the operator's approval: {parked}."
        way_out = f"`clawgit pending show {parked}` shows it; `clawgit approve {parked}` makes it."
    return Finding(MEMORY_POLICY, edit.path, sentence, way_out, severity=Severity.REMARK)


def park_memory(history: History, tip: Tip, change: Change) -> str:
    """Keep a change of memory for the operator and return its id; callers hold the lock.

    Raises:
        TooManyOpenError: So many changes by others are pending already.
    """
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
        others = _lines_of(history, proposal)
        if lines and lines <= others:
            return proposal.proposal_id
        if others <= lines:
            contained.append(proposal)
    if author in (HOST, UNKNOWN) and outsiders - len(contained) >= MOST:
        raise TooManyOpenError(
            f"{MOST} changes of memory need the operator's answer already, so this one was not added.",
            hint="Do not repeat it. Tell him; more can be added when he has answered (`clawgit pending`).",
        )
    said = repr((sorted(paths), sorted(lines.items()))).encode("utf-8", "surrogateescape")
    proposal_id = park(history, tip, "p-" + sha256(said).hexdigest()[:10], change)
    for proposal in contained:
        delete_ref(history, PROPOSALS + proposal.proposal_id)
    return proposal_id


def _lines_of(history: History, proposal: Proposal) -> _Lines:
    commit = history.objects.commit(proposal.commit_id)
    base = history.tree_of(commit.parent_ids[0] if commit.parent_ids else None)
    return _changed_lines(base, history.tree_of(proposal.commit_id), proposal.paths)


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
