"""Which workspaces of OpenClaw's agents one `clawgit connect openclaw` makes its memory: a connection for each."""

from __future__ import annotations

import sys
from itertools import count
from typing import TYPE_CHECKING

import click

from clawgit.cli.workspace.init import adopted_for_up
from clawgit.clients.hosts import OPENCLAW
from clawgit.clients.openclaw_settings import AgentMemory
from clawgit.workspace.find_workspace import workspace_above
from clawgit.workspace.user.connections import Connection, token_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from clawgit.cli.app import App


def agents_at(workspaces: Mapping[str, Path], own: Iterable[Path]) -> dict[Path, list[str]]:
    """Return the agents of each workspace, that of the default agent first; ``own`` are called as they are there."""
    called = {each.resolve(): each for each in own}
    found: dict[Path, list[str]] = {}
    for agent, folder in workspaces.items():
        found.setdefault(called.get(folder, folder), []).append(agent)
    return found


def chosen_workspaces(
    app: App,
    root: Path,
    agents: Mapping[Path, Sequence[str]],
    known: Sequence[Connection],
    *,
    dry_run: bool,
    sure: bool,
) -> list[Path]:
    """Return this workspace, and the others that are connected or that the operator wants to be; those are made ones."""
    connected = {each.workspace for each in known}
    for folder, names in agents.items():
        if folder == root or folder in connected:
            continue
        if _is_wanted(app, folder, names, dry_run=dry_run, sure=sure):
            connected.add(folder)
            if not dry_run:
                _make_ready(app, folder)
    return [root, *(folder for folder in agents if folder in connected and folder != root)]


def _is_wanted(app: App, folder: Path, names: Sequence[str], *, dry_run: bool, sure: bool) -> bool:
    whose = f"OpenClaw's agent {' and '.join(names)} has its workspace at {folder}"
    if not folder.is_dir():
        app.say(f"{whose}, which is not there yet. Say something to that agent, then connect again.")
        return False
    is_asked = not dry_run and sys.stdin.isatty()
    if sure or (is_asked and click.confirm(f"{whose}. Is that to be its memory, too?", err=True)):
        app.say(f"{whose}: it {'would be' if dry_run else 'is'} connected, too, with a memory of its own.")
        return True
    app.say(f"{whose}. `clawgit connect openclaw --yes` connects that, too.")
    return False


def _make_ready(app: App, folder: Path) -> None:
    if not is_workspace(folder):
        adopted_for_up(app, folder)


def is_workspace(folder: Path) -> bool:
    """Say whether a folder is a workspace of clawgit's already."""
    return workspace_above(str(folder)) == str(folder)


def connections_for(known: Sequence[Connection], roots: Sequence[Path], made: str) -> list[Connection]:
    """Return a connection for each workspace, the one that knows what was changed first; each keeps its name and token."""
    there = {each.workspace: each for each in known}
    taken = {each.name for each in known}
    names = (OPENCLAW if number == 1 else f"{OPENCLAW}-{number}" for number in count(1))
    free = (name for name in names if name not in taken)
    found = [there.get(root) or Connection(next(free), OPENCLAW, root, made) for root in roots]
    return sorted(found, key=lambda each: each.name != OPENCLAW)


def memories_of(
    connections: Sequence[Connection], agents: Mapping[Path, Sequence[str]], folder: Path, state: Path
) -> list[AgentMemory]:
    """Return what the plugin is told of each workspace, that of the default agent first: it gets what names no agent."""
    places = list(agents)
    found = [
        AgentMemory(
            each.workspace,
            agents[each.workspace],
            str(token_file(folder, each.name)),
            str(state / f"spool{each.name.removeprefix(OPENCLAW)}.jsonl"),
        )
        for each in connections
    ]
    return sorted(found, key=lambda each: places.index(each.workspace))
