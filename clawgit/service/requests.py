"""One request and its answer: JSON-RPC 2.0, a line each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.service.mcp.tool_requests import METHODS
from clawgit.text.strict_json import strict_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.errors import ClawgitError
    from clawgit.workspace.user.connections import Connection

NOT_JSON, NO_REQUEST, NO_METHOD, BAD_PARAMS, A_BUG = -32700, -32600, -32601, -32602, -32603
REFUSED, TOO_LONG, TOO_MANY = -32000, -32001, -32002
LONGEST_LINE = 1024 * 1024
ACTORS = ("operator", "host", "unknown")


class RequestError(Exception):
    """A request that is answered with an error: its code, a sentence, a way out."""

    def __init__(self, code: int, message: str, *, hint: str = "", exit_code: int = 2) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.exit_code = exit_code


class Request(NamedTuple):
    """What is asked: of which workspace, for whom, and the method's own parameters.

    ``token`` is what the client sent; ``connection`` is the name of the connection that it proved. ``arrived`` is the time of
    the steady clock at which it came.
    """

    number: Any
    method: str
    workspace: str
    actor: str
    params: Mapping[str, Any]
    wants_answer: bool = True
    token: str = ""
    connection: str = ""
    arrived: float = 0.0


class InTime(NamedTuple):
    """Until when a request is answered, in seconds from its arrival, and what is said ``otherwise``."""

    seconds: float
    otherwise: Any


class Method(NamedTuple):
    """What answers one method; one that ``writes`` waits until nobody else writes to that workspace.

    One that ``talks`` only keeps a message: it waits for those before it, and no writer waits for it.
    What is not ready ``in_time`` is answered otherwise, also where its turn had not come.
    """

    answer: Callable[[Request], Any]
    writes: bool = False
    of_workspace: bool = True
    in_time: InTime | None = None
    talks: bool = False


def read_request(line: bytes) -> Request:
    """Return the request in a line.

    Raises:
        RequestError: It is none; the error bears no number.
    """
    try:
        said = strict_json(line)
    except (ValueError, RecursionError) as error:
        raise RequestError(
            NOT_JSON, "This line is no JSON.", hint="A request is one line of JSON."
        ) from error
    if not isinstance(said, dict) or said.get("jsonrpc") != "2.0" or not isinstance(said.get("method"), str):
        raise RequestError(NO_REQUEST, "This is no JSON-RPC 2.0 request.", hint="Requests come one a line.")
    params = said.get("params", {})
    if not isinstance(params, dict):
        raise RequestError(BAD_PARAMS, "Parameters are given by name.")
    own = dict(params)
    workspace, actor, token = (str(own.pop(name, "")) for name in ("workspace", "actor", "token"))
    return Request(said.get("id"), said["method"], workspace, actor, own, "id" in said, token)


def check_named(request: Request) -> None:
    """Refuse a request that does not say which workspace it is about, or for whom it asks.

    Raises:
        RequestError: One of them is missing.
    """
    if not request.workspace:
        raise RequestError(BAD_PARAMS, "The request names no workspace.", hint="Give its path or its name.")
    if request.actor not in ACTORS:
        said = f"{request.actor!r} is no actor" if request.actor else "The request names no actor"
        raise RequestError(BAD_PARAMS, f"{said}.", hint=f"Give one of {', '.join(ACTORS)}.")


def connected(request: Request, connection: Connection | None) -> Request:
    """Return a request that bears a token as what it is: of that connection's host, about its workspace.

    Raises:
        RequestError: Nobody has that token, or it shall do more than it can.
    """
    if connection is None:
        raise RequestError(
            REFUSED,
            "This token belongs to no connection.",
            hint="`clawgit connect` makes one; `clawgit doctor` says what is wrong.",
            exit_code=1,
        )
    if request.actor not in ("", "host"):
        raise RequestError(REFUSED, f"A connection is the host's, never the {request.actor}'s.", exit_code=1)
    if not connection.may_say_who_spoke and request.method not in METHODS:
        raise RequestError(
            REFUSED,
            f"The connection {connection.name} has the tools of MCP, not {request.method}.",
            hint="Who spoke is told by OpenClaw, Claude Code and Codex: `clawgit connect` one of them.",
            exit_code=1,
        )
    if request.workspace not in ("", str(connection.workspace)):
        raise RequestError(
            REFUSED,
            f"The connection {connection.name} is of {connection.workspace} alone.",
            hint="Leave the workspace out.",
            exit_code=1,
        )
    return request._replace(
        workspace=str(connection.workspace), actor="host", token="", connection=connection.name
    )


def answered(request: Request, result: Any) -> bytes:
    """Return the line that answers a request."""
    return _line({"jsonrpc": "2.0", "id": request.number, "result": result})


def refused(number: Any, error: RequestError) -> bytes:
    """Return the line that says why not."""
    data = {"hint": error.hint, "exit": error.exit_code}
    return _line(
        {
            "jsonrpc": "2.0",
            "id": number,
            "error": {"code": error.code, "message": error.message, "data": data},
        }
    )


def as_request_error(error: ClawgitError) -> RequestError:
    """Return a command's refusal as the answer to a request."""
    return RequestError(REFUSED, error.message, hint=error.hint, exit_code=int(error.exit_code))


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True).encode() + b"\n"
