"""The first conversation, in which the host may write the soul freely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.workspace.layout import BOOTSTRAP

if TYPE_CHECKING:
    from clawgit.history.git.repository import History, Tip

INIT_OP = "init-"  # what the id of such a commit's op begins with


def ritual_is_open(history: History, tip: Tip) -> bool:
    """Say whether BOOTSTRAP.md has stood in every commit since init's of it; a later one opens nothing."""
    first = None
    for commit in history.objects.first_parents(tip.commit_id):
        if history.tree_of(commit.commit_id).entry(BOOTSTRAP) is None:
            break
        first = commit
    if first is None:
        return False
    made_by_init = (first.trailers.first("Clawgit-Op") or "").startswith(INIT_OP)
    return made_by_init and first.trailers.first("Clawgit-Actor") == OPERATOR
