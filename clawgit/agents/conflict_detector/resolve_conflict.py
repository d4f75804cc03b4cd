"""`approve k:ID`: the operator says which of two entries holds, or that both do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.agents.conflict_detector.conflict_detector import marked_files, standing
from clawgit.agents.conflict_detector.entry_pairs import standing_in
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.provenance.trust_lookup import conflicts_held, conflicts_known
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.conflicts.conflict_log import MARK, Outcome, with_conflict
from clawgit.memory.entries.tiers import CONFLICTS
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.conflicts.conflict_log import Contradiction

KEPT = {"A": Outcome.A, "B": Outcome.B, "both": Outcome.BOTH}
BY_OPERATOR = "you decided"


class ConflictError(ClawgitError):
    """There is no such conflict."""


def find_conflict(history: History, name: str) -> Contradiction:
    """Return the conflict of that name, with or without `k:`.

    Raises:
        ConflictError: There is none.
    """
    wanted = name.removeprefix(MARK)
    for each in conflicts_known(history, history.tip().tree):
        if each.conflict_id == wanted:
            return each
    raise ConflictError(
        f"There is no conflict k:{wanted}.", hint="`clawgit conflicts list --all` lists them."
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
        held = conflicts_held(history, tree)
        others = [each for each in held if each.conflict_id != resolved.conflict_id]
        files = {path: tree.read(path) or b"" for path in entry_files(tree)}
        if not standing([resolved], standing_in(files)):
            raise ConflictError(
                f"k:{resolved.conflict_id} is over: one of its entries is gone, or reads otherwise by now.",
                hint=f"`clawgit why m:{resolved.a.entry_id}` and `clawgit why m:{resolved.b.entry_id}` say more.",
            )
        texts = marked_files(files, [*others, resolved]) | {
            CONFLICTS: with_conflict(tree.read(CONFLICTS) or b"", resolved)
        }
        edits = tuple(Edit(path, data) for path, data in texts.items() if data != (tree.read(path) or b""))
        return Plan(f"conflict k:{resolved.conflict_id}: {keep.value}", edits, reason=reason)

    return apply_plan(history, plan, intent), resolved
