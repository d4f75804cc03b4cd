"""`clawgit uninstall`: remove clawgit from a workspace."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, command, picked
from clawgit.cli.service.connect import leave_host
from clawgit.clients.connect import TITLES
from clawgit.errors import ClawgitError, UsageError
from clawgit.history.adopt import Belongings, find_belongings, leave_workspace
from clawgit.history.backup.backup_records import make_backup
from clawgit.operations.paths import user_path
from clawgit.operations.status import folder_of, read_standing
from clawgit.workspace.user import connections
from clawgit.workspace.user.workspace_registry import Registered, read_registry, unregister

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.repository import History

_STAYS = "Your files, all commits, and the rendered CHANGELOG.md, COMPACTION_LOG.md and SOUL_HISTORY/ stay."
_RUNS = "The service runs, and would begin to look after the workspace again."


@command("uninstall")
@click.option("--dry-run", is_flag=True, help="Show what would be deleted; delete nothing.")
@click.option("--backup", "file", metavar="FILE", help="First back up messages and proposals to FILE.")
@click.option("--no-backup", is_flag=True, help="Delete messages and proposals for good.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def uninstall_command(app: App, dry_run: bool, file: str | None, no_backup: bool, yes: bool) -> None:
    """Remove clawgit from this workspace.

    Disconnects your agent, then deletes clawgit's hooks, its state in .git/clawgit and its references, and forgets the workspace's name. Your files
    and commits stay. With the backup, `clawgit init` and `clawgit backup --restore FILE` bring everything back.

    \b
    Examples:
      clawgit uninstall --dry-run
      clawgit uninstall --backup ~/agent.backup
    """
    app.only_operator("remove clawgit from a workspace")
    history = app.unconfigured()
    belongings = find_belongings(history)
    name = read_registry(app.registry_file).at(history.root)
    hosts = _connected(app, history)
    runs = _running_service(app)
    if dry_run:
        for host in hosts:
            leave_host(app, host, dry_run=True)
        if runs is not None:
            app.would_refuse(runs)
        app.report(_data(belongings, name, deleted=False), lambda: [*_lines(belongings, name, hosts), _STAYS])
        return
    if (file is None) != no_backup:
        hint = "`clawgit uninstall --backup FILE` saves them, `--no-backup` deletes them."
        raise UsageError("Say what happens to messages and proposals: they are in no commit.", hint=hint)
    if runs is not None:
        raise runs
    if not yes and sys.stdin.isatty():
        for host in hosts:
            leave_host(app, host, dry_run=True)
        app.say_each(_lines(belongings, name, hosts))
    if not yes and not app.asks("Delete these?"):
        raise ClawgitError("Nothing was deleted.", hint="Say --yes to go through with it.")
    if file is not None:
        made = make_backup(history, user_path(file), app.now(history))
        app.say(f"Backed up and checked: {made.path} ({made.size:,} bytes).")
    for host in hosts:
        leave_host(app, host, dry_run=False)
    if name is not None:
        unregister(app.registry_file, name.name)
    app.say_each(leave_workspace(history))
    app.say(f"clawgit is no longer in {history.root}. {_STAYS}")
    app.report(_data(belongings, name, deleted=True))


def _running_service(app: App) -> ClawgitError | None:
    if app.environment.get("HOME") and read_standing(folder_of(app.environment)) is not None:
        return ClawgitError(_RUNS, hint="`clawgit down` stops it.")
    return None


def _connected(app: App, history: History) -> list[connections.Connection]:
    """Return the connections to end first, one a host; refuse where that would end another workspace's."""
    folder = connections.connections_folder(app.registry_file.parent)
    names = {each.host for each in connections.read_connections(folder) if each.workspace == history.root}
    hosts = []
    for name in sorted(names):
        connection = connections.read_connection(folder, name)
        every = connections.connections_to(folder, name)
        if connection is None or any(each.workspace != history.root for each in every):
            sentence = f"{TITLES[name]} is connected to this workspace and to others. Nothing was deleted."
            raise ClawgitError(sentence, hint=f"`clawgit disconnect {name}` ends all of these.")
        hosts.append(connection)
    return hosts


def _lines(
    belongings: Belongings, name: Registered | None, hosts: Sequence[connections.Connection]
) -> list[str]:
    lines = [f"{belongings.state}  ({belongings.size:,} bytes: messages, records, indexes)"]
    if belongings.references:
        lines.append(f"{len(belongings.references)} references below refs/clawgit/")
    if belongings.has_hooks:
        lines.append("clawgit's git hooks")
    if name is not None:
        lines.append(f"the registered name {name.name}")
    shown = [f"to be deleted: {line}" for line in lines]
    return [*(f"to be disconnected: {TITLES[each.host]}" for each in reversed(hosts)), *shown]


def _data(belongings: Belongings, name: Registered | None, *, deleted: bool) -> dict[str, Any]:
    data = {"deleted": deleted, **picked(belongings, "state bytes=size references hooks=has_hooks")}
    return data | {"name": None if name is None else name.name}
