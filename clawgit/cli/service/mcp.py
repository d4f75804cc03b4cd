"""`clawgit mcp`: memory for an MCP client."""

from __future__ import annotations

import click

from clawgit.cli.app import App, command
from clawgit.clients.session_hook import read_token
from clawgit.errors import ClawgitError
from clawgit.service.mcp.stdio_proxy import serve_stdio
from clawgit.service.mcp.tool_table import TOOL_SETS, USUAL


@command("mcp")
@click.option("--connection", metavar="NAME", default="", help="Speak as this connection of your agent.")
@click.option("--tools", type=click.Choice(tuple(TOOL_SETS)), default=USUAL, show_default=True)
def mcp_command(app: App, connection: str, tools: str) -> None:
    """Serve memory to a client that speaks MCP.

    It speaks over stdin and stdout, and starts the service if need be; that stays until `clawgit down`. What a client does is the host's. It can search, read, remember and correct, with --tools all also propose; it cannot approve,
    trust, purge, or change the soul and the settings.

    \b
    Examples:
      clawgit -w ~/agent mcp
      clawgit mcp --connection claude-code --tools all
    """
    if connection:
        token = (
            "" if "/" in connection else read_token(connection, app.environment).decode("ascii", "replace")
        )
        if not token:
            sentence = f"There is no connection {connection}."
            raise ClawgitError(sentence, hint=f"`clawgit connect {connection}` makes it.")
        speaker = {"token": token}
    else:
        speaker = {"workspace": str(app.root()), "actor": "host"}
    app.exit_code = serve_stdio(speaker, tools, app.environment)
