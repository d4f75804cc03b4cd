"""From an MCP message to its answer, at once or after asking the service, as a model reads it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit import __version__
from clawgit.recall.model_lines import DATA, plain_words
from clawgit.service.mcp import tool_table
from clawgit.service.mcp.tool_table import MOST_RESULTS, USUAL_RESULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the newest first
NO_JSON, NO_REQUEST, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602
_NOT_YET: Final = (
    "The service that runs cannot do that. Call memory_search instead; your operator can restart it."
)
MOST_CHARACTERS: Final = 8000
HIT_TOKENS: Final = 50  # that a result has in the mean
HIT_BYTES: Final = 165  # of as many tokens, with place and author
LOG_LINES: Final = 20
LONGEST: Final = 20_000  # characters of an argument
_KINDS: Final[dict[str, tuple[type, ...]]] = {"string": (str,), "integer": (int,), "number": (int, float)}


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
        }

    def take(self, message: object) -> dict[str, Any] | ServiceCall | None:
        """Return the answer to a message, or the question for the service; None if the message wants no answer."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return refusal(None, NO_REQUEST, "This is no JSON-RPC 2.0 message.")
        number = message.get("id")
        method = message.get("method")
        if not isinstance(method, str):
            is_answer = "result" in message or "error" in message  # of the client's: nothing was asked of it
            return None if is_answer else refusal(number, NO_REQUEST, "The message names no method.")
        if "id" not in message:
            return None
        params = message.get("params") or {}
        if method not in self._methods:
            return refusal(number, NO_METHOD, f"There is no method {method}.")
        if not isinstance(params, dict):
            return refusal(number, BAD_PARAMS, "Parameters are given by name.")
        try:
            outcome = self._methods[method](params)
        except ProtocolError as error:
            return refusal(number, error.code, str(error))
        if isinstance(outcome, ServiceCall):
            return outcome._replace(number=number)
        return _result(number, outcome)

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


def _initialize(params: dict[str, Any]) -> dict[str, Any]:
    version = params.get("protocolVersion")
    return {
        "protocolVersion": version if version in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "clawgit", "title": "clawgit memory", "version": __version__},
        "instructions": tool_table.INSTRUCTIONS,
    }


def _result(number: object, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def refusal(number: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


class ToolError(Exception):
    """An invalid call; the message tells the model why, and what to do."""


def failed_call(problem: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": problem}], "isError": True}


class ServiceCall(NamedTuple):
    """A question for the service; ``shown`` makes the client's result from its reply."""

    method: str
    params: Mapping[str, Any]
    shown: Callable[[Mapping[str, Any]], dict[str, Any]]
    number: object = None  # of the client's message

    def answer(self, reply: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to the client from the service's whole JSON-RPC reply."""
        error = reply.get("error")
        if not isinstance(error, dict):
            result = self.shown(reply.get("result") or {})
        elif error.get("code") == NO_METHOD:
            result = failed_call(_NOT_YET)
        else:
            hint = (error.get("data") or {}).get("hint", "")
            result = failed_call(f"{error.get('message')} {hint}".strip())
        return _result(self.number, result)


def tool_ask(tool: Mapping[str, Any], given: object) -> ServiceCall:
    name = tool["name"]
    shape = tool["inputSchema"]
    fields = shape["properties"]
    if not isinstance(given, dict):
        raise ToolError(f"{name} takes its arguments by name. Known: {_names(fields)}.")
    for key in shape.get("required", ()):
        if given.get(key) in (None, ""):
            raise ToolError(f"{name} needs the argument {key}. Known: {_names(fields)}.")
    for key, value in given.items():
        if key not in fields:
            raise ToolError(f"{name} has no argument {str(key)[:80]!r}. Known: {_names(fields)}.")
        _check(key, fields[key], value)
    arguments = {key: value for key, value in given.items() if value is not None}
    if name in _BY_ARGUMENTS:
        return _BY_ARGUMENTS[name](arguments)
    method, always, shown = _AS_IT_IS[name]
    renamed = {_RENAMED.get(key, key): value for key, value in arguments.items()}
    return ServiceCall(method, always | renamed, shown)


def _names(schemas: Mapping[str, Any]) -> str:
    return ", ".join(schemas) or "none"


def _check(key: str, shape: Mapping[str, Any], value: object) -> None:
    kind = shape["type"]
    if value is None:
        return
    if not isinstance(value, _KINDS[kind]) or isinstance(value, bool):
        raise ToolError(f"{key} has to be a {kind}.")
    if isinstance(value, str):
        if len(value) > LONGEST:
            raise ToolError(f"{key} has {len(value):,} characters, at most {LONGEST:,} are read. Shorten it.")
        if value not in shape.get("enum", (value,)):
            raise ToolError(f"{key} is one of {', '.join(shape['enum'])}.")
    elif isinstance(value, (int, float)):
        low = shape.get("minimum", value)
        high = shape.get("maximum", value)
        if not low <= value <= high:
            raise ToolError(f"{key} is at least {low}{f', at most {high}' if 'maximum' in shape else ''}.")


def _search(given: Mapping[str, Any]) -> ServiceCall:
    count = int(given.get("maxResults", USUAL_RESULTS))
    params = {"query": given["query"], "max_results": count + 1, "told": count}
    params["max_tokens"] = HIT_TOKENS * (count + 1)
    return ServiceCall("memory.search", params, lambda reply: _hits(reply, count))


def _hits(reply: Mapping[str, Any], count: int) -> dict[str, Any]:
    results = reply.get("results") or []
    notes = reply.get("notes") or ()  # these say how sure the answer is
    if not results:
        return _plain(" ".join(["Memory has nothing about that. Try other words.", *notes]))
    lines = [DATA]
    said_above: list[str] = []
    room = HIT_BYTES * count
    for hit in results[:count]:
        words = plain_words(hit["snippet"])
        if any(words in each for each in (*lines, *said_above)):
            continue
        said_above.append(words)
        line = hit["line"]
        room -= len(line.encode("utf-8", "replace"))
        if room < 0 and len(lines) > 1:
            break
        lines.append(line)
    lines += notes
    if reply.get("confidence") != "low" and (room < 0 or len(results) > count) and count < MOST_RESULTS:
        lines.append(f"There is more: maxResults goes up to {MOST_RESULTS}.")
    return _plain("\n".join(lines))


def _lines(reply: Mapping[str, Any]) -> dict[str, Any]:
    text = str(reply.get("text") or "")
    return _plain(f"{DATA}\n{text}" if text.strip() else "No such lines.")


def _soul_log(given: Mapping[str, Any]) -> ServiceCall:
    if "diff_of" in given:
        commit = str(given["diff_of"])
        params = {"old": f"{commit}~1", "new": commit, "in_words": True}
        return ServiceCall("soul.diff", params, _in_words)
    return ServiceCall("soul.log", {"limit": LOG_LINES, "in_words": True}, _in_words)


def _told(reply: Mapping[str, Any]) -> dict[str, Any]:
    ids = [f"{key}: {reply[key]}" for key in ("outcome", "proposal") if reply.get(key)]
    return _plain("\n".join([*(reply.get("notes") or ()), "; ".join(ids)]))


def _in_words(reply: Mapping[str, Any]) -> dict[str, Any]:
    return _plain(f"{DATA}\n{_words(reply)}")


def _words(reply: Mapping[str, Any]) -> str:
    lines: Sequence[str] = [*(reply.get("in_words") or ()), *(reply.get("notes") or ())]
    return "\n".join(lines) or "Nothing."


def _plain(text: str) -> dict[str, Any]:
    left = len(text) - MOST_CHARACTERS
    if left > 0:
        text = f"{text[: MOST_CHARACTERS - 60]}\n({left + 60:,} more characters; ask for less at once)"
    return {"content": [{"type": "text", "text": text}]}


_BY_ARGUMENTS: Final[dict[str, Callable[[Mapping[str, Any]], ServiceCall]]] = {
    "memory_search": _search,
    "soul_log": _soul_log,
}
# The method, its fixed parameters, and the function that shows its result.
_AS_IT_IS: Final[dict[str, tuple[str, dict[str, Any], Callable[[Mapping[str, Any]], dict[str, Any]]]]] = {
    "memory_get": ("memory.get", {"for_model": True}, _lines),
    "memory_add": ("memory.add", {}, _told),
    "memory_correct": ("correct", {}, _told),
    "memory_forget": ("memory.forget", {}, _told),
    "why": ("why", {"in_words": True}, _in_words),
    "context": ("context", {}, lambda reply: _plain(str(reply.get("text") or "Nothing to start from."))),
    "propose": ("propose", {}, _told),
    "status": ("status", {"in_words": True}, _in_words),
}
_RENAMED: Final = {"op_id": "op", "wrong": "old", "right": "new"}
# All methods of tools: a connection of kind mcp may use no other.
METHODS: Final = frozenset(("memory.search", "soul.log", "soul.diff")) | {
    method for method, _, _ in _AS_IT_IS.values()
}
