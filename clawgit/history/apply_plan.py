"""The one function through which clawgit changes a file: it applies a plan to the tip."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, trust_of
from clawgit.history.authorship.commit_messages import cited, find_op, new_op, refuse_reserved
from clawgit.history.authorship.intent import Intent, in_ritual, refuse_paused
from clawgit.history.git.trees import EXECUTABLE, FILE, Tree, correction_files, ids_beside
from clawgit.history.guards.authority import MEMORY_POLICY
from clawgit.history.guards.check import GuardError, check, refuse, stopping
from clawgit.history.guards.finding import Severity, told
from clawgit.history.guards.quarantine import put_into_quarantine
from clawgit.history.missing_files import would_end_first_talk
from clawgit.history.review.keep import KeepOutcome, after_changes, keep_edits
from clawgit.history.review.working_tree_edits import edits_of, refuse_in_use
from clawgit.history.transaction.pack_writing import maintain
from clawgit.history.transaction.transaction import Change, record_change, recover, until_settled
from clawgit.history.transaction.working_tree import Draft, SettledFiles
from clawgit.memory.corrections.corrected_entries import correction_pieces
from clawgit.memory.corrections.correction_log import LEDGER, read_corrections, without_stale_wordings
from clawgit.memory.entries.tiers import MEMORY_FILES, holds_entries, is_derived, is_identity, is_standing
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import UNDERSTOOD, lowest
from clawgit.text.trailers import PROPOSAL
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.safe_files import FileContent, check_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clawgit.history.git.repository import History, Tip
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.plan import Plan

APPLIED = "applied"
NOTHING = "nothing"
REPEATED = "repeated"
PROPOSED = "proposed"


class Recorded(NamedTuple):
    """The result of a plan: the commit, or the id of the ``proposal`` and ``why`` it waits."""

    outcome: str
    op: str
    commit_id: str | None = None
    kept: KeepOutcome = KeepOutcome()
    proposal: str = ""
    why: str = ""

    @property
    def waiting(self) -> str:
        return f"It needs the operator's approval: proposal {self.proposal}. {self.why}".strip()


def _applied_before(history: History, intent: Intent) -> Recorded | None:
    done = find_op(history, intent.op) if intent.given else None
    if done is None:
        return None
    return Recorded(REPEATED, intent.op, done)


def repeated(history: History, intent: Intent) -> Recorded | None:
    """Return the same for a command that would look at more than the op first; recovers an interrupted change."""
    before = _applied_before(history, intent)
    if before is None:
        return None
    with history.locked():
        return before._replace(kept=KeepOutcome(recovered=tuple(recover(history))))


def apply_plan(history: History, planner: Callable[[Tree], Plan], intent: Intent) -> Recorded:
    """Make the plan for the present tip into one change, or none; an op that the caller chose is applied at most once.

    ``planner`` is called again when another writer was faster; it must not write.
    """
    with history.locked():
        recovered = KeepOutcome(recovered=tuple(recover(history)))
        refuse_reserved(intent)
        refuse_paused(history, intent.actor)
        before = _applied_before(history, intent)
        if before is not None:
            return before._replace(kept=recovered)
        recorded = until_settled(history, lambda: _apply_once(history, planner, intent))
        after = after_changes(history, intent.now)
    maintain(history)
    return recorded._replace(kept=recovered | recorded.kept | after)


def propose_change(
    history: History, plan: Plan, contents: dict[str, FileContent | None], intent: Intent
) -> Recorded:
    """Keep a change of memory until the operator approves it; no file changes before."""
    from clawgit.history.review.proposals import park_memory

    with history.locked():
        refuse_paused(history, intent.actor)
        tip = history.tip()
        change = Change(Draft(tip.tree, contents), plan, intent)
        return Recorded(PROPOSED, intent.op, proposal=park_memory(history, tip, change))


def _apply_once(history: History, planner: Callable[[Tree], Plan], intent: Intent) -> Recorded:
    tip = history.tip()
    plan = planner(tip.tree)
    kept_edits = _keep_others(history, tip, plan, intent)
    if kept_edits.commits:
        tip = history.tip()
        plan = planner(tip.tree)
    if plan.trust:
        intent = intent._replace(trust=lowest([plan.trust, intent.trust or trust_of(intent.actor)]))
    draft = _draft(tip, plan, intent, grace_days=history.settings.corrected_embedding_grace_days)
    if not draft.changed_paths() and not plan.trailers:
        return Recorded(NOTHING, intent.op, kept=kept_edits)
    if would_end_first_talk(history, draft.changed_paths(), intent.now):
        raise ClawgitError(
            "Your agent's first conversation is not over (BOOTSTRAP.md is there), and a file of memory would end it.",
            hint="Finish that conversation first. What is said meanwhile is kept, and goes into memory afterwards.",
        )
    change = Change(draft, plan, intent)
    findings = check(tip.tree, draft, _for_the_soul(history, tip, change), history.settings, plan=plan)
    against = stopping(findings)
    if against and all(finding.severity is Severity.PROPOSE for finding in against):
        from clawgit.history.review.proposals import park, park_memory

        is_of_memory = any(finding.rule == MEMORY_POLICY for finding in against)
        keep = park_memory if is_of_memory else park
        return Recorded(PROPOSED, intent.op, kept=kept_edits, proposal=keep(history, tip, change))
    if against and intent.actor in AGENT_NAMES:
        quarantine_id = put_into_quarantine(history, tip, draft, against, intent, plan)
        raise GuardError(against, quarantine_id)
    refuse(against)
    waits = ""
    if PROPOSAL not in dict(plan.trailers):  # else it is approved
        waits = history.why_to_wait(draft.changed_paths())
    if waits:
        from clawgit.history.review.proposals import park

        waiting = change._replace(plan=plan._replace(reason=f"{waits} {plan.reason}".strip()))
        return Recorded(PROPOSED, intent.op, None, kept_edits, park(history, tip, waiting), waits)
    commit_id = record_change(history, tip, change)
    remarks = KeepOutcome(remarks=tuple(finding.happened() for finding in findings))
    return Recorded(APPLIED, intent.op, commit_id, kept_edits | remarks)


def _for_the_soul(history: History, tip: Tip, change: Change) -> Intent:
    touches = any(is_identity(path) or is_standing(path) for path in change.plan.paths)
    if not touches:
        return change.intent
    intent = in_ritual(history, tip.commit_id, change.intent)
    if intent.actor not in AGENT_NAMES:
        return intent
    from clawgit.history.reading.blame import corrected_at_risk

    return intent._replace(corrected=corrected_at_risk(history, tip.commit_id, change.plan))


def _keep_others(history: History, tip: Tip, plan: Plan, intent: Intent) -> KeepOutcome:
    """Commit others' edits in the files that the plan writes, each under its author's name."""
    for path in plan.paths:
        _check_place(history, tip, path)
    edits = edits_of(history, tip, plan.paths, SettledFiles(history))
    refuse_in_use(edits)
    if not edits.edits and not edits.problems:
        return KeepOutcome()
    theirs = intent._replace(op=new_op("keep"), actor=UNKNOWN, run="", slot="", trust="", losses=None)
    kept_edits = keep_edits(history, tip, edits, theirs)
    if kept_edits.held:
        raise GuardError(kept_edits.held)
    return kept_edits


def _draft(tip: Tip, plan: Plan, intent: Intent, *, grace_days: int) -> Draft:
    evidence = plan.evidence[0].evidence_id if plan.evidence else intent.op
    contents: dict[str, FileContent | None] = {}
    for edit in plan.edits:
        if edit.data is None:
            contents[edit.path] = None
            continue
        old = tip.tree.entry(edit.path)
        data = edit.data
        if holds_entries(edit.path) and not plan.verbatim:
            taken = ids_beside(tip.tree, edit.path)
            before = tip.tree.read(edit.path) or b""
            data = stamp(before, data, evidence, taken=taken)
            if plan.cites_message and intent.actor != OPERATOR and edit.path in MEMORY_FILES:
                data = _signed(before, data, tip, plan, intent)
            stale = intent.now.date() - timedelta(days=grace_days)
            data = without_stale_wordings(data, lambda: _corrections(tip), before=stale)
        is_executable = edit.executable
        if is_executable is None:
            is_executable = old is not None and old.mode == EXECUTABLE
        contents[edit.path] = FileContent(data, is_executable)
    return Draft(tip.tree, contents)


def _signed(old: bytes, new: bytes, tip: Tip, plan: Plan, intent: Intent) -> bytes:
    """Return core memory with a sign on the lines that are only a reading of the operator's messages."""
    if intent.trust not in (OPERATOR, UNDERSTOOD):
        return new
    from clawgit.memory.provenance.readings import quotes_of, with_signs

    if intent.trust == UNDERSTOOD:
        return with_signs(old, new, ())
    older = set(_corrections(tip))
    ledger = next((edit.data or b"" for edit in plan.edits if edit.path == LEDGER), b"")
    added = {piece: each for piece, each in correction_pieces(ledger, LEDGER).items() if each not in older}
    quotes = [*quotes_of(map(cited, plan.evidence)), *(each.trigger for each in added.values())]
    return with_signs(old, new, quotes, added)


def _corrections(tip: Tip) -> Iterator[Correction]:
    for path in correction_files(tip.tree):
        yield from read_corrections(tip.tree.read(path) or b"", path)


def _check_place(history: History, tip: Tip, path: str) -> None:
    if is_derived(check_path(path)):
        raise ClawgitError(f"{told(path)} is rendered from history, so a plan cannot write it.")
    entry = tip.tree.entry(path)
    if entry is not None and entry.mode not in (FILE, EXECUTABLE):
        sentence = f"{told(path)} is a link or a folder in the last commit, so nothing was changed."
        raise ClawgitError(sentence, hint="Put a plain file in its place and commit that with git.")
    try:
        is_ignored = entry is None and history.repo.path_is_ignored(path)
    except UnicodeEncodeError as error:
        raise ClawgitError(f"{told(path)} is not UTF-8, so it is no name for a new file.") from error
    if is_ignored:
        sentence = f"{told(path)} is ignored by git, so what is written there would have no history."
        raise ClawgitError(sentence, hint="Remove it from .gitignore, or write to another place.")
