"""What a killed writer leaves half-written beside the history: removed once nobody can still be at it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.workspace.safe_files import TEMPORARY_PREFIX

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History

HALF_AN_OBJECT = "tmp_object_git2_"
PACKING = "maintenance.lock"
OLD_SECONDS = 3600


def remove_old_leftovers(history: History) -> None:
    """Remove half-written objects and records, and the lock of a packing that never ended.

    Writers outside the workspace lock make such files too (another program with libgit2, a reader's cache),
    so only those go that are older than anybody's write takes.
    """
    _remove_old(history.folder / "objects", (HALF_AN_OBJECT, PACKING))
    _remove_old(history.state, (TEMPORARY_PREFIX,))


def _remove_old(folder: Path, prefixes: tuple[str, ...]) -> None:
    with os.scandir(folder) as entries:
        found = [entry for entry in entries if entry.name.startswith(prefixes)]
    for entry in found:
        with suppress(OSError):
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > OLD_SECONDS:
                os.unlink(entry.path)  # noqa: PTH108 - an entry of the scan
