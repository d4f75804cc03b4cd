"""The tree that git is about to commit: of the index that git really uses, which need not be `.git/index`.

`git commit -a` and `git commit FILE` commit from an index of their own, named by GIT_INDEX_FILE.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

from clawgit.history.git.index_entries import (
    ConflictedIndexError,
    DamagedIndexError,
    UnusualIndexError,
    read_index,
)
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.repository import RepositoryStateError
from clawgit.history.git.trees import Tree, build_tree

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History


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
    except (
        OSError,
        ConflictedIndexError,
        DamagedIndexError,
        UnusualIndexError,
        struct.error,
        ValueError,
    ) as error:
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
