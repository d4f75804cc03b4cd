"""What the resident runner leaves for others to read: that it is there, since when, and when it was last seen."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from clawgit import __version__
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.git.lock import is_locked, only_holder
from clawgit.workspace.user.user_file import UserFileError, read_user_file, write_user_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "runner-resident.json"
SILENT = timedelta(minutes=10)


class RunnerIsThereError(ClawgitError):
    """Another process looks after the user's workspaces already."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


class ResidentNote(NamedTuple):
    """The process, since when it works, and its clawgit; when it was last seen.

    ``is_there`` is False for one that has ended.
    """

    pid: int
    since: datetime
    version: str
    seen: datetime
    is_there: bool = False

    def hangs(self, now: datetime) -> bool:
        """Say whether it is there, and was not seen for minutes."""
        return self.is_there and now - self.seen > SILENT


@contextmanager
def only_resident(path: Path, now: datetime) -> Iterator[ResidentNote]:
    """Be the user's only resident runner for a while."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with only_holder(_lock_of(path)) as handle:
        if handle is None:
            raise _is_there(read_resident(path))
        note = ResidentNote(os.getpid(), now, __version__, now)
        write_resident(path, note)
        yield note


def read_resident(path: Path) -> ResidentNote | None:
    """Return what the resident runner noted last; None where there was none, or its note cannot be read."""
    with suppress(UserFileError, ValueError, TypeError, KeyError):
        data = read_user_file(path)
        if data is not None:
            since = datetime.fromisoformat(data["since"])
            seen = datetime.fromisoformat(data["seen"])
            is_there = is_locked(_lock_of(path))
            return ResidentNote(int(data["pid"]), since, str(data["version"]), seen, is_there)
    return None


def write_resident(path: Path, note: ResidentNote) -> None:
    """Replace the note."""
    write_user_file(path, resident_data(note))


def resident_data(note: ResidentNote) -> dict[str, Any]:
    """Return a note as it is written, and as other programs read it."""
    return {
        "pid": note.pid,
        "since": note.since.isoformat(timespec="seconds"),
        "version": note.version,
        "seen": note.seen.isoformat(timespec="seconds"),
    }


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _is_there(other: ResidentNote | None) -> RunnerIsThereError:
    who = f" (process {other.pid}, since {other.since:%Y-%m-%d %H:%M})" if other is not None else ""
    return RunnerIsThereError(
        f"Another runner looks after your workspaces{who}.", hint="`clawgit runner status` shows its jobs."
    )
