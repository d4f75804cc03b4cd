"""Writers let a person's git go first: `git add` and `git commit` never wait for a lock.

`git commit` fails if HEAD moved since it began. The hooks note which git is committing, and no writer moves the
branch meanwhile. Writers that queue also wait after git wrote the staging.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from clawgit.history.git.lock import POLL_SECONDS

OWN = "own-commits"  # of the changes made here; its date is that of the last one
SEEN = "person-seen"
SIGNAL = "signal"  # written by the hooks: the process that is committing, empty once it is done
QUIET_SECONDS = 1.0  # from `git add` to `git commit`
COMMIT_SECONDS = 2.0  # from a hook to the next one: an editor may stay open for hours
FOR_WAITING = 0.1  # of the time that a writer has left: with all of it, the eleventh in the queue times out
TIMES_BEGUN_AGAIN = 3
_LONGEST_ID = 20


class Courtesy:
    """How long the lock's holder waits for a person's git, and how often a change starts over for it."""

    def __init__(self, index: Path, state: Path) -> None:
        self._index, self._state = index, state
        self._waits_until = 0.0  # of the monotonic clock
        self._times = 0

    def renew(self, seconds: float, *, stood_in_line: bool) -> None:
        self._waits_until = time.monotonic() + FOR_WAITING * seconds if stood_in_line else 0.0
        self._times = TIMES_BEGUN_AGAIN

    def wait(self) -> None:
        """Return once a change may begin; a commit in progress is always waited for."""
        while is_committing(self._state) or self._is_staging():
            time.sleep(POLL_SECONDS)

    def is_due(self) -> bool:
        """Say whether a change that has begun must start over, since a person's git ran meanwhile."""
        if self._times and is_committing(self._state):
            self._times -= 1
            return True
        return self._is_staging()

    def _is_staging(self) -> bool:
        """Say whether a git that is not ours wrote the staging a moment ago."""
        if time.monotonic() >= self._waits_until:
            return False
        last = max(_last_written(self._index, self._state), _changed_at(self._state / SEEN))
        return 0 <= time.time_ns() - last < QUIET_SECONDS * 1e9


def note_person(index: Path, state: Path) -> None:
    """Note when git wrote the staging, before our change overwrites it; callers hold the workspace lock."""
    written = _last_written(index, state)
    if written:
        with suppress(OSError):
            seen = state / SEEN
            seen.touch(mode=0o600)
            os.utime(seen, ns=(written, written))


def is_committing(state: Path) -> bool:
    """Say whether a git process is between the first and last hook of its commit; False if it ended or takes long."""
    try:
        with (state / SIGNAL).open("rb") as file:
            age = time.time() - os.fstat(file.fileno()).st_mtime
            process = file.read(_LONGEST_ID).strip()
    except OSError:
        return False
    return process.isdigit() and 0 <= age < COMMIT_SECONDS and _is_running(int(process))


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/stat").read_bytes()
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another account's, or no /proc
        return True
    return not status.rpartition(b")")[2].lstrip().startswith(b"Z")


def _last_written(index: Path, state: Path) -> int:
    written = _changed_at(index)
    if written > _changed_at(state / OWN):
        return written
    return 0


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
