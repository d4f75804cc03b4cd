"""Checks the files of a commit that git is about to make, in the index that git really uses."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, vouched_word
from clawgit.history.authorship.intent import Intent, in_ritual
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.repository import History, RepositoryStateError
from clawgit.history.git.trees import Tree, build_tree
from clawgit.history.guards.check import check, intent_of
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from clawgit.history.guards.finding import Finding
    from clawgit.history.hooks.hook_call import HookCall


def check_staged(history: History, call: HookCall, intent: Intent, staged: Tree) -> tuple[Finding, ...]:
    """Return the findings in a commit of ``staged``.

    It is compared with HEAD; under `git commit --amend` with the amended commit's parent, unless the operator let that
    commit through.
    """
    under = history.tip().commit_id
    if under is not None and call.amends:
        amended = history.objects.commit(under)
        before = intent_of(history, amended)
        if before.actor != OPERATOR or not before.override:
            under = amended.first_parent
    base = history.tree_of(under)
    return check(base, staged, in_ritual(history, under, intent), history.settings)


def vouching_word(history: History, call: HookCall, staged: Tree) -> str:
    head = history.tip().commit_id
    if head is not None and call.amends:
        head = history.objects.commit(head).first_parent
    return vouched_word(head, staged.tree_id)


def staged_tree(history: History, index: Path) -> Tree:
    """Return what a commit of ``index`` would hold.

    git notes the whole tree's id in the index. If it did not (a merge, a hook that staged something), the folders' trees
    are written as git is about to write them itself.
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
    with suppress(DamagedObjectError):  # git may not have written it
        if tree_id is not None:
            history.objects.tree(tree_id)
            return Tree(history.objects, tree_id)
    named = {os.fsdecode(name): file.entry for name, file in staged.items()}
    return Tree(history.objects, build_tree(history.repo, Tree(history.objects, None), named))


def mend_overtaken(history: History, call: HookCall, staged: Tree) -> list[str]:
    """Stage HEAD's version where git is about to commit what clawgit has just replaced; return the paths.

    git reads the staging again after this hook. A file that differs from HEAD in the folder was set back on purpose.
    """
    is_gits_own = False  # `git commit -a` makes its own index from the files, and locks it
    with suppress(OSError):
        is_gits_own = Path(call.index_file).samefile(history.git_folder / "index")
    if not history.tip().branch or call.amends or not is_gits_own:
        return []
    tree = history.tip().tree
    older = {}
    for path, (_, entry) in staged.changed(tree).items():
        present = None
        with suppress(OSError), open_regular(call.in_root(path)) as file:
            present = file.read()
        if entry and present == tree.read(path):
            older[path] = entry
    if not older:
        return []
    from clawgit.history.authorship.commit_messages import replaced_by_own
    from clawgit.history.transaction.staging import follow

    behind = [path for path, entry in older.items() if entry.object_id in replaced_by_own(history, path)]
    if not behind:
        return []
    with suppress(WorkspaceBusyError), history.locked():
        follow(history, tree, tree, behind)
        return behind
    return []
