"""The first conversation, in which the host may write the soul freely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.workspace.layout import BOOTSTRAP

if TYPE_CHECKING:
    from clawgit.history.git.repository import History, Tip

INIT_OP = "init-"  # what the ids of the ops begin with by which a workspace is made or adopted
ADOPTION_OP = "keep-init-"


def ritual_is_open(history: History, tip: Tip) -> bool:
    """Say whether BOOTSTRAP.md has stood in every commit since the workspace was made; a later one opens nothing."""
    for commit in history.objects.first_parents(tip.commit_id):
        if history.tree_of(commit.commit_id).entry(BOOTSTRAP) is None:
            return False
        if (commit.trailers.first("Clawgit-Op") or "").startswith((INIT_OP, ADOPTION_OP)):
            return True
    return False
