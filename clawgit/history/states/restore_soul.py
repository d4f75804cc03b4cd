"""`soul restore`: a whole earlier text put back, in a new commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.provenance.correction_files import (
    keep_in_ledgers,
    refuse_withdrawal,
    withdrawal_trailers,
)
from clawgit.history.review.overrides import opened
from clawgit.history.transaction.files_in_memory import WorkFiles, edits_of, kind_of
from clawgit.history.transaction.working_tree import content_of
from clawgit.plan import Plan
from clawgit.workspace.safe_files import check_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.safe_files import FileContent


class RestoreError(ClawgitError):
    """There is no such text to put back."""


def restore_soul(
    history: History, earlier: Commit, paths: Sequence[str], reason: str, intent: Intent
) -> Recorded:
    """Make ``paths`` read as in ``earlier``; what came in between stays in the history.

    Raises:
        RestoreError: One of the files did not exist then, or was no plain file.
    """
    then = history.tree_of(earlier.commit_id)
    found = {path: _text_then(then, earlier, path) for path in paths}

    def plan(tree: Tree) -> Plan:
        files = WorkFiles(tree)
        for path, text in found.items():
            files.put(path, text)
        withdrawn, _ = keep_in_ledgers(files, ())
        refuse_withdrawal(withdrawn, intent)
        summary = f"soul: restore {', '.join(paths)} as of {earlier.commit_id[:12]}"
        trailers = tuple(withdrawal_trailers(withdrawn))
        return Plan(summary, edits_of(files.contents), reason, trailers=trailers, verbatim=True)

    return apply_plan(history, plan, opened(history, intent, reason))


def _text_then(tree: Tree, earlier: Commit, path: str) -> FileContent:
    entry = tree.entry(check_path(path))
    text = content_of(tree, path)
    if text is not None:
        return text
    if entry is None:
        raise RestoreError(f"There was no {path} in {earlier.commit_id[:12]}.", hint="Name a later state.")
    raise RestoreError(
        f"{path} was {kind_of(entry)} in {earlier.commit_id[:12]}; clawgit writes plain files only.",
        hint=f"`git restore --source {earlier.commit_id[:12]} {path}` puts it back, then commit it yourself.",
    )
