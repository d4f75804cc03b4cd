"""Values that nobody means, over the socket and from a client that speaks MCP: an answer, never a crash report."""

from __future__ import annotations

import io
import json
import math
import os

import pytest

from clawgit.cli.service.host_events import EVENT
from clawgit.cli.service.methods import OPERATIONS
from clawgit.service.mcp.protocol import McpSession
from clawgit.service.mcp.stdio_proxy import Proxy
from clawgit.service.mcp.tool_table import TOOLS
from clawgit.service.requests import A_BUG, NOT_JSON
from clawgit.workspace.user.connections import Connection, connections_folder, read_token, write_connection
from clawgit.workspace.user.user_file import cache_folder, user_config_dir

VALUES = (
    *(
        "~nouser/x",
        "a\0b",
        "\ud800",
        "0000-01-01",
        "99999-12-31",
        "0001-01-01T00:00+14:00",
        "nan",
        "chat:NaN",
    ),
    *(10**30, -(10**30), 1e300, -1, {}, [], "x" * 5000),
)
NO_NUMBERS = (math.nan, math.inf, -math.inf)
HERE = {"workspace": "main", "actor": "host"}


@pytest.fixture
def running(start_service):
    return start_service()


def crashes() -> list[str]:
    return [path.read_text() for path in cache_folder().glob("crash-*")]


@pytest.mark.parametrize("method", OPERATIONS)
def test_no_value_of_a_parameter_is_a_crash(running, method) -> None:
    """Mutant: a NUL, or half a character, comes to a file's name or to the message store."""
    parameters, client = OPERATIONS[method].parameters(), running.client()
    plain = {name: "x" for name, parameter in parameters.items() if parameter.is_required}

    answers = [
        client.ask(method, **HERE, **(plain | {name: value})) for name in parameters for value in VALUES
    ]

    assert crashes() == []
    assert A_BUG not in {answer.get("error", {}).get("code") for answer in answers}


@pytest.mark.smoke
def test_no_value_of_what_every_request_says_is_a_crash(running) -> None:
    client = running.client()

    names = ("workspace", "actor", "token")
    answers = [client.ask("status", **(HERE | {name: value})) for name in names for value in VALUES]

    assert crashes() == []
    assert A_BUG not in {answer.get("error", {}).get("code") for answer in answers}


def test_a_number_that_is_none_is_no_json(running) -> None:
    """Mutant: the id is given back as it came, and no other program can read the answer."""
    client = running.client()
    for number in NO_NUMBERS:
        request = {"jsonrpc": "2.0", "id": number, "method": "status", "params": HERE}
        client.send(json.dumps(request).encode() + b"\n")

        answer = client.line()

        assert (answer["error"]["code"], answer["id"]) == (NOT_JSON, None), number


@pytest.mark.parametrize("field", ["at", "said", "signs", "host"])
def test_no_event_of_a_host_is_a_crash(running, room, own_home, field) -> None:
    folder = connections_folder(user_config_dir(os.environ, own_home))
    write_connection(folder, Connection("codex", "codex", room.root))
    event = {
        "host": "codex",
        "said": {"hook_event_name": "UserPromptSubmit", "prompt": "I like tea."},
        "signs": {},
    }

    for value in (1e300, -1e300, 10**30, -1, True, "99999-01-01", None, {}, []):
        answer = running.client().ask(EVENT, token=read_token(folder, "codex"), **(event | {field: value}))

        assert answer.get("error", {}).get("code") != A_BUG, value
        assert crashes() == [], value


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_no_argument_of_a_tool_is_a_crash(running, room, tool) -> None:
    properties = tool["inputSchema"]["properties"]
    plain = {
        name: 1 if properties[name].get("type") == "integer" else "x"
        for name in tool["inputSchema"].get("required", ())
    }
    calls = [plain | {name: value} for name in properties for value in VALUES]
    lines = [
        {
            "jsonrpc": "2.0",
            "id": at,
            "method": "tools/call",
            "params": {"name": tool["name"], "arguments": call},
        }
        for at, call in enumerate(calls)
    ]
    output = io.BytesIO()
    proxy = Proxy(McpSession("all"), {"workspace": str(room.root), "actor": "host"}, os.environ, output)

    proxy.serve(io.BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in lines)))
    for thread in list(proxy._asked):
        thread.join()

    answers = [json.loads(line) for line in output.getvalue().splitlines()]
    assert {each["id"] for each in answers} == set(range(len(calls)))
    assert not [each for each in answers if "bug in clawgit" in json.dumps(each)]
    assert crashes() == []
