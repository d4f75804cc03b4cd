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
NO_JSON, NO_REQUEST, NO_METHOD, BAD_PARAMS, FAILED, NOT_FOUND = -32700, -32600, -32601, -32602, -32603, -32002
_NOT_YET: Final = (
    "The service that runs cannot do that. Call memory_search instead; your operator can restart it."
)
MOST_CHARACTERS: Final = 8000
HIT_TOKENS: Final = 50  # that a result has in the mean
HIT_BYTES: Final = 165  # of as many tokens, with place and author
LOG_LINES: Final = 20
LONGEST: Final = 20_000  # characters of an argument
_KINDS: Final = {"string": str, "integer": int}


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
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        "serverInfo": {"name": "clawgit", "title": "clawgit memory", "version": __version__},
        "instructions": tool_table.INSTRUCTIONS,
    }


def _read(params: dict[str, Any]) -> ServiceCall:
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
    messages = [{"role": "user", "content": text}]
    return {"description": tool_table.PROMPTS[0]["description"], "messages": messages}


def _failed_resource(problem: str) -> Any:
    raise ProtocolError(FAILED, problem)


def _result(number: object, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def refusal(number: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


class ToolError(Exception):
    """An invalid call; the message tells the model why, and what to do."""


def failed_call(problem: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": problem}], "isError": True}


class ServiceCall(NamedTuple):
    """A question for the service; ``shown`` makes the client's result from its reply, ``failed`` from a problem."""

    method: str
    params: Mapping[str, Any]
    shown: Callable[[Mapping[str, Any]], dict[str, Any]]
    failed: Callable[[str], dict[str, Any]] = failed_call
    number: object = None  # of the client's message

    def answer(self, reply: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to the client from the service's whole JSON-RPC reply."""
        error = reply.get("error")
        try:
            if not isinstance(error, dict):
                result = self.shown(reply.get("result") or {})
            elif error.get("code") == NO_METHOD:
                result = self.failed(_NOT_YET)
            else:
                hint = (error.get("data") or {}).get("hint", "")
                result = self.failed(f"{error.get('message')} {hint}".strip())
        except ProtocolError as problem:
            return refusal(self.number, problem.code, str(problem))
        return _result(self.number, result)


def tool_ask(tool: Mapping[str, Any], given: object) -> ServiceCall:
    name = tool["name"]
    shape = tool["inputSchema"]
    fields = shape["properties"]
    listed = f"Known: {', '.join(fields) or 'none'}."
    if not isinstance(given, dict):
        raise ToolError(f"{name} takes its arguments by name. {listed}")
    for key in shape.get("required", ()):
        if given.get(key) in (None, ""):
            raise ToolError(f"{name} needs the argument {key}. {listed}")
    for key, value in given.items():
        if key not in fields:
            raise ToolError(f"{name} has no argument {str(key)[:80]!r}. {listed}")
        _check(key, fields[key], value)
    arguments = {key: value for key, value in given.items() if value is not None}
    if name in _BY_ARGUMENTS:
        return _BY_ARGUMENTS[name](arguments)
    method, always, shown = _AS_IT_IS[name]
    renamed = {_RENAMED.get(key, key): value for key, value in arguments.items()}
    return ServiceCall(method, always | renamed, shown)


def resource_ask(uri: str) -> ServiceCall | None:
    """Return the request for a resource; None if there is no such resource."""
    if uri == "clawgit://soul":
        return ServiceCall("soul.show", {}, lambda reply: _page(uri, reply.get("text")))
    if uri == "clawgit://changelog":
        return ServiceCall("changelog", {"in_words": True}, lambda reply: _page(uri, _words(reply)))
    date = uri.removeprefix("clawgit://memory/")
    if date != uri and date.replace("-", "").isdecimal():
        params = {"path": f"memory/{date}.md", "for_model": True}
        return ServiceCall("memory.get", params, lambda reply: _page(uri, f"{DATA}\n{reply.get('text')}"))
    return None


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
    elif isinstance(value, int):
        low = shape.get("minimum", value)
        high = shape.get("maximum", value)
        if not low <= value <= high:
            bounds = f"at least {low}"
            if "maximum" in shape:
                bounds += f", at most {high}"
            raise ToolError(f"{key} is {bounds}.")


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
    return {"content": [{"type": "text", "text": _bounded(text)}]}


def _page(uri: str, text: object) -> dict[str, Any]:
    shown = _bounded(str(text or ""), 100_000)
    return {"contents": [{"uri": uri, "mimeType": "text/markdown", "text": shown}]}


def _bounded(text: str, most: int = MOST_CHARACTERS) -> str:
    if len(text) <= most:
        return text
    return f"{text[: most - 60]}\n({len(text) - most + 60:,} more characters; ask for less at once)"


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
# All methods of tools and resources: a connection of kind mcp may use no other.
METHODS: Final = frozenset(("memory.search", "soul.log", "soul.diff", "soul.show", "changelog")) | {
    method for method, _, _ in _AS_IT_IS.values()
}
