"""The unix socket: a line for a line, with bounds on all that a client can make long."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.history.authorship.host_signs import host_sign_of
from clawgit.service import requests
from clawgit.service.sockets import bound, is_there, peer_of, place_of

if TYPE_CHECKING:
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
        connection = writer.get_extra_info("socket")
        peer = Peer(peer_of(connection))
        while True:
            try:
                line = await asyncio.wait_for(reader.readuntil(b"\n"), self._idle)
            except (asyncio.IncompleteReadError, TimeoutError):
                return  # the end, half a line and the end, or nothing for long
            except asyncio.LimitOverrunError:
                text = f"The line is longer than {requests.LONGEST_LINE:,} bytes; the connection ends here."
                await self._say(writer, _error(requests.TOO_LONG, text))
                return
            answer = await self._answer(line, peer)
            if answer:
                await self._say(writer, answer)

    async def _answer(self, line: bytes, peer: Peer) -> bytes:
        if not line.strip():
            return b""
        number = None
        try:
            request = requests.read_request(line)
            number = request.number
            request = peer.checked(request)
        except requests.RequestError as error:
            return requests.refused(number, error)
        answer = await self._desk.answer(request)
        return answer if request.wants_answer else b""

    async def _say(self, writer: asyncio.StreamWriter, line: bytes) -> None:
        writer.write(line)
        await asyncio.wait_for(writer.drain(), WRITE_SECONDS)


class Peer:
    """The process at the other end of a connection; its sign of a host is looked up once."""

    def __init__(self, process: int | None) -> None:
        self._process = process

    @cached_property
    def _sign(self) -> str | None:
        return None if self._process is None else host_sign_of(self._process)

    def checked(self, request: requests.Request) -> requests.Request:
        """Return the request if its client may ask for that actor: a host's process is never the operator."""
        if self._process is None:
            raise requests.RequestError(requests.REFUSED, "Another account's process asks.")
        if request.actor != "operator" or self._sign == "":
            return request
        why = "it cannot be looked at"
        if self._sign:
            why = f"{self._sign} is set there or in a process above it"
        text = f"Process {self._process} is not the operator's: {why}."
        hint = 'Ask with "actor": "host", or from a terminal of your own.'
        raise requests.RequestError(requests.REFUSED, text, hint=hint)


def _error(code: int, message: str, hint: str = "") -> bytes:
    return requests.refused(None, requests.RequestError(code, message, hint=hint))
