"""The prompts of clawgit's own agents as they are in force: they instruct, so only the operator's word counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.settings_in_force import claimed_commits
from clawgit.history.authorship.vouching import authorship
from clawgit.history.reading.git_log import git_output
from clawgit.workspace.layout import read_template

if TYPE_CHECKING:
    from clawgit.history.git.repository import History


def prompt_in_force(history: History, agent: str) -> str:
    """Return `agents/AGENT/SOUL.md` as the operator committed or claimed it last; what others wrote there waits.

    Where the operator never wrote one, or deleted it, the packaged text is in force.
    """
    path = f"agents/{agent}/SOUL.md"
    claims = claimed_commits(history)
    authors = authorship(history)
    for commit in map(history.objects.commit, _changes(history, path)):
        blob, *before = (_blob(history, name, path) for name in (commit.commit_id, *commit.parent_ids))
        brought = blob in before[1:]  # a merge only took it over: whose it is says the other side
        by_operator = authors.actor(commit) == OPERATOR and not brought
        if by_operator or commit.commit_id in claims:
            if blob is not None:
                return history.objects.blob(blob).decode("utf-8", "replace")
            break
    return read_template(path).decode()


def _changes(history: History, path: str) -> list[str]:
    tip = history.tip().commit_id
    asked = ("log", "--first-parent", "--format=%H", tip or "", "--", path)
    return git_output(history, *asked).decode().split() if tip else []


def _blob(history: History, commit_id: str, path: str) -> str | None:
    entry = history.tree_of(commit_id).entry(path)
    return None if entry is None else entry.object_id
