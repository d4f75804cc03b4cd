"""Whether a file reads as it did before an agent changed it: then somebody took that change back, and it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import CLAWGIT_HOST
from clawgit.history.reading.git_log import git_output

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


def is_put_back(history: History, tree: Tree, path: str, agent: str) -> bool:
    """Say whether a file of the tree is the very one from which ``agent`` once made another."""
    here, tip = tree.entry(path), history.tip().commit_id
    if here is None or tip is None:
        return False
    asked = ("log", "--first-parent", "--format=%P", f"--author={agent}{CLAWGIT_HOST}", tip, "--", path)
    parents = (line.split()[:1] for line in git_output(history, *asked).decode().splitlines())
    earlier = (history.tree_of(parent).entry(path) for names in parents for parent in names)
    return any(entry is not None and entry.object_id == here.object_id for entry in earlier)
