"""Refusals that the operator can act on, and the exit codes they end with."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class ExitCode(IntEnum):
    """What a command's exit status says."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    BUG = 3
    CONFIGURATION = 4
    BUSY = 5
    INTERRUPTED = 130
    CLOSED_PIPE = 141


class ClawgitError(Exception):
    """An expected refusal: a sentence for the operator, and a way out where there is one."""

    exit_code: ClassVar[ExitCode] = ExitCode.REFUSED

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class ConfigurationError(ClawgitError):
    """A setting, a file of settings or the environment is not usable as it is."""

    exit_code: ClassVar[ExitCode] = ExitCode.CONFIGURATION


class UsageError(ClawgitError):
    """The command's words do not fit."""

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE


def outside_error(error: OSError) -> ClawgitError:
    """Return what the system refused as a refusal."""
    where = f"{error.filename}: " if error.filename is not None else ""
    return ClawgitError(f"{where}{error.strerror or error}.", hint="Check the place and its permissions.")


class Complaint(NamedTuple):
    """One thing that `doctor` finds wrong: which check found it, what it is, the way out, and whether it was mended."""

    check: str
    what: str
    way_out: str
    mended: bool = False
    mend: Callable[[], None] | None = None
