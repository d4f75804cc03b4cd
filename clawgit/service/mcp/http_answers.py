"""MCP over HTTP: one message a request, one answer, and nothing that the service would have to remember of a client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from clawgit.service.mcp.protocol import Answer, Session
from clawgit.service.requests import Request
from clawgit.text.strict_json import strict_json

if TYPE_CHECKING:
    from clawgit.service.request_desk import RequestDesk

_NO_JSON = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "The body is no JSON."}}


async def answer_mcp(body: bytes, token: str, desk: RequestDesk) -> bytes:
    """Return the answer to a message of the connection with this token; empty where it wants none."""
    try:
        message = strict_json(body)
    except (ValueError, RecursionError):
        return json.dumps(_NO_JSON).encode()
    taken = Session().take(message)
    if not isinstance(taken, Answer):
        request = Request(1, taken.method, "", "", taken.params, token=token)
        taken = taken.answer(json.loads(await desk.answer(request)))
    return b"" if taken.message is None else json.dumps(taken.message, ensure_ascii=True).encode()
