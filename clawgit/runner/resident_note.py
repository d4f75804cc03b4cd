"""What the resident runner leaves for others to read: that it is there, since when, and which clock jumps it met."""

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
KEPT = 20  # jumps
SILENT = timedelta(minutes=10)


class RunnerIsThereError(ClawgitError):
    """Another process looks after the user's workspaces already."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


class Jump(NamedTuple):
    """By how much a clock was moved, and how long the machine slept, in seconds; noticed at a time."""

    at: datetime
    stepped: float = 0.0
    slept: float = 0.0

    @property
    def sentence(self) -> str:
        """Return what happened in words, empty where nothing did."""
        sentences = []
        if self.slept:
            sentences.append(f"The machine slept for {_span(self.slept)}.")
        if self.stepped:
            way = "ahead" if self.stepped > 0 else "back"
            sentences.append(f"The clock was moved {way} by {_span(self.stepped)}.")
        return " ".join(sentences)


class ResidentNote(NamedTuple):
    """The process, since when it works, and its clawgit; when it was last seen, and the clock jumps that it met.

    ``is_there`` is False for one that has ended.
    """

    pid: int
    since: datetime
    version: str
    seen: datetime
    jumps: tuple[Jump, ...] = ()
    is_there: bool = False

    def hangs(self, now: datetime) -> bool:
        """Say whether it is there, and was not seen for minutes."""
        return self.is_there and now - self.seen > SILENT

    def with_jump(self, jump: Jump) -> ResidentNote:
        """Return the note with one jump more."""
        rounded = Jump(jump.at, round(jump.stepped), round(jump.slept))
        return self._replace(seen=jump.at, jumps=(*self.jumps, rounded)[-KEPT:])


@contextmanager
def only_resident(path: Path, now: datetime) -> Iterator[ResidentNote]:
    """Be the user's only resident runner for a while; clock jumps that an earlier one met stay noted."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with only_holder(_lock_of(path)) as handle:
        if handle is None:
            raise _is_there(read_resident(path))
        before = read_resident(path)
        note = ResidentNote(os.getpid(), now, __version__, now, () if before is None else before.jumps)
        write_resident(path, note)
        yield note


def read_resident(path: Path) -> ResidentNote | None:
    """Return what the resident runner noted last; None where there was none, or its note cannot be read."""
    with suppress(UserFileError, ValueError, TypeError, KeyError):
        data = read_user_file(path)
        if data is not None:
            return _note(data)._replace(is_there=is_locked(_lock_of(path)))
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
        "clock_jumps": [
            {"at": each.at.isoformat(timespec="seconds"), "stepped": each.stepped, "slept": each.slept}
            for each in note.jumps
        ],
    }


def _span(seconds: float) -> str:
    whole = round(abs(seconds))
    units = (("d", whole // 86_400), ("h", whole % 86_400 // 3600), ("min", whole % 3600 // 60))
    return " ".join(f"{count} {unit}" for unit, count in units if count) or f"{whole} s"


def _note(data: dict[str, Any]) -> ResidentNote:
    jumps = (
        Jump(datetime.fromisoformat(each["at"]), float(each["stepped"]), float(each["slept"]))
        for each in data["clock_jumps"]
    )
    since, seen = (datetime.fromisoformat(data[key]) for key in ("since", "seen"))
    return ResidentNote(int(data["pid"]), since, str(data["version"]), seen, tuple(jumps))


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _is_there(other: ResidentNote | None) -> RunnerIsThereError:
    who = f" (process {other.pid}, since {other.since:%Y-%m-%d %H:%M})" if other is not None else ""
    return RunnerIsThereError(
        f"Another runner looks after your workspaces{who}.", hint="`clawgit runner status` shows its jobs."
    )
