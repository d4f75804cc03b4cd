"""`clawgit workspaces`: the user's registered workspaces, and their shared memory."""

from __future__ import annotations

from typing import Any

import click

from clawgit.cli.app import App, command, picked
from clawgit.cli.lazy_group import NamingGroup
from clawgit.errors import ClawgitError
from clawgit.operations.paths import user_path
from clawgit.workspace.user.workspace_registry import Registered, read_registry, register, unregister


@click.group("workspaces", cls=NamingGroup)
def workspaces_group() -> None:
    """Name workspaces, to search across them."""


@command("add", workspaces_group)
@click.argument("name")
@click.argument("path", required=False)
@click.option("--shared", is_flag=True, help="All workspaces search this one as well.")
@click.option(
    "--orchestrator", default="", metavar="NAME", help="The only workspace that writes to the shared one."
)
def add_command(app: App, name: str, path: str | None, shared: bool, orchestrator: str) -> None:
    """Register a workspace as NAME.

    PATH is the workspace; without it, the current one. No file in it changes.

    \b
    Examples:
      clawgit workspaces add main
      clawgit workspaces add coding ~/agents/coding
      clawgit workspaces add common ~/agents/shared --shared --orchestrator main
    """
    app.only_operator("register workspaces")
    if shared != bool(orchestrator):
        raise click.UsageError("--shared and --orchestrator go together.")
    root = app.root() if path is None else user_path(path)
    app.unconfigured(root)
    new = register(app.registry_file, name, root, orchestrator=orchestrator)
    app.say(f"{name} is {new.root}.")
    app.report(_data(new))


@command("list", workspaces_group)
def list_command(app: App) -> None:
    """List the registered workspaces.

    \b
    Example:
      clawgit workspaces list
    """
    registry = read_registry(app.registry_file)
    if registry.problem:
        app.say(registry.problem)
    rows = []
    lines = []
    for each in sorted(registry.workspaces.values(), key=lambda each: each.name):
        problem = ""
        try:
            app.unconfigured(each.root)
        except ClawgitError as error:
            problem = error.message
        rows.append(_data(each) | {"problem": problem})
        line = f"{each.name}  {each.root}"
        if each.is_shared:
            line += f"  shared by all, written by {each.orchestrator}"
        if problem:
            line += f"  ! {problem}"
        if each in registry.gone:
            line += f" `clawgit workspaces remove {each.name}` forgets the name."
        lines.append(line)
    nothing = "No workspace is registered (`clawgit up .` registers the one in this folder)."
    app.report(rows, lambda: lines or [nothing])


@command("remove", workspaces_group)
@click.argument("name")
def remove_command(app: App, name: str) -> None:
    """Forget NAME; its files stay.

    \b
    Example:
      clawgit workspaces remove coding
    """
    app.only_operator("register workspaces")
    gone = unregister(app.registry_file, name)
    app.say(f"{name} ({gone.root}) is not registered any more; its folder stays.")
    app.report(_data(gone))


def _data(each: Registered) -> dict[str, Any]:
    return picked(each, "name path=root shared=is_shared orchestrator")
