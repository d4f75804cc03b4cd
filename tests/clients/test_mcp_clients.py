"""The MCP SDK's client and the MCP Inspector: every tool, resource and prompt, with good and with bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from installed_clients import CLIENTS, HERE, client

from clawgit.service.mcp.tool_table import TOOLS

SERVER = (sys.executable, "-P", "-m", "clawgit")
NAMES = [str(tool["name"]) for tool in TOOLS]


@pytest.fixture
def server(room, start_service) -> list[str]:
    room.write("SOUL.md", "# SOUL\n\n- Be kind.\n")
    room.keep("operator")
    start_service()
    return [*SERVER, "-w", str(room.root), "mcp", "--tools", "all"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_reads_every_answer(server, own_home, mode: str) -> None:
    told = {"words": server, "mode": mode, "environment": {"HOME": str(own_home), "PATH": os.environ["PATH"]}}
    done = subprocess.run(
        [str(CLIENTS / "sdk" / "bin" / "python"), str(HERE / "sdk_client.py"), json.dumps(told)],
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    said = json.loads(done.stdout)
    failed = {name for name, each in said["called"].items() if each["error"]}

    assert (said["tools"], said["resources"], said["templates"], said["prompts"]) == (NAMES, 2, 1, 1)
    assert "Be kind." in said["soul"]
    assert "tea" in said["prompt"]
    assert {name.split(" ")[1] for name in failed} <= {"memory_correct", "context", "memory_search"}
    assert "query" in said["called"]["9 memory_search"]["text"]
    assert "Error executing tool" not in done.stdout


def inspected(server: list[str], *words: str) -> str:
    done = subprocess.run(
        [client("mcp-inspector"), "--cli", *server, *words],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("tools/list",), '"readOnlyHint": true'),
        (("tools/call", "--tool-name", "memory_search", "--tool-arg", "query=tea"), "Memory has nothing"),
        (("tools/call", "--tool-name", "memory_search"), "memory_search needs the argument query"),
        (("tools/call", "--tool-name", "approve"), "approve"),
        (("resources/list",), "clawgit://changelog"),
        (("resources/templates/list",), "clawgit://memory/{date}"),
        (("resources/read", "--uri", "clawgit://soul"), "Be kind."),
        (("resources/read", "--uri", "clawgit://other"), "no resource"),
        (("prompts/list",), "recall"),
        (("prompts/get", "--prompt-name", "recall", "--prompt-args", "topic=tea"), "about tea"),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, tuple) else None,
)
def test_the_inspector_shows_it(server, words, expected: str) -> None:
    method, *more = words
    assert expected in inspected(server, "--method", method, *more)
