"""Owning the vectors of the account: a part of the resident service, and the whole of one that is started for them alone.

Both are the same code at the same socket. One that was started because no service ran ends when nobody asks any more, or
when a service begins and takes over.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.client import connected
from clawgit.history.git.lock import taken
from clawgit.recall.vectors.owner_client import METHODS, Owner, socket_in
from clawgit.service.request_desk import RequestDesk
from clawgit.service.requests import BAD_PARAMS, Method, RequestError
from clawgit.service.socket_server import SocketServer
from clawgit.service.sockets import is_there, place_of, private_folder
from clawgit.service.vectors.vector_host import VectorHost

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.service.requests import Request

# After which the service lets go of models and Chroma until somebody asks again.
RESIDENT_IDLE_SECONDS = 900.0
LOOK_SECONDS = 0.5
ENDING_SECONDS = 0.02  # between two looks whether another owner has ended


class VectorService:
    """Answers at ``path`` whoever asks for vectors."""

    def __init__(self, path: Path, idle_seconds: float, report_bug: Callable[[Exception], str]) -> None:
        self._path = path
        self._idle_seconds = idle_seconds
        self._host = VectorHost(path, idle_seconds)
        self._asked_at = time.monotonic()
        self._lock = -1
        methods = {f"vectors.{name}": Method(self._ask, of_workspace=False) for name in METHODS}
        methods["vectors.stop"] = Method(self._let_go, of_workspace=False)
        self._desk = RequestDesk(methods, _no_workspace, report_bug)
        self._server = SocketServer(path, self._desk)
        self._is_resident = self._ended = False

    async def stay(self) -> None:
        """Own the vectors as long as the service runs, as soon as one that was started for them alone has ended."""
        self._is_resident = True
        while not self.is_mine():  # at once when the other has ended: who asks meanwhile starts another
            await self._desk.in_thread(Owner(self._path.parent).stop)
            await asyncio.sleep(ENDING_SECONDS)
        while not await self._is_open():
            await asyncio.sleep(LOOK_SECONDS)
        await self._server.stay()

    async def stay_while_needed(self) -> None:
        """Own the vectors until nobody has asked for a while, a service takes over, or the socket is gone."""
        await self._server.open()
        mine = place_of(self._path)
        while not self._ended and is_there(self._path, mine):
            await asyncio.sleep(min(LOOK_SECONDS, self._idle_seconds))
            if self._host.is_at_rest and time.monotonic() - self._asked_at > self._idle_seconds:
                break
        await self.close()

    async def close(self) -> None:
        """Answer nobody any more, and leave everything whole."""
        if self._lock < 0:
            return
        await self._server.close()
        await self._desk.in_thread(self._host.let_go)
        await self._desk.finish(LOOK_SECONDS)
        os.close(self._lock)
        self._lock = -1

    def is_mine(self) -> bool:
        """Be the one owner, if there is no other."""
        private_folder(self._path.parent)
        lock = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not taken(lock):
            os.close(lock)
            return False
        self._lock = lock
        return True

    async def _is_open(self) -> bool:
        with suppress(OSError):  # no room, or something else in its place: that may pass
            await self._server.open()
            return True
        return False

    def _ask(self, request: Request) -> object:
        self._asked_at = time.monotonic()
        try:
            return self._host.ask(request)
        finally:
            self._asked_at = time.monotonic()

    def _let_go(self, _request: Request) -> object:
        self._host.let_go()
        self._ended = not self._is_resident
        return self._ended


def resident_vectors(folder: Path, report_bug: Callable[[Exception], str]) -> VectorService:
    """Return the part of the resident service in ``folder`` that owns the vectors."""
    return VectorService(socket_in(folder), RESIDENT_IDLE_SECONDS, report_bug)


def _no_workspace(_named: str) -> Path:
    raise RequestError(BAD_PARAMS, "The vectors are asked by folder.")


def _is_only_one(service: VectorService, path: Path) -> bool:
    """Be the one owner, after one that is just ending; False if there is one to be asked."""
    while not service.is_mine():
        with suppress(OSError):
            connected(str(path)).close()
            return False
        time.sleep(ENDING_SECONDS)
    return True


def _report_bug(error: Exception) -> str:
    traceback.print_exception(error)  # into the log of the vectors
    return f"This is a bug in clawgit ({type(error).__name__}: {error})."


def main(arguments: list[str]) -> None:
    """Be the service at the socket that is named, for the vectors alone and as long as they are needed."""
    path = Path(arguments[0])
    if os.fork():  # whoever started it waits for this end, and never for the service's
        os._exit(0)
    os.setsid()
    os.chdir(path.parent)
    os.umask(0o077)
    with suppress(ValueError, OSError):  # a job that starts it has a limit of its own
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    service = VectorService(path, float(arguments[1]), _report_bug)
    if _is_only_one(service, path):
        asyncio.run(service.stay_while_needed())


if __name__ == "__main__":
    main(sys.argv[1:])
