"""Writers that queue let a person's git go first: `git add` and `git commit` never wait for a lock.

Whoever writes one change after another would keep git from its lock, and move HEAD while the hooks of a commit run.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.history.git.lock import POLL_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

OWN = "own-commits"  # of the changes made here; its date is that of the last one
SEEN = "person-seen"
QUIET_SECONDS = 1.0  # a commit with our hooks takes half of that


def note_person(index: Path, state: Path) -> None:
    """Note when git wrote the staging, before a change of ours writes over that; callers hold the workspace lock."""
    written = _last_written(index, state)
    if written:
        with suppress(OSError):
            seen = state / SEEN
            seen.touch(mode=0o600)
            os.utime(seen, ns=(written, written))


def give_way(index: Path, state: Path, *, at_most: float) -> None:
    """Wait until nobody has staged or committed anything for a moment, or for ``at_most`` seconds."""
    deadline = time.monotonic() + at_most
    while time.monotonic() < deadline:
        last = max(_last_written(index, state), _changed_at(state / SEEN))
        if not 0 <= time.time_ns() - last < QUIET_SECONDS * 1e9:
            return
        time.sleep(POLL_SECONDS)


def _last_written(index: Path, state: Path) -> int:
    """Return when git wrote the staging, 0 if a change of ours did after that."""
    written = _changed_at(index)
    return written if written > _changed_at(state / OWN) else 0


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
