"""Logged conflicts whose entries still read as they did: which of them wait for the operator, their marks, and his decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.agents.contradictions import standing_in
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.provenance.trust_lookup import conflicts_held, conflicts_known
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.conflict_log import MARK, Outcome, with_conflict, with_superseded_marks
from clawgit.memory.entries.tiers import CONFLICTS
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clawgit.agents.contradictions import Standing
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.conflict_log import Contradiction

KEPT = {"A": Outcome.A, "B": Outcome.B, "both": Outcome.BOTH}
BY_OPERATOR = "you decided"


class ConflictError(ClawgitError):
    """There is no such conflict."""


def standing(conflicts: Iterable[Contradiction], entries: Iterable[Standing]) -> list[Contradiction]:
    """Return the conflicts of which both entries read as they did when they were logged."""
    there = {(each.entry.entry_id, each.statement) for each in entries}
    return [
        conflict
        for conflict in conflicts
        if {(party.entry_id, party.statement) for party in (conflict.a, conflict.b)} <= there
    ]


def waiting(history: History, tree: Tree) -> list[Contradiction]:
    """Return the conflicts of a state that wait for the operator and of which both entries read as they did."""
    undecided = [each for each in conflicts_known(history, tree) if each.outcome is Outcome.OPEN]
    return standing(undecided, standing_in(_texts(tree))) if undecided else []


def marked_files(files: Mapping[str, bytes], conflicts: Sequence[Contradiction]) -> dict[str, bytes]:
    """Return the files of entries with a mark on each entry that lost a conflict, and on no other."""
    there = standing(conflicts, standing_in(files)) if conflicts else []
    losers = {each.loser.entry_id: each.conflict_id for each in there if each.loser is not None}
    return {path: with_superseded_marks(data, losers) for path, data in files.items()}


def find_conflict(history: History, name: str) -> Contradiction:
    """Return the conflict of that name, with or without `k:`.

    Raises:
        ConflictError: There is none.
    """
    conflict_id = name.removeprefix(MARK)
    for each in conflicts_known(history, history.tip().tree):
        if each.conflict_id == conflict_id:
            return each
    raise ConflictError(
        f"There is no conflict k:{conflict_id}.", hint="`clawgit conflicts list --all` lists them."
    )


def resolve(
    history: History, name: str, keep: Outcome, reason: str, intent: Intent
) -> tuple[Recorded, Contradiction]:
    """Let one of two entries hold, or both; the same two are not asked about again.

    Raises:
        ConflictError: There is no such conflict, or one of its entries is gone or reads otherwise by now.
    """
    resolved = find_conflict(history, name)._replace(rule=BY_OPERATOR, outcome=keep, reason=reason)

    def plan(tree: Tree) -> Plan:
        others = [each for each in conflicts_held(history, tree) if each.conflict_id != resolved.conflict_id]
        files = _texts(tree)
        if not standing([resolved], standing_in(files)):
            raise ConflictError(
                f"k:{resolved.conflict_id} is over: one of its entries is gone, or reads otherwise by now.",
                hint=f"`clawgit why m:{resolved.a.entry_id}` and `clawgit why m:{resolved.b.entry_id}` say more.",
            )
        texts = marked_files(files, [*others, resolved])
        texts[CONFLICTS] = with_conflict(tree.read(CONFLICTS) or b"", resolved)
        edits = tuple(Edit(path, data) for path, data in texts.items() if data != (tree.read(path) or b""))
        return Plan(f"conflict k:{resolved.conflict_id}: {keep.value}", edits, reason=reason)

    return apply_plan(history, plan, intent), resolved


def _texts(tree: Tree) -> dict[str, bytes]:
    return {path: tree.read(path) or b"" for path in entry_files(tree)}
