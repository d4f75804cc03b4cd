"""`clawgit mcp` for whoever asks for its help, or gives it options that it does not have."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.cli.service.mcp_start import TOOL_SETS, speaker_of
from clawgit.service.mcp.stdio_proxy import serve_stdio


@click.command("mcp", cls=Command)
@click.option("--connection", metavar="NAME", default="", help="Speak as this connection of a host.")
@click.option(
    "--tools",
    type=click.Choice(TOOL_SETS),
    default="all",
    show_default=True,
    help="All, or those that only read.",
)
@click.pass_obj
def mcp_command(app: App, connection: str, tools: str) -> None:
    """Serve memory to a client that speaks MCP.

    It speaks over stdin and stdout, and starts the service if need be. What a client does is the host's. It can search, read, remember, report what is wrong and propose; it cannot approve,
    trust, purge, or change the soul and the settings.

    \b
    Examples:
      clawgit -w ~/agent mcp
      clawgit mcp --connection claude-code --tools read
    """
    speaker = speaker_of(app.workspace or "", connection, app.environment)
    app.exit_code = serve_stdio(speaker, tools, app.environment)
