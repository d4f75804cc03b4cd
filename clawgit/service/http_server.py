"""The service's methods over HTTP on 127.0.0.1, for programs that cannot use a unix socket.

Every program of the machine, and every page in a browser, can reach a port of 127.0.0.1. So each request needs the
exact name of the service, and its token, which only this account can read, or that of a connection. No request
here counts as the operator's.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
from contextlib import nullcontext, suppress
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from clawgit.errors import ConfigurationError, install_hint
from clawgit.service.mcp.protocol import NO_JSON, VERSIONS, McpSession, ServiceCall, refusal
from clawgit.service.mcp.tool_table import TOOL_SETS, USUAL
from clawgit.service.requests import REFUSED, Request, RequestError, read_request, refused
from clawgit.service.sockets import BACKLOG, private_folder
from clawgit.text.strict_json import strict_json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from starlette.requests import Request as HttpRequest
    from starlette.responses import Response

    from clawgit.service.request_desk import RequestDesk

TOKEN = "http.token"
LOOPBACK = "127.0.0.1"
MOST_BYTES = 1024 * 1024
MOST_AT_ONCE = 64
BODY_SECONDS = 10.0
_TOKEN_BYTES = 32


class HttpServer:
    """Listens on ``port`` of 127.0.0.1; 0 takes any free one."""

    def __init__(self, folder: Path, desk: RequestDesk, port: int) -> None:
        check_packages("HTTP", "http", "starlette", "uvicorn")
        self._desk = desk
        self._at_work = 0
        self._token = read_token(folder)
        self._listener = listening(port)
        self.address = f"{LOOPBACK}:{self._listener.getsockname()[1]}"
        self._server = make_server(self._app())

    async def stay(self) -> None:
        await self._server.serve(sockets=[self._listener])

    def close(self) -> None:
        self._server.should_exit = True

    def _app(self) -> Any:
        from starlette.applications import Starlette
        from starlette.responses import Response
        from starlette.routing import Route

        async def answered(
            request: HttpRequest, answer: Callable[[bytes, str], Awaitable[bytes]]
        ) -> Response:
            """Answer a request if there is room for one more; connections without a request take no room."""
            if self._at_work >= MOST_AT_ONCE:
                return Response(status_code=503)
            self._at_work += 1
            try:
                body = await _body(request)
                if body is None:
                    return Response(status_code=413)
                line = await answer(body, _bearer(request))
                return Response(line, 200 if line else 202, media_type="application/json")
            finally:
                self._at_work -= 1

        async def rpc(request: HttpRequest) -> Response:
            status = self._why_not(request)
            if status == 0 and not self._is_own(_bearer(request)):
                connection = self._desk.connection(_bearer(request))
                if connection is None or not connection.may_say_who_spoke:
                    status = 403
            if status:
                return Response(status_code=status)
            return await answered(request, self._answer)

        async def mcp(request: HttpRequest) -> Response:
            status = self._why_not(request)
            tools = request.query_params.get("tools", USUAL)
            if not status and self._is_own(_bearer(request)):
                status = 403  # a client of MCP is known by its connection alone
            is_spoken = request.headers.get("mcp-protocol-version", VERSIONS[0]) in VERSIONS
            if not status and not (is_spoken and tools in TOOL_SETS):
                status = 400
            if status:
                return Response(status_code=status)
            return await answered(request, partial(self._answer_mcp, tools))

        return Starlette(routes=[Route("/rpc", rpc, methods=["POST"]), Route("/mcp", mcp, methods=["POST"])])

    def _why_not(self, request: HttpRequest) -> int:
        headers = request.headers
        if headers.getlist("host") != [self.address]:
            return 421
        if headers.getlist("origin") not in ([], [f"http://{self.address}"]):
            return 403
        if "cookie" in headers:  # a browser's: the page is for those
            return 403
        token = _bearer(request)
        is_known = self._is_own(token) or self._desk.connection(token) is not None
        if len(headers.getlist("authorization")) != 1 or not is_known:
            return 401
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        return 0 if kind == "application/json" else 415

    def _is_own(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._token.encode())

    async def _answer(self, body: bytes, token: str) -> bytes:
        number = None
        try:
            request = read_request(body)
            number = request.number
            if not self._is_own(token):
                request = request._replace(token=token)
            if request.actor == "operator":
                text = "Over HTTP nobody is the operator: which process asks cannot be seen."
                hint = 'Ask with "actor": "host", or over the socket.'
                return refused(number, RequestError(REFUSED, text, hint=hint))
            return await self._desk.answer(request)
        except RequestError as error:
            return refused(number, error)

    async def _answer_mcp(self, tools: str, body: bytes, token: str) -> bytes:
        """Answer one message of MCP, without state between messages; empty if the message wants no answer."""
        try:
            message = strict_json(body)
        except (ValueError, RecursionError):
            return json.dumps(refusal(None, NO_JSON, "The body is no JSON.")).encode()
        answer = McpSession(tools).take(message)
        if isinstance(answer, ServiceCall):
            request = Request(1, answer.method, "", "", answer.params, token=token)
            answer = answer.answer(json.loads(await self._desk.answer(request)))
        return b"" if answer is None else json.dumps(answer, ensure_ascii=True).encode()


def read_token(folder: Path) -> str:
    """Return the token of the account's service, made on first use."""
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
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind == "Bearer" else ""


async def _body(request: HttpRequest) -> bytes | None:
    parts = bytearray()
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                parts += part
                if len(parts) > MOST_BYTES:
                    return None
            return bytes(parts)
    return None


def listening(port: int) -> socket.socket:
    """Return a listening socket on a port of 127.0.0.1; 0 takes any free one."""
    listener = socket.socket(socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        sentence = f"Port {port} of {LOOPBACK} cannot be used ({error.strerror})."
        raise ConfigurationError(sentence, hint="--http 0 takes a free one.") from error
    return listener


def check_packages(what: str, extra: str, *packages: str) -> None:
    for package in packages:
        if find_spec(package) is None:
            text = f"{what} needs the Python package {package}, which is not installed."
            raise ConfigurationError(text, hint=install_hint(extra))


def make_server(app: Any) -> Any:
    """Return the HTTP server of an application; the service keeps the signals."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http="h11",
        loop="none",
        timeout_keep_alive=5,
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # signals are the service's
    return server
