"""The service's part in owning the vectors: it holds the socket, and starts the process that answers when somebody asks."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.recall.embedders.embedder import QUIET
from clawgit.recall.vectors.owner_client import Owner, socket_in, vector_log
from clawgit.service.sockets import bound, is_there, place_of
from clawgit.service.vector_worker import ENDING_SECONDS, LOOK_SECONDS, owner_lock

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from pathlib import Path

IDLE_SECONDS = 900.0  # after which models and Chroma are let go until somebody asks again
END_SECONDS = 5.0  # that the process has to leave everything whole


class ResidentVectors:
    """Owns the vectors of the service in ``folder``, as soon as an owner that a command has started is gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = socket_in(folder)
        self._lock: int | None = None
        self._listener: socket.socket | None = None
        self._mine: tuple[int, int] | None = None
        self._process: Process | None = None
        self._line: socket.socket | None = (
            None  # the process ends when this is closed, or when the service is gone
        )

    async def stay(self) -> None:
        """Own the vectors as long as the service runs."""
        while self._lock is None:
            self._lock = owner_lock(self._path)
            if self._lock is None:  # asked at once and again: who asks meanwhile starts another
                await asyncio.to_thread(Owner(self._folder).stop)
                await asyncio.sleep(ENDING_SECONDS)
        while True:
            try:
                self._listen()
                await self._answer_while_there()
            except OSError:  # no room, or something else in its place: that may pass
                await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Answer nobody any more, and leave everything whole."""
        if self._listener is not None:
            self._listener.close()
            if is_there(self._path, self._mine):
                self._path.unlink(missing_ok=True)
        await self._end()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _listen(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self._listener = bound(self._path)
        self._mine = place_of(self._path)

    async def _answer_while_there(self) -> None:
        while is_there(self._path, self._mine):
            if await self._is_asked():
                await self._start()
                assert self._process is not None
                await self._process.wait()
                await self._end()

    async def _is_asked(self) -> bool:
        assert self._listener is not None
        loop = asyncio.get_running_loop()
        asked = asyncio.Event()
        loop.add_reader(self._listener, asked.set)
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(asked.wait(), LOOK_SECONDS)
        finally:
            loop.remove_reader(self._listener)
        return asked.is_set()

    async def _start(self) -> None:
        assert self._listener is not None
        assert self._lock is not None
        self._line, other_end = socket.socketpair()
        number = self._listener.fileno()
        log = os.open(vector_log(self._folder), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        words = ("-P", "-m", "clawgit.service.vector_worker", str(self._path), str(IDLE_SECONDS), str(number))
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *words,
                cwd=self._folder,  # Chroma takes settings from a file `.env` where it runs, never a workspace's
                env={**os.environ, **QUIET},
                stdin=other_end.fileno(),
                stdout=log,
                stderr=log,
                pass_fds=(number, self._lock),  # it owns the vectors until it has ended itself
                start_new_session=True,  # ^C is for the service, which ends it in good order
            )
        finally:
            other_end.close()
            os.close(log)

    async def _end(self) -> None:
        """Have the process leave everything whole, and kill it if it hangs: the next one wants what it holds."""
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._process is not None:
            try:
                await asyncio.wait_for(self._process.wait(), END_SECONDS)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
            self._process = None
