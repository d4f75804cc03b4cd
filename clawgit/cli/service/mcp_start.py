"""`clawgit mcp`: memory for a client that speaks MCP; it starts without click, since a client waits only a moment."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from clawgit.clients.session_hook import read_token
from clawgit.errors import ClawgitError
from clawgit.service.mcp.stdio_proxy import Speaker, serve_stdio
from clawgit.service.mcp.tool_table import TOOL_SETS, USUAL
from clawgit.workspace.find_workspace import find_workspace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_OPTIONS = {"-w": "workspace", "--workspace": "workspace", "--connection": "connection", "--tools": "tools"}


def start_mcp(words: Sequence[str], environment: Mapping[str, str]) -> int | None:
    """Serve a client and return the exit status; None for anything that click should explain."""
    told = {"workspace": "", "connection": "", "tools": USUAL}
    left = list(words)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if name == "mcp" and not equals:
            continue
        if name not in _OPTIONS or not (equals or left):
            return None
        told[_OPTIONS[name]] = value if equals else left.pop(0)
    if told["tools"] not in TOOL_SETS:
        return None
    try:
        speaker = speaker_of(told["workspace"], told["connection"], environment)
    except ClawgitError as error:
        sys.stderr.write(f"clawgit: {error}\n")
        return int(error.exit_code)
    return serve_stdio(speaker, told["tools"], environment)


def speaker_of(workspace: str, connection: str, environment: Mapping[str, str]) -> Speaker:
    if connection:
        token = "" if "/" in connection else read_token(connection, environment).decode("ascii", "replace")
        if not token:
            raise ClawgitError(
                f"There is no connection {connection}.", hint=f"`clawgit connect {connection}` makes it."
            )
        return Speaker(token=token)
    root = find_workspace(workspace or environment.get("CLAWGIT_WORKSPACE", ""))
    if not root:
        raise ClawgitError(
            f"There is no clawgit workspace in {os.getcwd()} or above it.",
            hint="Name one: `clawgit mcp --workspace PATH`.",
        )
    return Speaker(workspace=root)
