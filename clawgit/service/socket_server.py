"""The unix socket: a line for a line, with bounds on all that a client can make long."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from clawgit.history.authorship.host_signs import host_sign_of
from clawgit.service import requests
from clawgit.service.sockets import bound, is_there, peer_of, place_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.service.request_desk import RequestDesk

MOST_CONNECTIONS = 256
IDLE_SECONDS = 60.0  # a client that asks nothing for so long is let go
WRITE_SECONDS = 10.0  # a client that reads nothing for so long is left
UNREAD_BYTES = 256 * 1024
LOOK_SECONDS = 2.0


class SocketServer:
    """Listens at ``path`` while the service runs; a socket that was removed is bound again."""

    def __init__(self, path: Path, desk: RequestDesk, *, idle: float = IDLE_SECONDS) -> None:
        self._path = path
        self._desk = desk
        self._idle = idle
        self._server: asyncio.Server | None = None
        self._mine: tuple[int, int] | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        listener = bound(self._path)
        self._mine = place_of(self._path)
        longest = requests.LONGEST_LINE
        self._server = await asyncio.start_unix_server(self._serve, sock=listener, limit=longest)

    async def stay(self) -> None:
        """Check every few seconds that the socket is where clients look for it."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not is_there(self._path, self._mine) and self._server is not None:
                self._server.close()
                with suppress(OSError):  # a full or read-only disk: the next look tries again
                    await self.open()

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        if is_there(self._path, self._mine):
            self._path.unlink(missing_ok=True)
        for writer in list(self._open):
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._open) >= MOST_CONNECTIONS:
            full = _error(requests.TOO_MANY, "Too many clients are connected.", "Try again in a moment.")
            await self._say(writer, full)
            writer.close()
            return
        self._open.add(writer)
        writer.transport.set_write_buffer_limits(high=UNREAD_BYTES)
        try:
            await self._talk(reader, writer)
        except (OSError, TimeoutError):
            writer.transport.abort()  # the client went away, or reads nothing
        finally:
            self._open.discard(writer)
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        process = peer_of(writer.get_extra_info("socket"))
        sign_of = cache(host_sign_of)  # looked up once a connection
        while True:
            try:
                line = await asyncio.wait_for(reader.readuntil(b"\n"), self._idle)
            except (asyncio.IncompleteReadError, TimeoutError):
                return  # the end, half a line and the end, or nothing for long
            except asyncio.LimitOverrunError:
                text = f"The line is longer than {requests.LONGEST_LINE:,} bytes; the connection ends here."
                await self._say(writer, _error(requests.TOO_LONG, text))
                return
            if not line.strip():
                continue
            number = None
            try:
                request = requests.read_request(line)
                number = request.number
                _check_actor(request, process, sign_of)
            except requests.RequestError as error:
                await self._say(writer, requests.refused(number, error))
                continue
            answer = await self._desk.answer(request)
            if request.wants_answer:
                await self._say(writer, answer)

    async def _say(self, writer: asyncio.StreamWriter, line: bytes) -> None:
        writer.write(line)
        await asyncio.wait_for(writer.drain(), WRITE_SECONDS)


def _check_actor(
    request: requests.Request, process: int | None, sign_of: Callable[[int], str | None]
) -> None:
    """Refuse a client that may not ask for that actor: a host's process is never the operator."""
    if process is None:
        raise requests.RequestError(requests.REFUSED, "Another account's process asks.")
    if request.actor == "operator" and (sign := sign_of(process)) != "":
        why = f"{sign} is set there or in a process above it" if sign else "it cannot be looked at"
        text = f"Process {process} is not the operator's: {why}."
        hint = 'Ask with "actor": "host", or from a terminal of your own.'
        raise requests.RequestError(requests.REFUSED, text, hint=hint)


def _error(code: int, message: str, hint: str = "") -> bytes:
    return requests.refused(None, requests.RequestError(code, message, hint=hint))
