"""A request and its answer, JSON-RPC 2.0, a line each; and the parameters of a method."""

from __future__ import annotations

import json
from types import NoneType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from clawgit.operations import caller
from clawgit.operations.caller import InWords, Named, Range
from clawgit.service.mcp.protocol import METHODS
from clawgit.text.safety.control_characters import folded
from clawgit.text.strict_json import strict_json

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from clawgit.errors import ClawgitError
    from clawgit.workspace.user.connections import Connection

NOT_JSON, NO_REQUEST, NO_METHOD, BAD_PARAMS, A_BUG = -32700, -32600, -32601, -32602, -32603
REFUSED, TOO_LONG, TOO_MANY = -32000, -32001, -32002
LONGEST_LINE = 1024 * 1024
ACTORS = ("operator", "host", "unknown")
_KINDS = {int: "whole number", float: "number", str: "text"}


class RequestError(Exception):
    """The error that answers a request: its code, a sentence, a way out."""

    def __init__(self, code: int, message: str, *, hint: str = "", exit_code: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.exit_code = exit_code or (1 if code == REFUSED else 2)


class Request(NamedTuple):
    """A request: its workspace and actor, and the method's parameters."""

    number: Any
    method: str
    workspace: str
    actor: str
    params: Mapping[str, Any]
    wants_answer: bool = True
    token: str = ""  # from the client
    connection: str = ""  # that the token proved
    arrived: float = 0.0  # on the steady clock
    # decides once if a ready result is still given as the answer
    is_awaited: Callable[[], bool] = lambda: True


class InTime(NamedTuple):
    """The seconds from arrival until a request is answered ``otherwise``."""

    seconds: float
    otherwise: Any


class Method(NamedTuple):
    """The answer to one method, and for what it waits."""

    answer: Callable[[Request], Any]
    writes: bool = False  # it waits until no other writes to that workspace
    of_workspace: bool = True
    # a result that is not ready is replaced, even if the request was still waiting
    in_time: InTime | None = None
    talks: bool = False  # it only stores a message: it waits for earlier ones, and no writer waits for it


def read_request(line: bytes) -> Request:
    try:
        body = strict_json(line)
    except (ValueError, RecursionError) as error:
        hint = "A request is one line of JSON."
        raise RequestError(NOT_JSON, "This line is no JSON.", hint=hint) from error
    if not isinstance(body, dict) or body.get("jsonrpc") != "2.0" or not isinstance(body.get("method"), str):
        raise RequestError(NO_REQUEST, "This is no JSON-RPC 2.0 request.", hint="Requests come one a line.")
    params = body.get("params", {})
    if not isinstance(params, dict):
        raise RequestError(BAD_PARAMS, "Parameters are given by name.")
    own = dict(params)
    workspace, actor, token = (str(own.pop(name, "")) for name in ("workspace", "actor", "token"))
    return Request(body.get("id"), body["method"], workspace, actor, own, "id" in body, token)


def check_named(request: Request) -> None:
    if not request.workspace:
        raise RequestError(BAD_PARAMS, "The request names no workspace.", hint="Give its path or its name.")
    if request.actor not in ACTORS:
        sentence = f"{request.actor!r} is no actor." if request.actor else "The request names no actor."
        raise RequestError(BAD_PARAMS, sentence, hint=f"Give one of {', '.join(ACTORS)}.")


def connected(request: Request, connection: Connection | None) -> Request:
    """Return a request with a token as one of its connection: of that host, about that workspace."""
    if connection is None:
        hint = "`clawgit connect` makes one; `clawgit doctor` says what is wrong."
        raise RequestError(REFUSED, "This token belongs to no connection.", hint=hint)
    if request.actor not in ("", "host"):
        raise RequestError(REFUSED, f"A connection is the host's, never the {request.actor}'s.")
    if not connection.may_say_who_spoke and request.method not in METHODS:
        text = f"The connection {connection.name} has the tools of MCP, not {request.method}."
        hint = "Who spoke is told by OpenClaw, Claude Code and Codex: `clawgit connect` one of them."
        raise RequestError(REFUSED, text, hint=hint)
    if request.workspace not in ("", str(connection.workspace)):
        text = f"The connection {connection.name} is of {connection.workspace} alone."
        hint = "Leave the workspace out."
        raise RequestError(REFUSED, text, hint=hint)
    root = str(connection.workspace)
    return request._replace(workspace=root, actor="host", token="", connection=connection.name)


def answered(request: Request, result: Any) -> bytes:
    return _line({"jsonrpc": "2.0", "id": request.number, "result": result})


def refused(number: Any, error: RequestError) -> bytes:
    data = {"hint": error.hint, "exit": error.exit_code}
    refusal = {"code": error.code, "message": error.message, "data": data}
    return _line({"jsonrpc": "2.0", "id": number, "error": refusal})


def as_request_error(error: ClawgitError) -> RequestError:
    return RequestError(REFUSED, error.message, hint=error.hint, exit_code=int(error.exit_code))


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True).encode() + b"\n"


class Parameter(NamedTuple):
    """A parameter of a request: its field, its name for the client, its type, and rules for its value."""

    field: str
    name: str
    kind: type
    choices: tuple[str, ...] = ()
    rules: tuple[Any, ...] = ()
    is_required: bool = False

    def value(self, given: Any) -> Any:
        """Return a value in the field's type; text that reads as a number is converted."""
        if not isinstance(given, (str, int, float)):
            raise RequestError(BAD_PARAMS, f"{self.name} is neither text, a number nor true or false.")
        if self.kind is bool or given is True:
            if self.kind is bool and given is True:
                return True
            what = "true or false" if self.kind is bool else f"a {_KINDS[self.kind]}"
            raise RequestError(BAD_PARAMS, f"{self.name} has to be {what}.")
        if self.kind is int and isinstance(given, float):
            raise RequestError(BAD_PARAMS, f"{self.name} is {given}, which is not a valid whole number.")
        try:
            value = self.kind(given)
        except (ValueError, OverflowError) as error:
            words = f"{self.name} is {str(given)[:80]!r}, which is not a valid {_KINDS[self.kind]}."
            raise RequestError(BAD_PARAMS, words) from error
        self._check(value)
        return value

    def _check(self, value: Any) -> None:
        if isinstance(value, str) and "\0" in value:
            raise RequestError(BAD_PARAMS, "A word with a NUL character is no text, path, time or id.")
        if self.choices and value not in self.choices:
            named = ", ".join(map(repr, self.choices))
            raise RequestError(BAD_PARAMS, f"{self.name} is {value!r}, which is not one of {named}.")
        for rule in self.rules:
            if isinstance(rule, Range) and (value < rule.least or value > rule.most):
                raise RequestError(BAD_PARAMS, f"{self.name} is {value}, which is not in the range {rule}.")
            if isinstance(rule, InWords) and not folded(value):
                raise RequestError(BAD_PARAMS, f"{self.name} is blank. Say it in a few words.")


def parameters_of(operation: Callable[..., Any]) -> dict[str, Parameter]:
    """Return by name the fields of a request type, or an operation's parameters after its caller; keyword-only ones are the command line's."""
    if isinstance(operation, type):
        source: Any = operation
        names: tuple[str, ...] = source._fields
        defaults: Container[str] = source._field_defaults
        hints = get_type_hints(source, localns=vars(caller), include_extras=True)
    else:
        names = operation.__code__.co_varnames[1 : operation.__code__.co_argcount]
        defaults = names[len(names) - len(operation.__defaults__ or ()) :]
        own = SimpleNamespace(__annotations__={name: operation.__annotations__[name] for name in names})
        hints = get_type_hints(own, operation.__globals__, vars(caller), include_extras=True)
    parameters = {}
    for field in names:
        hint = hints[field]
        if NoneType in get_args(hint):
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
        rules = getattr(hint, "__metadata__", ())
        kind = get_args(hint)[0] if rules else hint
        name = next((rule.name for rule in rules if isinstance(rule, Named)), field)
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        kind = str if choices else kind
        parameters[name] = Parameter(field, name, kind, choices, rules, field not in defaults)
    return parameters


def read_parameters(
    method: str, parameters: Mapping[str, Parameter], params: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields from the parameters of a request; null and false count as not given."""
    for name in params:
        if name not in parameters:
            hint = f"It has {', '.join(parameters) or 'none'}."
            raise RequestError(BAD_PARAMS, f"{method} has no parameter {name!r}.", hint=hint)
    required = [each.name for each in parameters.values() if each.is_required]
    missing = [name for name in required if not isinstance(params.get(name), str)]
    if missing:
        raise RequestError(BAD_PARAMS, f"{method} needs {' and '.join(missing)}, as text.")
    if [params[name] for name in required] == ["-"]:
        raise RequestError(BAD_PARAMS, "The service reads no standard input.")
    given = {name: value for name, value in params.items() if value is not None and value is not False}
    return {parameters[name].field: parameters[name].value(value) for name, value in given.items()}
