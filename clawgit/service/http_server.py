"""The same methods over HTTP on 127.0.0.1, for programs that cannot speak to a unix socket.

Every program of the machine, and every page in a browser, can reach a port of 127.0.0.1. So each request has to bear the
token, which only this account can read, or that of a connection, and the exact name under which the service is called. Nobody
is the operator here.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

from clawgit.errors import ConfigurationError
from clawgit.service.mcp.http_answers import answer_mcp
from clawgit.service.mcp.protocol import VERSIONS
from clawgit.service.requests import REFUSED, RequestError, read_request, refused
from clawgit.service.sockets import BACKLOG, private_folder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from starlette.requests import Request as HttpRequest
    from starlette.responses import Response

    from clawgit.service.request_desk import RequestDesk
    from clawgit.service.requests import Request

TOKEN = "http.token"
LOOPBACK = "127.0.0.1"
MOST_BYTES = 1024 * 1024
MOST_AT_ONCE = 64
BODY_SECONDS = 10.0
_TOKEN_BYTES = 32


class HttpServer:
    """Listens on ``port`` of 127.0.0.1, any free one for 0.

    Raises:
        ConfigurationError: The port is taken, or the packages are missing.
    """

    def __init__(self, folder: Path, desk: RequestDesk, port: int) -> None:
        self._desk = desk
        self._at_work = 0
        self._token = read_token(folder)
        self._listener = _listener(port)
        self.address = f"{LOOPBACK}:{self._listener.getsockname()[1]}"
        self._server = _server(self._app())

    async def stay(self) -> None:
        """Answer until `close`."""
        await self._server.serve(sockets=[self._listener])

    def close(self) -> None:
        """Take no more requests; those that were begun are answered."""
        self._server.should_exit = True

    def _app(self) -> Any:
        from starlette.applications import Starlette
        from starlette.responses import Response
        from starlette.routing import Route

        async def rpc(request: HttpRequest) -> Response:
            status = self._why_not(request)
            if status or not self._may_ask(_bearer(request)):
                return Response(status_code=status or 403)
            return await self._in_place(request, lambda body: self._answer(body, _bearer(request)))

        async def mcp(request: HttpRequest) -> Response:
            status = self._why_not(request)
            if status or self._is_own(_bearer(request)):  # a client of MCP is known by its connection alone
                return Response(status_code=status or 403)
            if request.headers.get("mcp-protocol-version", VERSIONS[0]) not in VERSIONS:
                return Response(status_code=400)
            return await self._in_place(request, lambda body: answer_mcp(body, _bearer(request), self._desk))

        return Starlette(routes=[Route("/rpc", rpc, methods=["POST"]), Route("/mcp", mcp, methods=["POST"])])

    async def _in_place(self, request: HttpRequest, answer: Callable[[bytes], Awaitable[bytes]]) -> Response:
        """Answer a request while there is a place for it; a place is taken by a request, not by a connection."""
        from starlette.responses import Response

        if self._at_work >= MOST_AT_ONCE:
            return Response(status_code=503)
        self._at_work += 1
        try:
            body = await _body(request)
            if body is None:
                return Response(status_code=413)
            said = await answer(body)
            return Response(said, 200 if said else 202, media_type="application/json")
        finally:
            self._at_work -= 1

    def _why_not(self, request: HttpRequest) -> int:
        """Return the status that refuses a request; 0 where it may be answered."""
        headers = request.headers
        if headers.getlist("host") != [self.address]:
            return 421
        if headers.getlist("origin") not in ([], [f"http://{self.address}"]):
            return 403
        if len(headers.getlist("authorization")) != 1 or not self._is_known(_bearer(request)):
            return 401
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        return 0 if kind == "application/json" else 415

    def _is_known(self, token: str) -> bool:
        """Say whether a token is the account's own, or that of a connection."""
        return self._is_own(token) or self._desk.connection(token) is not None

    def _is_own(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._token.encode())

    def _may_ask(self, token: str) -> bool:
        """Say whether a token opens more than the tools of MCP."""
        if self._is_own(token):
            return True
        connection = self._desk.connection(token)
        return connection is not None and connection.may_say_who_spoke

    async def _answer(self, body: bytes, token: str) -> bytes:
        number = None
        try:
            request = read_request(body)
            number = request.number
            request = request if self._is_own(token) else request._replace(token=token)
            return await self._desk.answer(_not_operator(request))
        except RequestError as error:
            return refused(number, error)


def read_token(folder: Path) -> str:
    """Return the token of the account's service; it is made once."""
    private_folder(folder)
    path = folder / TOKEN
    with suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(_TOKEN_BYTES))
    path.chmod(0o600)
    token = path.read_text().strip()
    if len(token) < _TOKEN_BYTES:
        raise ConfigurationError(f"{path} holds no token.", hint="Remove it; the next start makes another.")
    return token


def _bearer(request: HttpRequest) -> str:
    """Return the token that a request bears, empty without."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind == "Bearer" else ""


def _not_operator(request: Request) -> Request:
    if request.actor != "operator":
        return request
    raise RequestError(
        REFUSED,
        "Over HTTP nobody is the operator: which process asks cannot be seen.",
        hint='Ask with "actor": "host", or over the socket.',
        exit_code=1,
    )


async def _body(request: HttpRequest) -> bytes | None:
    """Return the body, None if it is too long or takes too long."""
    parts = bytearray()
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                parts += part
                if len(parts) > MOST_BYTES:
                    return None
            return bytes(parts)
    return None


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigurationError(
            f"Port {port} of {LOOPBACK} cannot be used ({error.strerror}).", hint="--http 0 takes a free one."
        ) from error
    return listener


def _server(app: Any) -> Any:
    try:
        import uvicorn

        from clawgit.service.http_connection import HttpConnection
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"HTTP needs the Python package {error.name}, which is not installed.",
            hint='Run `pip install "clawgit[http]"`, with the Python that clawgit runs in.',
        ) from error

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http=HttpConnection,
        loop="none",
        timeout_keep_alive=5,
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # signals are the service's
    return server
