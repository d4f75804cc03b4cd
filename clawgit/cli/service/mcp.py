"""`clawgit mcp` for whoever asks for its help, or gives it options that it does not have."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.cli.service.mcp_start import speaker_of
from clawgit.service.mcp.stdio_proxy import serve_stdio
from clawgit.service.mcp.tool_table import TOOL_SETS, USUAL


@click.command("mcp", cls=Command)
@click.option("--connection", metavar="NAME", default="", help="Speak as this connection of a host.")
@click.option("--tools", type=click.Choice(tuple(TOOL_SETS)), default=USUAL, show_default=True)
@click.pass_obj
def mcp_command(app: App, connection: str, tools: str) -> None:
    """Serve memory to a client that speaks MCP.

    It speaks over stdin and stdout, and starts the service if need be. What a client does is the host's. It can search, read, remember and correct, with --tools all also propose; it cannot approve,
    trust, purge, or change the soul and the settings.

    \b
    Examples:
      clawgit -w ~/agent mcp
      clawgit mcp --connection claude-code --tools all
    """
    speaker = speaker_of(app.workspace or "", connection, app.environment)
    app.exit_code = serve_stdio(speaker, tools, app.environment)
