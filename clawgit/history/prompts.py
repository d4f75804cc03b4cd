"""The prompts of clawgit's own agents as they are in force: they instruct, so only the operator's word counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.actors import OPERATOR, actor_of
from clawgit.workspace.templates import read_template

if TYPE_CHECKING:
    from clawgit.history.repository import History


def prompt_in_force(history: History, agent: str) -> str:
    """Return `agents/AGENT/SOUL.md` as the operator committed or claimed it last; what others wrote there waits.

    Where the operator never wrote one, or deleted it, the packaged text is in force.
    """
    path = f"agents/{agent}/SOUL.md"
    claims: set[str] = set()
    for commit in history.objects.first_parents(history.tip().commit_id):
        by_operator = actor_of(commit.trailers, commit.author) == OPERATOR
        if by_operator:
            claims.update(commit.trailers.all("Clawgit-Claims"))
        blob, *before = (_blob(history, name, path) for name in (commit.commit_id, *commit.parent_ids))
        if blob in before[:1] or (not before and blob is None):
            continue
        brought = blob in before[1:]  # a merge only took it over: whose it is says the other side
        if commit.commit_id in claims or (by_operator and not brought):
            return read_template(path).decode() if blob is None else _text(history, blob)
    return read_template(path).decode()


def _blob(history: History, commit_id: str, path: str) -> str | None:
    entry = history.tree_of(commit_id).entry(path)
    return None if entry is None else entry.object_id


def _text(history: History, blob_id: str) -> str:
    return history.objects.blob(blob_id).decode("utf-8", "replace")
