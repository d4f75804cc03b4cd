"""That there is one service an account: its lock, in which it says its state."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from clawgit.client import LOCK
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.git.lock import taken
from clawgit.operations.standing import read_standing
from clawgit.service.sockets import is_there, place_of, private_folder

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.operations.standing import Standing


class ServiceRunsError(ClawgitError):
    """Another service looks after this account's workspaces."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


class OnlyService:
    """The lock of the one service in ``folder``, held from `take` on."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        self._handle = -1
        self._place: tuple[int, int] | None = None

    def take(self, standing: Standing) -> None:
        """Be the one service."""
        private_folder(self._path.parent)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not taken(handle):
            os.close(handle)
            raise runs_already(read_standing(self._path.parent))
        if self._handle >= 0:
            os.close(self._handle)
        self._handle, self._place = handle, place_of(self._path)
        self.write(standing)

    def is_in_place(self) -> bool:
        """Say whether the lock is still the file that others look at."""
        return is_there(self._path, self._place)

    def write(self, standing: Standing) -> None:
        """Write the service's state into the lock; without room, the one before stays."""
        data = json.dumps(standing._asdict()).encode()
        with suppress(OSError):
            os.pwrite(self._handle, data, 0)
            os.ftruncate(self._handle, len(data))


def runs_already(standing: Standing | None) -> ServiceRunsError:
    """Return the refusal that names the service that is there."""
    who = (
        ""
        if standing is None
        else f": process {standing.process}, since {standing.since}, version {standing.version}"
    )
    return ServiceRunsError(
        f"A service looks after your workspaces already{who}.", hint="`clawgit down` ends it."
    )
