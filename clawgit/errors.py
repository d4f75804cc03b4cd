"""Errors that the operator can act on, and their exit codes."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class ExitCode(IntEnum):
    """The exit status of a command."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    BUG = 3
    CONFIGURATION = 4
    BUSY = 5
    INTERRUPTED = 130
    CLOSED_PIPE = 141


class ClawgitError(Exception):
    """An expected refusal: a sentence for the operator, and a hint if there is a way out."""

    exit_code: ClassVar[ExitCode] = ExitCode.REFUSED

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class ConfigurationError(ClawgitError):
    """A setting, a settings file or the environment cannot be used."""

    exit_code: ClassVar[ExitCode] = ExitCode.CONFIGURATION


class UsageError(ClawgitError):
    """The words of the command are wrong."""

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE


def install_hint(extra: str) -> str:
    """Return how to install an optional part."""
    return f'Run `pip install "clawgit[{extra}]"`, or in a checkout `pip install ".[{extra}]"`, with the Python that clawgit runs in.'


def outside_error(error: OSError) -> ClawgitError:
    """Return an error of the system as a refusal."""
    where = f"{error.filename}: " if error.filename is not None else ""
    return ClawgitError(f"{where}{error.strerror or error}.", hint="Check the place and its permissions.")


class Complaint(NamedTuple):
    """A problem that `doctor` finds: the check, the problem, the way out, and whether it was mended."""

    check: str
    what: str
    way_out: str
    mended: bool = False
    mend: Callable[[], object] | None = None
