"""`clawgit connect` and `disconnect`: a host uses this memory, and leaves it as if it never had."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.clients.connect import FileChange
    from clawgit.clients.hosts import Wiring
    from clawgit.workspace.user.connections import Connection

HOSTS = ("claude-code", "codex", "mcp")


@click.command("connect", cls=Command)
@click.argument("host", type=click.Choice(HOSTS))
@click.option("--dry-run", is_flag=True, help="Say what would change; change nothing.")
@click.pass_obj
def connect_command(app: App, host: str, dry_run: bool) -> None:
    """Let a host use this workspace.

    Adds the MCP server, the session hooks, and a passage that says when to use memory. Everything that is changed in the host's files is kept with what was there before; `clawgit disconnect` puts it back.
    Again, it changes only what is not as it should be. `mcp` changes no file: it makes a token and says what to tell a client.

    \b
    Examples:
      clawgit -w ~/agent connect claude-code --dry-run
      clawgit -w ~/agent connect codex
      clawgit -w ~/agent connect mcp
    """
    app.only_operator("connect a host")
    _connect(app, host, dry_run=dry_run)


def _connect(app: App, host: str, *, dry_run: bool) -> None:
    from clawgit.clients.connect import changes_to_connect, connect
    from clawgit.clients.hosts import afterwards, plans_for
    from clawgit.workspace.user.connections import (
        Connection,
        connections_folder,
        read_connection,
        token_file,
    )

    history, home, wiring = app.history(), Path.home(), _wiring(host)
    folder = connections_folder(app.registry_file.parent)
    there = read_connection(folder, host)
    _refuse_other(app, host, history.root, there)
    changes = changes_to_connect(plans_for(host, app.environment, home, wiring), there)
    if not dry_run:
        made = app.now(history).isoformat(timespec="seconds")
        connect(folder, there or Connection(host, host, history.root, made), changes)
        _register(app, history.root)
    _say_changes(app, changes, dry_run=dry_run)
    if not dry_run:
        for line in afterwards(host, wiring, token_file(folder, host)):
            app.say(line)
    _report(app, host, changes, dry_run=dry_run)


def _refuse_other(app: App, host: str, root: Path, there: Connection | None) -> None:
    """Refuse a host that is not here, and one that uses another workspace."""
    from clawgit.clients.hosts import TITLES, host_folder

    place = host_folder(host, app.environment, Path.home())
    if host != "mcp" and not place.is_dir():
        raise ClawgitError(
            f"{TITLES[host]} is not set up here: there is no {place}.", hint="Start it once, then connect it."
        )
    if there is not None and there.workspace != root:
        raise ClawgitError(
            f"{TITLES[host]} uses {there.workspace}.", hint=f"`clawgit disconnect {host}` ends that first."
        )


@click.command("disconnect", cls=Command)
@click.argument("host", type=click.Choice(HOSTS))
@click.option("--dry-run", is_flag=True, help="Say what would change; change nothing.")
@click.pass_obj
def disconnect_command(app: App, host: str, dry_run: bool) -> None:
    """Undo `connect` in the host's files.

    What was there before is put back. What somebody else changed in them since stays. Files that were made for the connection alone go. Memory stays.

    \b
    Examples:
      clawgit disconnect claude-code --dry-run
      clawgit disconnect codex
    """
    from clawgit.clients.connect import changes_to_leave, leave
    from clawgit.workspace.user.connections import connections_folder, read_connection

    app.only_operator("disconnect a host")
    folder = connections_folder(app.registry_file.parent)
    connection = read_connection(folder, host)
    if connection is None:
        app.say(f"{host} is not connected.")
        _report(app, host, [], dry_run=dry_run)
        return
    changes = changes_to_leave(connection)
    if not dry_run:
        leave(folder, connection, changes)
    _say_changes(app, changes, dry_run=dry_run)
    if not dry_run:
        app.say(f"{host} is not connected any more. What was said and remembered stays.")
    _report(app, host, changes, dry_run=dry_run)


def _wiring(host: str) -> Wiring:
    """Return how the host calls this very installation, whatever its search path is."""
    import clawgit
    from clawgit.clients.hosts import Wiring

    package = Path(clawgit.__file__).parent
    serve = (sys.executable, "-P", "-m", "clawgit", "mcp", "--connection", host)
    return Wiring(serve, sys.executable, str(package / "clients" / "session_hook.py"))


def _register(app: App, root: Path) -> None:
    from clawgit.cli.service.up import register_workspace

    register_workspace(app, root)


def _say_changes(app: App, changes: Sequence[FileChange], *, dry_run: bool) -> None:
    word = {True: "Would change", False: "Changed"}[dry_run]
    for change in changes:
        if change.is_one:
            gone = "  (the file goes: nothing else is in it)" if change.new is None else ""
            made = "  (a new file)" if change.old is None else ""
            app.say(f"{word} {change.file}{made}{gone}")
            for line in change.lines:
                app.say(f"  {line}")
    if not any(change.is_one for change in changes):
        app.say("Every file is as it should be; nothing was changed.")


def _report(app: App, host: str, changes: Sequence[FileChange], *, dry_run: bool) -> None:
    data: dict[str, Any] = {
        "host": host,
        "files": [each.file for each in changes if each.is_one],
        "dry_run": dry_run,
    }
    app.report(data, list)
