"""Taking clawgit out of a repository: what it keeps in git's folder is deleted, files and commits stay."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.refs import OURS, delete_ref
from clawgit.history.hooks.hooks_status import read_hooks_state
from clawgit.history.hooks.install import uninstall_hooks

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History


class Belongings(NamedTuple):
    """What clawgit keeps in a repository: its hooks, its references, and the folder of its state with its size."""

    has_hooks: bool
    references: tuple[str, ...]
    state: Path
    size: int


def find_belongings(history: History) -> Belongings:
    """Return what leaving would delete."""
    files = [path for path in history.state.rglob("*") if path.is_file() and not path.is_symlink()]
    return Belongings(
        read_hooks_state(history).installed,
        tuple(sorted(history.refs(OURS))),
        history.state,
        sum(path.stat().st_size for path in files),
    )


def leave_workspace(history: History) -> tuple[str, ...]:
    """Delete the hooks, the references and the state; return what the operator should know of the hooks.

    Raises:
        WorkspaceBusyError: Another process writes.
        OSError: A folder cannot be written to.
    """
    notes = uninstall_hooks(history).notes
    with history.locked():
        for name in history.refs(OURS):
            delete_ref(history, name)
        shutil.rmtree(history.state)
    return notes
