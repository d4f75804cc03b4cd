"""What an interrupted command leaves: locks, half-made changes, an emptied staging, a rebase that is not finished."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.doctor.complaint import Complaint
from clawgit.history.git.concurrent_git import left_autostash
from clawgit.history.git.leftovers import OLD_LOCK_SECONDS, Staging, present_locks
from clawgit.history.git.lock import WorkspaceBusyError, is_held
from clawgit.history.git.refs import INTENT, RESCUE
from clawgit.history.git.repository import RepositoryStateError, refuse_odd_state
from clawgit.history.transaction.recovery import pin_autostash, recover
from clawgit.history.transaction.staging import is_damaged, refuse_conflicts, refuse_unusual

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clawgit.history.git.repository import History


def check_locks(history: History) -> Iterator[Complaint]:
    """Look for locks that nobody seems to hold."""
    for lock in present_locks(history):
        if not lock.is_ours:
            yield Complaint(
                "locks",
                f"{lock.path} has been there for {lock.seconds} seconds, which blocks git and clawgit.",
                "If no git command is running, `clawgit doctor --fix` removes it.",
                mend=partial(_remove_lock, lock.path),
            )
        elif not is_held(history.state) and not history.refs(INTENT):
            yield Complaint(
                "locks",
                f"An interrupted change left {lock.path}, which blocks git.",
                "The next command that writes removes it; `clawgit doctor --fix` does it now.",
                mend=lambda: _recover(history),
            )


def _remove_lock(lock: Path) -> None:
    if time.time() - lock.stat().st_mtime < OLD_LOCK_SECONDS:
        raise WorkspaceBusyError(f"It is younger than {OLD_LOCK_SECONDS} seconds; somebody may be at work.")
    lock.unlink()


def check_intents(history: History) -> Iterator[Complaint]:
    """Look for changes that were interrupted."""
    for name in history.refs(INTENT):
        yield Complaint(
            "intents",
            f"A change on {name.removeprefix(INTENT)} was interrupted.",
            "The next command that writes finishes it; `clawgit doctor --fix` does it now.",
            mend=lambda: _recover(history),
        )


def check_unfinished(history: History) -> Iterator[Complaint]:
    """Look for what makes every change be refused: a merge, a rebase, conflicts."""
    try:
        refuse_odd_state(history)
        refuse_conflicts(history)
    except ClawgitError as error:
        left = left_autostash(history.git_folder)
        name = f"{RESCUE}{left[:16]}"
        if not left or not history.objects.has_commit(left):
            yield Complaint("state", error.message, error.hint)
        elif history.target(name) is not None:
            yield Complaint("state", error.message, f"They are kept as {name}. {error.hint}")
        else:
            way_out = f"`clawgit doctor --fix` keeps them as {name}. {error.hint}"
            yield Complaint("state", error.message, way_out, mend=lambda: _pin_autostash(history))


def _pin_autostash(history: History) -> None:
    with history.locked():
        pin_autostash(history)


def check_staging(history: History) -> Iterator[Complaint]:
    """Look whether git's staging can be read."""
    if history.tip().commit_id is not None and is_damaged(Staging.of(history)):
        yield Complaint(
            "staging",
            "git's staging is empty or damaged.",
            "The next command that writes rebuilds it; `clawgit doctor --fix` does it now.",
            mend=lambda: _recover(history),
        )
    try:
        refuse_unusual(Staging.of(history))
    except RepositoryStateError as error:
        yield Complaint("staging", error.message, error.hint)


def _recover(history: History) -> None:
    with history.locked():
        recover(history)
