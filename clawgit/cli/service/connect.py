"""`clawgit connect` and `disconnect`: let a host use this memory, and put its files back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, command
from clawgit.cli.service.connected_workspace import join, part, refuse_other, report, say_changes, say_hooks
from clawgit.cli.service.up import register_workspace
from clawgit.clients import session_hook
from clawgit.clients.connect import (
    ANY,
    OPENCLAW,
    TITLES,
    Wiring,
    afterwards,
    changes_to_connect,
    changes_to_leave,
    connect,
    host_folder,
    leave,
    plans_for,
    replace_file,
)
from clawgit.errors import ClawgitError, UsageError
from clawgit.history.authorship.actors import connected_hosts
from clawgit.workspace.find_workspace import find_workspace
from clawgit.workspace.user import connections

if TYPE_CHECKING:
    from clawgit.clients.connect import HostFileChange, Writer


@command("connect")
@click.argument("host", type=click.Choice(tuple(TITLES)))
@click.option("--dry-run", is_flag=True, help="Say what would change; change nothing.")
@click.option("--yes", is_flag=True, help="OpenClaw's owners are you; connect all its agents: do not ask.")
@click.option("--no-hooks", is_flag=True, help="Do not install git's hooks in the workspace.")
@click.option("--no-plugin", is_flag=True, help="Of OpenClaw: only make a token for its hook.")
@click.option(
    "--lend-model/--no-lend-model",
    default=None,
    help="Of OpenClaw: clawgit's agents may, or may not, use its model. Asked on a terminal; otherwise not.",
)
@click.option(
    "--trust",
    type=click.Choice(["operator", "unknown"]),
    help="Of OpenClaw: who wrote the files of a workspace that becomes clawgit's now, as in `init`.",
)
@click.option("--no-start", is_flag=True, help="Of OpenClaw: start no service, restart no Gateway.")
def connect_command(
    app: App, /, host: str, dry_run: bool, yes: bool, no_hooks: bool, no_plugin: bool, **of_openclaw: Any
) -> None:
    """Let your agent use this workspace.

    Adds the MCP server, the session hooks, git's hooks, and a passage that says when to use memory. `clawgit disconnect`
    puts everything back. Again, it changes only what is not as it should be. Claude Code and Codex use one workspace each.

    OpenClaw needs this one command: the workspace of its first agent becomes clawgit's (also without -w), the service is
    started and the Gateway restarted. Until you disconnect, its own memory is off: `openclaw memory` and "Remember across
    conversations" do not work. `mcp` changes no file: it makes a token and says what to tell a client.

    \b
    Examples:
      clawgit connect openclaw
      clawgit -w ~/agent connect claude-code --dry-run
      clawgit -w ~/agent connect codex
      clawgit -w ~/agent connect mcp
    """
    app.only_operator("connect an agent")
    if no_plugin and host != OPENCLAW:
        raise UsageError(f"{TITLES[host]} has no plugin.", hint="--no-plugin is for OpenClaw.")
    if host == OPENCLAW and not no_plugin:
        from clawgit.cli.service.openclaw import Wishes, connect_openclaw

        starts = not of_openclaw.pop("no_start")
        wishes = Wishes(dry_run, yes, not no_hooks, starts, of_openclaw["lend_model"], of_openclaw["trust"])
        connect_openclaw(app, wishes)
    else:
        _connect(app, host, dry_run=dry_run, hooks=not no_hooks)


def _connect(app: App, host: str, *, dry_run: bool, hooks: bool) -> None:
    history = app.history()
    home = Path.home()
    serve = (sys.executable, "-P", "-m", "clawgit", "mcp", "--connection", host)
    wiring = Wiring(serve, sys.executable, str(Path(session_hook.__file__)))
    folder = connections.connections_folder(app.registry_file.parent)
    there = connections.read_connection(folder, host)
    place = host_folder(host, app.environment, home)
    if host not in (ANY, OPENCLAW) and not place.is_dir():
        sentence = f"{TITLES[host]} is not set up here: there is no {place}."
        missing = ClawgitError(sentence, hint="Start it once, then connect it.")
        if not dry_run:
            raise missing
        app.would_refuse(missing)
    refuse_other(history.root, there)
    if host == OPENCLAW and there is not None and there.changed:
        raise ClawgitError("OpenClaw uses the plugin.", hint="`clawgit disconnect openclaw` ends that first.")
    changes = changes_to_connect(plans_for(host, app.environment, home, wiring), there)
    if not dry_run:
        made = app.now(history).isoformat(timespec="seconds")
        connection = there or connections.Connection(host, host, history.root, made)
        join(app, connection, hooks=hooks)
        connect(folder, connection, changes, replace_file)
        register_workspace(app, history.root)
    elif hooks:
        say_hooks(app, history.root)
    say_changes(app, changes, dry_run=dry_run)
    if not dry_run:
        app.say_each(afterwards(host, wiring, connections.token_file(folder, host)))
    token = str(connections.token_file(folder, host))
    report(app, host, changes, dry_run=dry_run, server=list(serve), token_file=token)


@command("disconnect")
@click.argument("host", type=click.Choice(tuple(TITLES)))
@click.option("--dry-run", is_flag=True, help="Say what would change; change nothing.")
def disconnect_command(app: App, host: str, dry_run: bool) -> None:
    """Undo `connect` in your agent and the workspace.

    What was there before is put back. What somebody else changed in them since stays. Files that were made for the connection alone go. Memory stays.

    \b
    Examples:
      clawgit disconnect claude-code --dry-run
      clawgit disconnect codex
    """
    app.only_operator("disconnect an agent")
    folder = connections.connections_folder(app.registry_file.parent)
    connection = connections.read_connection(folder, host)
    if connection is None:
        here = find_workspace(app.workspace or app.environment.get("CLAWGIT_WORKSPACE") or "")
        if here and not dry_run:  # a workspace that came from elsewhere may still say that it is
            history = app.history()
            for name in connected_hosts(history):
                if name == host or name.startswith(f"{host}-"):
                    part(app, connections.Connection(name, host, history.root))
        app.say(f"{host} is not connected.")
        report(app, host, [], dry_run=dry_run)
        return
    changes = leave_host(app, connection, dry_run=dry_run)
    report(app, host, changes, dry_run=dry_run)


def leave_host(app: App, connection: connections.Connection, *, dry_run: bool) -> list[HostFileChange]:
    """Put a host's files back and record that it left, or say what would change."""
    from clawgit.cli.service import openclaw

    host = connection.host
    folder = connections.connections_folder(app.registry_file.parent)
    changes = changes_to_leave(connection)
    every = connections.connections_to(folder, host)
    write: Writer = replace_file
    if host == OPENCLAW:
        changes, write = openclaw.leaving_openclaw(app, changes)
    if not dry_run:
        for each in every:
            part(app, each)
        leave(folder, connection, changes, write)
    say_changes(app, changes, dry_run=dry_run)
    if host == OPENCLAW and connection.changed:
        openclaw.put_ledger_back(app, every, dry_run=dry_run)
    if not dry_run:
        app.say(f"{host} is not connected any more. What was said and remembered stays.")
        if host == OPENCLAW:
            openclaw.remove_spool(app)
        if host == OPENCLAW and connection.changed:
            app.say(openclaw.AFTER_LEAVING)
        elif host == OPENCLAW:
            app.say(openclaw.AFTER_HOOK)
    return changes
