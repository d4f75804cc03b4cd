"""The refusal of a message store that cannot be reached: apart from what talks to it, for whoever only waits."""

from __future__ import annotations

from typing import ClassVar

from clawgit.errors import ClawgitError, ExitCode


class StoreUnreachableError(ClawgitError):
    """The server of the message store does not answer, or went away in the middle."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY
