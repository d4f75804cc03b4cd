"""From an MCP message to its answer, at once or after asking the service. Pure, of Python's own modules alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit import __version__
from clawgit.service.mcp import tool_table
from clawgit.service.mcp.tool_requests import ServiceRequest, ToolError, failed_call, resource_ask, tool_ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the newest first
NO_JSON, NO_REQUEST, NO_METHOD, BAD_PARAMS, FAILED, NOT_FOUND = -32700, -32600, -32601, -32602, -32603, -32002
_NOT_YET: Final = (
    "The service that runs cannot do that. Call memory_search instead; your operator can restart it."
)


class ServiceCall(NamedTuple):
    """A question for the service; ``answer`` makes the answer from its whole JSON-RPC reply."""

    method: str
    params: Mapping[str, Any]
    answer: Callable[[Mapping[str, Any]], dict[str, Any]]


class ProtocolError(Exception):
    """A message to answer with an error of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class McpSession:
    """Answers one client; ``tools`` names its set of tools."""

    def __init__(self, tools: str = tool_table.USUAL) -> None:
        self._tools = tool_table.TOOL_SETS[tools]
        self._methods: dict[str, Callable[[dict[str, Any]], Any]] = {
            "initialize": _initialize,
            "ping": lambda _params: {},
            "tools/list": lambda _params: {"tools": list(self._tools)},
            "tools/call": self._call,
            "resources/list": lambda _params: {"resources": list(tool_table.RESOURCES)},
            "resources/templates/list": lambda _params: {"resourceTemplates": list(tool_table.TEMPLATES)},
            "resources/read": _read,
            "prompts/list": lambda _params: {"prompts": list(tool_table.PROMPTS)},
            "prompts/get": _prompt,
        }

    def take(self, message: object) -> dict[str, Any] | ServiceCall | None:
        """Return the answer to a message, or the question for the service; None if the message wants no answer."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return refusal(None, NO_REQUEST, "This is no JSON-RPC 2.0 message.")
        number = message.get("id")
        method = message.get("method")
        if not isinstance(method, str):  # an answer of the client's: nothing was asked of it
            if "result" in message or "error" in message:
                return None
            return refusal(number, NO_REQUEST, "The message names no method.")
        if "id" not in message:
            return None
        try:
            return self._answered(number, method, message.get("params") or {})
        except ProtocolError as error:
            return refusal(number, error.code, str(error))

    def _answered(self, number: object, method: str, params: object) -> dict[str, Any] | ServiceCall:
        if method not in self._methods:
            raise ProtocolError(NO_METHOD, f"There is no method {method}.")
        if not isinstance(params, dict):
            raise ProtocolError(BAD_PARAMS, "Parameters are given by name.")
        outcome = self._methods[method](params)
        if not isinstance(outcome, ServiceRequest):
            return _result(number, outcome)
        return ServiceCall(outcome.method, outcome.params, partial(_told, number, outcome))

    def _call(self, params: dict[str, Any]) -> Any:
        name, given = params.get("name"), params.get("arguments") or {}
        tool = next((tool for tool in self._tools if tool["name"] == name), None)
        if tool is None:
            names = ", ".join(each["name"] for each in self._tools)
            raise ProtocolError(BAD_PARAMS, f"Unknown tool {str(name)[:80]!r}. There are {names}.")
        try:
            return tool_ask(tool, given)
        except ToolError as error:
            return failed_call(str(error))


def _told(number: object, asking: ServiceRequest, reply: Mapping[str, Any]) -> dict[str, Any]:
    error = reply.get("error")
    try:
        if isinstance(error, dict) and error.get("code") == NO_METHOD:
            return _result(number, asking.failed(_NOT_YET))
        if isinstance(error, dict):
            hint = (error.get("data") or {}).get("hint", "")
            return _result(number, asking.failed(f"{error.get('message')} {hint}".strip()))
        return _result(number, asking.shown(reply.get("result") or {}))
    except ToolError as problem:
        return _result(number, asking.failed(str(problem)))
    except ProtocolError as problem:
        return refusal(number, problem.code, str(problem))


def _initialize(params: dict[str, Any]) -> dict[str, Any]:
    version = params.get("protocolVersion")
    return {
        "protocolVersion": version if version in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        "serverInfo": {"name": "clawgit", "title": "clawgit memory", "version": __version__},
        "instructions": tool_table.INSTRUCTIONS,
    }


def _read(params: dict[str, Any]) -> ServiceRequest:
    uri = str(params.get("uri"))
    asking = resource_ask(uri)
    if asking is None:
        raise ProtocolError(NOT_FOUND, f"There is no resource {uri[:200]}.")
    return asking._replace(failed=_failed_resource)


def _prompt(params: dict[str, Any]) -> dict[str, Any]:
    if params.get("name") != tool_table.PROMPTS[0]["name"]:
        raise ProtocolError(BAD_PARAMS, f"There is no prompt {str(params.get('name'))[:80]!r}, only recall.")
    topic = (params.get("arguments") or {}).get("topic")
    if not isinstance(topic, str) or not topic.strip():
        raise ProtocolError(BAD_PARAMS, "The prompt recall needs the argument topic.")
    text = {"type": "text", "text": tool_table.recall_prompt(topic[:500])}
    return {
        "description": tool_table.PROMPTS[0]["description"],
        "messages": [{"role": "user", "content": text}],
    }


def _failed_resource(problem: str) -> Any:
    raise ProtocolError(FAILED, problem)


def _result(number: object, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def refusal(number: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
