"""The tree that git is about to commit: of the index that git really uses, which need not be `.git/index`.

`git commit -a` and `git commit FILE` commit from an index of their own, named by GIT_INDEX_FILE. A late `git commit`
puts an earlier state back into the staging: it had read that before a change of clawgit's (see `staging`).
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.authorship.own_commits import replaced_by_own
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.leftovers import Staging
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.repository import RepositoryStateError
from clawgit.history.git.trees import Tree, build_tree
from clawgit.history.transaction.staging import follow
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.hooks.hook_call import HookCall


def staged_tree(history: History, index: Path) -> Tree:
    """Return what a commit of ``index`` would hold.

    git notes the id of the whole tree in the index; where it has not (a merge, a hook that staged something),
    the tree's folders are written as git is about to write them itself.

    Raises:
        RepositoryStateError: It cannot be read here; git may know better.
    """
    try:
        staged, tree_id = read_index(index.read_bytes())
    except FileNotFoundError:
        staged, tree_id = {}, None
    except (OSError, UnreadableIndexError) as error:
        raise RepositoryStateError(
            f"git's staging ({index.name}) is of a kind that clawgit does not read: {type(error).__name__}.",
            hint="`git update-index --no-split-index`, or `git sparse-checkout disable`, makes it an ordinary one.",
        ) from error
    if tree_id is not None and _is_there(history, tree_id):
        return Tree(history.objects, tree_id)
    named = {os.fsdecode(name): file.entry for name, file in staged.items()}
    return Tree(history.objects, build_tree(history.repo, Tree(history.objects, None), named))


def _is_there(history: History, tree_id: str) -> bool:
    try:
        history.objects.tree(tree_id)
    except DamagedObjectError:
        return False
    return True


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
        with open_regular(call.in_root(path)) as file:
            return file.read()
    except OSError:
        return None
