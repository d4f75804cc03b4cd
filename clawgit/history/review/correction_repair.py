"""Putting right what an edit did to corrections, by a second change: the edit itself is kept all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.guards.corrections import FORGED, disputes, lost_corrected_entries
from clawgit.history.guards.finding import Severity
from clawgit.history.guards.step import Step
from clawgit.history.transaction.drafts import Draft
from clawgit.history.transaction.transaction import Change, record_change
from clawgit.memory.corrections.correction_log import with_correction, with_entry, without_correction
from clawgit.plan import Plan
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.git.trees import Tree
    from clawgit.history.guards.finding import Finding

MENDER = "recall-validator"  # whose file CORRECTIONS.md is


def mend(
    history: History, before: Tip, found: Iterable[Finding], intent: Intent
) -> tuple[str, tuple[Finding, ...]]:
    """Put right what ``found`` says about the way from ``before`` to the present tip; return the commit and remarks."""
    rules = {finding.rule for finding in found}
    tip = history.tip()
    made = Draft(before.tree, {path: _content(tip.tree, path) for path in tip.tree.changed(before.tree)})
    texts = _mended(Step(before.tree, made, intent, history.settings), tip.tree, rules)
    contents = {path: FileContent(data) for path, data in texts.items() if data != tip.tree.read(path)}
    if not contents:
        return "", ()
    plan = Plan(
        f"corrections: put right what the {intent.actor}'s edit changed",
        trailers=(("Clawgit-Derived-From", tip.commit_id or ""),),
    )
    made_by = intent._replace(
        op=new_op("mend"), actor=MENDER, trust="", override="", losses=None, given=False
    )
    commit_id = record_change(history, tip, Change(Draft(tip.tree, contents), plan, made_by))
    return commit_id, tuple(_remark(finding, commit_id) for finding in found)


def _mended(step: Step, tree: Tree, rules: set[str]) -> dict[str, bytes]:
    texts: dict[str, bytes] = {}
    for dispute in disputes(step) if rules else ():
        about, path = dispute.correction, dispute.correction.path
        if dispute.rule not in rules:
            continue
        present = texts.get(path, tree.read(path) or b"")
        if dispute.rule == FORGED:
            texts[path] = without_correction(present, about.correction_id)
        elif dispute.was is not None:
            old = step.base.read(dispute.was.path) or b""
            texts[path] = (
                with_correction(present, old, dispute.was) if tree.entry(path) or path in texts else old
            )
    for lost in lost_corrected_entries(step):
        if lost.entry is not None and "corrected-entry" in rules:
            present = texts.get(lost.path, tree.read(lost.path) or b"")
            texts[lost.path] = with_entry(present, step.base.read(lost.path) or b"", lost.entry)
    return texts


def _content(tree: Tree, path: str) -> FileContent | None:
    data = tree.read(path)
    return None if data is None else FileContent(data)


def _remark(finding: Finding, commit_id: str) -> Finding:
    done = "taken out again" if finding.rule == FORGED else "put back"
    return finding._replace(
        sentence=f"{finding.happened().sentence} The edit was kept, and this {done} ({commit_id[:12]}).",
        severity=Severity.REMARK,
    )
