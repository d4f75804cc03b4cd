"""Renewing the views after git's own commit: one process at a time for each working tree, until they are the tip's.

Whoever comes meanwhile leaves the work to that process, which looks at the tip again when it is done.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clawgit.history.git.giving_way import SIGNAL
from clawgit.history.git.lock import WorkspaceBusyError, taken
from clawgit.history.git.repository import RepositoryStateError, refuse_odd_state
from clawgit.history.git.tips import pin_lost_tips
from clawgit.history.views.render_views import refresh_views
from clawgit.history.views.view_state import are_as_written, read_state, record_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.history.git.repository import History

WAIT_SECONDS = 10.0  # after the latest hook, for the end of a rebase or of another writer
LOOK_SECONDS = 0.2


def renew_until_current(opened: Callable[[], History]) -> None:
    """Renew the views until they are the tip's, unless another process does; each look at the repository opens it.

    An edited view is left to the next command, which says what becomes of it.

    Raises:
        ClawgitError: The repository is gone or cannot be read.
        OSError: The disk is full or failing.
    """
    is_mine = True
    while is_mine and not _are_current(history := opened()):
        handle = os.open(views_lock(history), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            is_mine = taken(handle) and _are_renewed(opened)
        finally:
            os.close(handle)


def views_lock(history: History) -> Path:
    """Return the lock of the process that renews the views of this working tree."""
    return record_path(history).with_suffix(".renewing")


def _are_current(history: History) -> bool:
    """Say whether the views are the tip's; in a working tree that has none, there is nothing to renew."""
    state = read_state(history)
    if not state.written:
        return True
    return state.cursor is not None and state.cursor.tip == history.tip().commit_id


def _are_renewed(opened: Callable[[], History]) -> bool:
    """Renew the views once nothing else goes on; False where that takes too long or something is in the way."""
    while True:
        history = opened()
        try:
            refuse_odd_state(history)
            with history.locked(wait_seconds=0):
                if not are_as_written(history, read_state(history)):
                    return False
                pin_lost_tips(history)
                return not refresh_views(history, datetime.now(UTC))
        except (RepositoryStateError, WorkspaceBusyError):
            if not _is_recent(history):
                return False
        time.sleep(LOOK_SECONDS)


def _is_recent(history: History) -> bool:
    """Say whether a hook ran a moment ago: in a rebase there is one for each commit, and one at its end."""
    return abs(time.time() - (history.state / SIGNAL).stat().st_mtime) < WAIT_SECONDS
