"""What a late `git commit` put back into the staging: it had read that before a change of clawgit's (see `staging`)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.authorship.own_commits import replaced_by_own
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.transaction.staging import follow
from clawgit.history.transaction.staging_lock import Staging

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.hooks.hook_call import HookCall


def mend_overtaken(history: History, call: HookCall, staged: Tree) -> list[str]:
    """Stage what HEAD has where git is about to commit what clawgit has just replaced; return the paths.

    git reads the staging once more after this hook. Where the file in the folder is not as HEAD has it, somebody went
    back to the earlier state and means it.
    """
    if history.repo.head_is_detached or call.amends or not _is_gits_own(history, call):
        return []
    tree = history.tip().tree
    behind = [
        path
        for path, (_, entry) in staged.changed(tree).items()
        if entry is not None
        and entry.object_id in replaced_by_own(history, path)
        and _in_folder(call, path) == tree.read(path)
    ]
    if not behind:
        return []
    with suppress(WorkspaceBusyError), history.locked():
        follow(history, tree, tree, behind)
        return behind
    return []


def _is_gits_own(history: History, call: HookCall) -> bool:
    """Say whether git commits from its own index: that of `git commit -a` is made from the files, and held by git."""
    try:
        return Path(call.index_file).samefile(Staging.of(history).index)
    except OSError:
        return False


def _in_folder(call: HookCall, path: str) -> bytes | None:
    try:
        return Path(call.in_root(path)).read_bytes()
    except OSError:
        return None
