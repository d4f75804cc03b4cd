"""`soul restore`: a whole earlier text put back, in a new commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.commit import Recorded, apply_plan
from clawgit.history.locked import opened
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.intent import Intent
    from clawgit.history.objects import Commit
    from clawgit.history.repository import History
    from clawgit.history.trees import Tree


class RestoreError(ClawgitError):
    """There is no such text to put back."""


def restore_soul(
    history: History, earlier: Commit, paths: Sequence[str], reason: str, intent: Intent
) -> Recorded:
    """Make ``paths`` read as in ``earlier``; what came in between stays in the history.

    Raises:
        RestoreError: One of the files did not exist then.
    """
    then = history.tree_of(earlier.commit_id)
    texts = {path: then.read(path) for path in paths}
    for path, text in texts.items():
        if text is None:
            raise RestoreError(
                f"There was no {path} in {earlier.commit_id[:12]}.", hint="Name a later state."
            )

    def plan(_: Tree) -> Plan:
        edits = tuple(Edit(path, text) for path, text in texts.items())
        summary = f"soul: restore {', '.join(paths)} as of {earlier.commit_id[:12]}"
        return Plan(summary, edits, reason, verbatim=True)

    return apply_plan(history, plan, opened(history, intent, reason))
