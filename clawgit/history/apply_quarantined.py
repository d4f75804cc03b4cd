"""`quarantine apply`: what a guard refused, made after all, on the operator's word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.guards.quarantine import QuarantineError, drop_quarantined, find_quarantined, reason_of
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.markdown.merge_lines import weave

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.guards.quarantine import Quarantined

_EVIDENCE = re.compile(r'(\S+)(?: "(.*)")?', re.DOTALL)
_OWN = ("Clawgit-Op", "Clawgit-Actor", "Clawgit-Trust", "Clawgit-Run", "Clawgit-Slot", "Clawgit-Override")


def apply_quarantined(history: History, quarantine_id: str, intent: Intent) -> Recorded:
    """Make the change on top of what came since, through the guards; then it lies in quarantine no more.

    It keeps its evidence and the trust that it rests on: the operator's word lets it in, and makes it no truer.

    Raises:
        QuarantineError: Only the findings were kept, or later changes touch the same lines.
        GuardError: A guard is still against it.
    """
    found = find_quarantined(history, quarantine_id)
    if not found.paths:
        raise QuarantineError(
            f"Of {quarantine_id} only the findings were kept, since it held a secret or was too large.",
            hint="`clawgit quarantine show` says what was found.",
        )
    commit = history.objects.commit(found.commit_id)
    trust = commit.trailers.first("Clawgit-Trust") or ""
    done = apply_plan(history, lambda tree: _plan(history, found, tree), intent._replace(trust=trust))
    drop_quarantined(history, quarantine_id)
    return done


def _plan(history: History, found: Quarantined, tree: Tree) -> Plan:
    commit = history.objects.commit(found.commit_id)
    base = history.tree_of(commit.parent_ids[0] if commit.parent_ids else None)
    wanted = history.tree_of(found.commit_id)
    edits = tuple(
        Edit(path, _merged(path, base.read(path), tree.read(path), wanted.read(path))) for path in found.paths
    )
    return Plan(
        found.summary,
        edits,
        reason_of(commit),
        evidence=_evidence(commit),
        trailers=tuple(_others(commit)),
        verbatim=True,
    )


def _merged(path: str, base: bytes | None, present: bytes | None, wanted: bytes | None) -> bytes | None:
    if present == base or wanted == present:
        return wanted
    woven = None if present is None or wanted is None else weave(base, present, wanted)
    if woven is None or woven.conflicts:
        raise QuarantineError(
            f"Later changes touch the same lines of {path}, so nothing was changed.",
            hint="`clawgit quarantine show` has the text; take what you want into the file by hand.",
        )
    return woven.data


def _evidence(commit: Commit) -> tuple[Evidence, ...]:
    read = (_EVIDENCE.fullmatch(value) for value in commit.trailers.all("Clawgit-Evidence"))
    return tuple(Evidence(match[1], match[2] or "") for match in read if match is not None)


def _others(commit: Commit) -> list[tuple[str, str]]:
    return [
        (key, value)
        for key, value in commit.trailers.pairs
        if key not in _OWN and key not in ("Clawgit-Evidence", "Clawgit-Loss")
    ]
