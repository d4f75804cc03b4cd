"""The first look at what is staged: the guards over HEAD's files and those of the index, without libgit2."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from hashlib import sha1
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.intent import Intent
from clawgit.history.git import libgit2
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.objects import Objects, TreeEntry
from clawgit.history.git.trees import FOLDER, Tree, tree_bytes
from clawgit.history.guards.check import check
from clawgit.history.hooks.hook_call import text_of
from clawgit.history.hooks.noted_settings import noted_settings
from clawgit.history.transaction.stored_step import Compared
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.history.hooks.hook_call import HookCall

_BRANCH = "ref: refs/heads/"
_HEXADECIMAL = frozenset("0123456789abcdef")


class UnusualHeadError(Exception):
    """HEAD names no commit, or in a way that only libgit2 follows."""


class _Objects(Objects):
    """The repository's objects, and the folders of a tree that is in none of them yet."""

    def __init__(self, git_folder: str, folder: str) -> None:
        super().__init__(lambda: libgit2.Repository(git_folder), os.path.join(folder, "objects"))
        self._made: dict[str, dict[bytes, TreeEntry]] = {}

    def tree(self, tree_id: str) -> dict[bytes, TreeEntry]:
        found = self._made.get(tree_id)
        return super().tree(tree_id) if found is None else found

    def make_tree(self, entries: Mapping[bytes, TreeEntry]) -> str:
        """Make the tree of these files in memory and return its id."""
        here: dict[bytes, TreeEntry] = {}
        below: dict[bytes, dict[bytes, TreeEntry]] = {}
        for path, entry in entries.items():
            name, slash, rest = path.partition(b"/")
            if slash:
                below.setdefault(name, {})[rest] = entry
            else:
                here[name] = entry
        here |= {name: TreeEntry(self.make_tree(inner), FOLDER) for name, inner in below.items()}
        data = tree_bytes(here)
        tree_id = sha1(b"tree %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        self._made[tree_id] = here
        return tree_id


def may_commit(
    call: HookCall, folder: str, _arguments: Sequence[str], environment: Mapping[str, str]
) -> bool:
    """Say whether nothing speaks against committing what is staged on top of HEAD; False where that is not usual.

    Raises:
        OSError: One of git's files cannot be read.
        DamagedObjectError: One of the objects cannot be.
    """
    try:
        return not call.amends and _may_commit(call, folder, environment)
    except (UnusualHeadError, UnreadableIndexError):
        return False
    except RecursionError:  # folders deeper than Python calls
        return False


def staged_commit(call: HookCall, folder: str) -> tuple[str, str] | None:
    """Return the parent and the files of the commit that git is about to make; None where it is not as usual.

    Raises:
        OSError: One of git's files cannot be read.
    """
    if call.amends:
        return None
    try:
        head = _head(call.git_folder, folder)
        with open(call.index_file, "rb") as file:
            staged, tree_id = read_index(file.read())
        if tree_id is None:
            tree_id = _Objects(call.git_folder, folder).make_tree(
                {name: each.entry for name, each in staged.items()}
            )
    except (UnusualHeadError, UnreadableIndexError, RecursionError):
        return None
    return head, tree_id


def _may_commit(call: HookCall, folder: str, environment: Mapping[str, str]) -> bool:
    objects = _Objects(call.git_folder, folder)
    head = _head(call.git_folder, folder)
    base = Tree(objects, objects.commit(head).tree_id)
    with open(call.index_file, "rb") as file:
        staged, tree_id = read_index(file.read())
    if tree_id == base.tree_id:
        return True
    if tree_id is None:
        tree_id = objects.make_tree({name: each.entry for name, each in staged.items()})
    new = Compared(base, Tree(objects, tree_id))
    if any(_may_be_overtaken(call, new, path) for path in new.changed_paths()):
        return False
    settings = noted_settings(os.path.join(folder, "clawgit"), objects, head, environment)
    intent = Intent("hook", OPERATOR, datetime.now(UTC))
    return settings is not None and not check(base, new, intent, settings)


def _may_be_overtaken(call: HookCall, new: Compared, path: str) -> bool:
    """Say whether the file in the folder is as HEAD has it, though another is staged (see `mend_overtaken`)."""
    if new.entry(path) is None:
        return False
    try:
        with open_regular(call.in_root(path)) as file:
            present = file.read()
    except OSError:
        return new.base.read(path) is None
    return present == new.base.read(path)


def _head(git_folder: str, folder: str) -> str:
    """Return the commit that HEAD names."""
    said = text_of(os.path.join(git_folder, "HEAD")) or ""
    if said.startswith(_BRANCH):
        branch = said.removeprefix("ref: ").rstrip("\n")
        said = text_of(os.path.join(folder, branch)) or _packed(folder, branch)
    said = said.strip()
    if len(said) != 40 or not _HEXADECIMAL.issuperset(said):
        raise UnusualHeadError
    return said


def _packed(folder: str, branch: str) -> str:
    lines = (text_of(os.path.join(folder, "packed-refs")) or "").splitlines()
    return next((line[:40] for line in lines if line[40:] == f" {branch}"), "")
