"""The first conversation, in which the host may write the soul freely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import HOST
from clawgit.history.git.objects import DamagedObjectError
from clawgit.workspace.layout import BOOTSTRAP

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

INIT_OP = "init-"  # what the ids of the ops begin with by which a workspace is made or adopted
ADOPTION_OP = "keep-init-"
_EVOLVE = "evolve"  # `SoulPolicy` is beside what compares texts, which readers need not load


def in_ritual(history: History, commit_id: str | None, intent: Intent) -> Intent:
    """Return the intent of a change on top of a commit: open where the host writes during the first conversation."""
    evolves = history.settings.soul_policy == _EVOLVE
    is_open = intent.actor == HOST and evolves and ritual_is_open(history, commit_id)
    return intent._replace(soul_is_open=True) if is_open else intent


def ritual_is_open(history: History, commit_id: str | None) -> bool:
    """Say whether BOOTSTRAP.md has been in every commit since the workspace was made; a later one opens nothing."""
    for commit in history.objects.first_parents(commit_id):
        try:
            has_bootstrap = history.tree_of(commit.commit_id).entry(BOOTSTRAP) is not None
        except DamagedObjectError:
            return False
        if not has_bootstrap:
            return False
        if (commit.trailers.first("Clawgit-Op") or "").startswith((INIT_OP, ADOPTION_OP)):
            return True
    return False
