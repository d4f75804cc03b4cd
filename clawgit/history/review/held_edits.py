"""Edits of the working tree that `keep` must leave alone, with the reason for each, and those that are open."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.authorship.intent import Intent, ritual_is_open
from clawgit.history.guards.check import check, check_stops
from clawgit.history.guards.finding import Finding, Severity
from clawgit.history.review.working_tree_edits import all_edits
from clawgit.history.transaction.drafts import Draft
from clawgit.text.safety.secrets import redact_path

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clawgit.history.git.repository import History, Tip
    from clawgit.history.review.working_tree_edits import WorkEdit

_HOLDS = (Severity.REFUSE, Severity.HOLD, Severity.PROPOSE)
_SPLIT = "commit-size"  # what is too much for one commit becomes several


class Held(NamedTuple):
    """The edits that go on, what holds back the others, what is to be repaired afterwards, and what to say."""

    edits: tuple[WorkEdit, ...]
    held: tuple[Finding, ...]
    to_mend: tuple[Finding, ...]
    remarks: tuple[Finding, ...]


def hold_back(
    history: History, tip: Tip, edits: Iterable[WorkEdit], intent: Intent, *, with_remarks: bool = True
) -> Held:
    """Part the edits; those that go on were looked at together, as one step without the others."""
    ask = check if with_remarks else check_stops
    left = tuple(edits)
    held = tuple[Finding, ...]()
    while True:
        draft = Draft(tip.tree, {edit.path: edit.content for edit in left})
        found = ask(tip.tree, draft, intent, history.settings)
        holding = tuple(finding for finding in found if finding.severity in _HOLDS and finding.path)
        if not holding:
            break
        held += holding
        stopped = {finding.where for finding in holding}
        left = tuple(edit for edit in left if edit.path not in stopped)
    to_mend = tuple(finding for finding in found if finding.severity is Severity.MEND)
    remarks = tuple(f for f in found if f.severity is Severity.REMARK and f.rule != _SPLIT)
    return Held(left, held, to_mend, remarks)


class OpenEdits(NamedTuple):
    """What is edited, what is staged, and what is held back."""

    paths: tuple[str, ...]
    staged: tuple[str, ...]
    held: tuple[Finding, ...]


def read_open_edits(history: History, tip: Tip, now: datetime) -> OpenEdits:
    """Return the edits that wait, as of nobody known."""
    found = all_edits(history, tip)
    intent = Intent("status", UNKNOWN, now, soul_is_open=ritual_is_open(history, tip.commit_id))
    return OpenEdits(
        tuple(redact_path(edit.path) for edit in found.edits),
        tuple(redact_path(path) for path in found.staged),
        (*found.problems, *hold_back(history, tip, found.edits, intent, with_remarks=False).held),
    )
