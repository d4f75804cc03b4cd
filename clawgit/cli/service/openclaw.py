"""`clawgit connect openclaw`: its settings (changed by itself), its owner and model, the service and its Gateway."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit.cli.service import connected_workspace
from clawgit.cli.service.up import register_workspace
from clawgit.cli.workspace.init import adopted_for_up, refuse_to_adopt
from clawgit.client import service_folder
from clawgit.clients import openclaw
from clawgit.clients.connect import OPENCLAW, HostFileChange, changes_to_connect, connect, replace_file
from clawgit.clients.host_files import HostFileError
from clawgit.errors import ClawgitError
from clawgit.history.operator_records import set_setting
from clawgit.operations.host_ledger import caused_by_connection, lift_demoted, read_host_ledger
from clawgit.operations.status import folder_of, read_standing
from clawgit.workspace.find_workspace import find_workspace, workspace_above
from clawgit.workspace.layout import data_folder
from clawgit.workspace.user import connections as user_connections
from clawgit.workspace.user.connections import Connection
from clawgit.workspace.user.openclaw_ledger import demoted_files, openclaw_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clawgit.cli.app import App
    from clawgit.clients.connect import Writer
    from clawgit.clients.openclaw import OpenClaw


_JOB_LEFT = (
    f"OpenClaw's nightly rewriting of memory may still be among its jobs, and does nothing there: once the Gateway runs, look at "
    f"`openclaw cron list --all`, and remove {openclaw.JOB} by `openclaw cron rm ID`."
)


_OFF = """\
`memory-core.enabled = false` means: OpenClaw's own memory is off while clawgit is its memory.
  Its command `openclaw memory` is unknown then, and its agent has no tool `intent`.
  Its "Remember across conversations" stops: what is said is remembered by clawgit.
  Its nightly rewriting of MEMORY.md stops.
  `clawgit disconnect openclaw` brings all of that back.\
"""
AFTER_LEAVING = (
    "A Gateway that runs takes that up by itself (one before 2026.9 restarts for it); where `gateway.reload.mode` is off, or hot before"
    " 2026.9, restart it. Then `openclaw memory` and all else of its own memory works again."
)
AFTER_HOOK = "If you enabled its hook: `openclaw hooks disable clawgit`, then delete the hook's folder."


def connect_openclaw(app: App, wishes: Wishes) -> None:
    """Make this workspace OpenClaw's memory, and, if the operator wants it, its other agents' workspaces."""
    host = openclaw.find_openclaw(app.environment, Path.home())
    dry_run = wishes.dry_run
    config = host.settings()
    folder = user_connections.connections_folder(app.registry_file.parent)
    connections = user_connections.connections_to(folder, OPENCLAW)
    workspaces = openclaw.workspaces_of(config, host.state)
    if workspace_to_connect(app, list(workspaces.values()), wishes) is None:
        root = Path(app.workspace or "")
        new = Connection(OPENCLAW, OPENCLAW, root)
        changes = _changes_of_settings(app, host, config, [new], agents_at(workspaces, [root]), connections)
        _say_changes(app, host, changes, wishes)
        connected_workspace.report(app, OPENCLAW, changes, dry_run=dry_run)
        return
    history = app.history()
    agents = agents_at(workspaces, [history.root, *(each.workspace for each in connections)])
    _refuse_unused(history.root, agents, connections)
    app.say(f"OpenClaw {host.version or '(of an unknown version)'}, settings in {host.config}.")
    roots = chosen_workspaces(app, history.root, agents, connections, wishes)
    shares = _shares(app, host, connections, roots)
    changes = _changes_of_settings(app, host, config, shares, agents, connections)
    _say_changes(app, host, changes, wishes)
    if not dry_run:
        for each in shares:
            connected_workspace.join(app, each, hooks=wishes.hooks)
        _connect(app, host, connections, shares, changes)
        for each in connections:
            if each.workspace not in roots:
                connected_workspace.part(app, each)
    elif wishes.hooks:
        for root in roots:
            connected_workspace.say_hooks(app, root)
    _settle_owners(app, roots, openclaw.owners_of(config), wishes)
    settle_model(app, roots, wishes)
    if not dry_run:
        if wishes.starts:
            app.say(_service_line(app))
            app.say(_gateway_line(host))
        else:
            app.say(_TO_START)
        app.say(_AFTERWARDS)
    connected_workspace.report(app, OPENCLAW, changes, dry_run=dry_run)


def _say_changes(app: App, host: OpenClaw, changes: Sequence[HostFileChange], wishes: Wishes) -> None:
    connected_workspace.say_changes(app, changes, dry_run=wishes.dry_run)
    for change in changes:
        if change.is_one and change.file == host.config:
            app.say_each(_OFF.splitlines())


def _changes_of_settings(
    app: App,
    host: OpenClaw,
    config: Mapping[str, Any],
    connections: Sequence[Connection],
    agents: Mapping[Path, Sequence[str]],
    present_connections: Sequence[Connection],
) -> list[HostFileChange]:
    folder = user_connections.connections_folder(app.registry_file.parent)
    places = list(agents)
    memories = []
    for each in sorted(connections, key=lambda each: places.index(each.workspace)):
        memory: dict[str, Any] = {"workspace": str(each.workspace), "agents": list(agents[each.workspace])}
        memory["tokenFile"] = str(user_connections.token_file(folder, each.name))
        memory["spool"] = str(host.state / "clawgit" / f"spool{each.name.removeprefix(OPENCLAW)}.jsonl")
        memories.append(memory)
    plugin = data_folder("hooks") / "openclaw" / "plugin"
    socket = f"{service_folder(app.environment)}/requests.sock"
    plan = openclaw.settings_plan(host, config, memories, plugin, socket)
    connection = present_connections[0] if present_connections else None
    return [each.as_data for each in changes_to_connect([plan], connection)]


def _shares(
    app: App, host: OpenClaw, connections: Sequence[Connection], roots: Sequence[Path]
) -> list[Connection]:
    shares = []
    for each in connections_for(connections, roots, app.now(app.history()).isoformat(timespec="seconds")):
        if is_workspace(each.workspace):
            connected_workspace.say_left_out(app, each.workspace)
        left_out = list(each.demoted)
        if each not in connections:
            for file in demoted_files(host.state, each.workspace):
                if file.is_out:
                    left_out.append(file.path)
        shares.append(each._replace(demoted=tuple(left_out)))
    return shares


def _connect(
    app: App,
    host: OpenClaw,
    connections: list[Connection],
    shares: list[Connection],
    changes: list[HostFileChange],
) -> None:
    folder = user_connections.connections_folder(app.registry_file.parent)
    first, *others = shares
    for each in others:
        user_connections.write_connection(folder, each)
    connect(folder, first, changes, host.write)
    for each in connections:
        if each not in shares:
            user_connections.remove_connection(folder, each.name)
    for each in shares:
        register_workspace(app, each.workspace)
    if any(each.is_one for each in changes) and host.has_dreaming_job() is not False:
        app.say(_JOB_LEFT)


def _refuse_unused(root: Path, agents: dict[Path, list[str]], connections: list[Connection]) -> None:
    if connections and connections[0].workspace not in agents:
        connected_workspace.refuse_other(root, connections[0])
    if root in agents:
        return
    places = ", ".join(f"{folder} ({' and '.join(names)})" for folder, names in agents.items())
    hint = "Connect one of those: `clawgit init PATH`, then `clawgit -w PATH connect openclaw`."
    raise ClawgitError(f"No agent of OpenClaw has its workspace at {root}. They are at: {places}.", hint=hint)


def _settle_owners(app: App, roots: Sequence[Path], owners: Sequence[str], wishes: Wishes) -> None:
    if not owners:
        app.say(
            "commands.ownerAllowFrom of OpenClaw is empty, so nobody who writes to it counts as you. Put yourself there "
            'as channel:id, such as "telegram:4242", and connect again.'
        )
    ids_by_root = {root: app.history(root).settings.operator_ids for root in roots if is_workspace(root)}
    lacking = [root for root, ids in ids_by_root.items() if not set(owners) <= set(ids)]
    if not lacking:
        return
    named = ", ".join(each for each in owners if any(each not in ids_by_root[root] for root in lacking))
    if wishes.dry_run or not (wishes.sure or app.asks(f"OpenClaw's owners are {named}. Are they you?")):
        app.say(f"OpenClaw's owners are {named}. `clawgit connect openclaw --yes` says that they are you.")
        return
    for root in lacking:
        history = app.history(root)
        value = ", ".join(dict.fromkeys((*history.settings.operator_ids, *owners)))
        done = set_setting(history, "operator_ids", f"[{value}]", app.intent(history))
        app.history(root)  # brings it into force
        app.say(f"operator_ids in {root} has {', '.join(owners)} ({done.outcome}).")


def leaving_openclaw(app: App, changes: Sequence[HostFileChange]) -> tuple[list[HostFileChange], Writer]:
    """Return the changes to leave OpenClaw, and their writer: the program, or the file if the program is gone."""
    left = [each._replace(new=each.new and openclaw.without_plugin(each.new)).as_data for each in changes]
    try:
        return left, openclaw.find_openclaw(app.environment, Path.home()).write
    except ClawgitError:
        return left, replace_file


def put_ledger_back(app: App, connections: Sequence[Connection], *, dry_run: bool) -> None:
    """Have OpenClaw show the files again that it left out since the connection; name those that stay out.

    The plugin wrote beside OpenClaw's agent, which the ledger takes for tampering. A file with a doubtful line stays out.
    """
    for each in connections:
        try:
            history = app.history(each.workspace)
        except ClawgitError:
            continue
        caused = caused_by_connection(history, each, read_host_ledger(app, history).demoted, app.now(history))
        if dry_run:
            for file in caused:
                app.say_plan(
                    f"Would have OpenClaw show {file.path} to your agent again, as before it was connected."
                )
            continue
        for path in lift_demoted(app, caused):
            app.say(f"OpenClaw shows {path} to your agent again, as before it was connected.")
        connected_workspace.say_left_out(app, each.workspace, leaving=True)


def remove_spool(app: App) -> None:
    """Remove the folder of events that the plugin could not deliver; if it still has any, say so and keep it."""
    folder = openclaw_state(app.environment, Path.home()) / "clawgit"
    if any(folder.glob("spool*.jsonl*")):
        app.say(f"What was said while no service ran is still in {folder}; it was not captured.")
    with suppress(OSError):  # a Gateway that runs still lends its model there
        for noted in folder.glob("shown-spool*.jsonl"):
            noted.unlink()
        folder.rmdir()


def agents_at(workspaces: Mapping[str, Path], own: Iterable[Path]) -> dict[Path, list[str]]:
    """Return the agents of each workspace, the default agent's first; ``own`` paths are used where they are the same."""
    own_names = {each.resolve(): each for each in own}
    agents: dict[Path, list[str]] = {}
    for agent, folder in workspaces.items():
        agents.setdefault(own_names.get(folder, folder), []).append(agent)
    return agents


def chosen_workspaces(
    app: App,
    root: Path,
    agents: Mapping[Path, Sequence[str]],
    connections: Sequence[Connection],
    wishes: Wishes,
) -> list[Path]:
    """Return this workspace, the connected ones, and those that the operator wants, which are made if necessary."""
    connected = {each.workspace for each in connections}
    for folder, names in agents.items():
        if folder == root or folder in connected:
            continue
        if _is_wanted(app, folder, names, wishes):
            connected.add(folder)
            if wishes.dry_run and not is_workspace(folder):
                refuse_to_adopt(app, folder)
            elif not is_workspace(folder):
                adopted_for_up(app, folder, edits_here="unknown")
    return [root, *(folder for folder in agents if folder in connected and folder != root)]


def _is_wanted(app: App, folder: Path, names: Sequence[str], wishes: Wishes) -> bool:
    whose = f"OpenClaw's agent {' and '.join(names)} has its workspace at {folder}"
    if not folder.is_dir():
        app.say(f"{whose}, which is not there yet. Say something to that agent, then connect again.")
        return False
    if wishes.sure or (not wishes.dry_run and app.asks(f"{whose}. Is that to be its memory, too?")):
        app.say(
            f"{whose}: it {'would be' if wishes.dry_run else 'is'} connected, too, with a memory of its own."
        )
        return True
    app.say(f"{whose}. `clawgit connect openclaw --yes` connects that, too.")
    return False


def connections_for(
    present_connections: Sequence[Connection], roots: Sequence[Path], made: str
) -> list[Connection]:
    """Return a connection for each workspace, first the one that has the record of changes; names and tokens stay."""
    there = {each.workspace: each for each in present_connections}
    taken = {each.name for each in present_connections}
    names = (OPENCLAW if number == 1 else f"{OPENCLAW}-{number}" for number in count(1))
    free = (name for name in names if name not in taken)
    connections = [there.get(root) or Connection(next(free), OPENCLAW, root, made) for root in roots]
    return sorted(connections, key=lambda each: each.name != OPENCLAW)


START_SECONDS: Final = 60.0
RESTART_SECONDS: Final = 90.0
_MODEL: Final = "host"
_LOOK: Final = 0.2
_BY_RULES = "Without a model, memory goes by rules. `clawgit config set model host` lends OpenClaw's."
_TO_START = (
    "Then: `clawgit up` (without it OpenClaw answers, without memory), and `openclaw gateway restart`."
)
_AFTERWARDS = "See that it works: say something to your agent, then `clawgit chat log -n 2`; `clawgit doctor` says what is missing."


class Wishes(NamedTuple):
    """The options of `connect openclaw`; ``lends_model`` None asks, ``trust`` None asks at a terminal."""

    dry_run: bool = False
    sure: bool = False
    hooks: bool = True
    starts: bool = True
    lends_model: bool | None = None
    trust: str | None = None


def workspace_to_connect(app: App, agents: Sequence[Path], wishes: Wishes) -> Path | None:
    """Return the workspace that is named, here, or OpenClaw's first, and adopt it; None in a dry run if it is none yet."""
    named = find_workspace(app.workspace or app.environment.get("CLAWGIT_WORKSPACE") or "")
    root = agents[0]
    if named:
        root = Path(named).resolve()
    app.workspace = str(root)
    if named and (is_workspace(Path(named)) or root not in agents):
        app.workspace = named
        return Path(named)
    if not root.is_dir():
        hint = "Start its Gateway and say something to your agent once; then connect."
        raise ClawgitError(f"OpenClaw has made no workspace at {root} yet.", hint=hint)
    if is_workspace(root):
        return root
    if wishes.dry_run:
        refuse_to_adopt(app, root)
        app.say_plan(
            f"Would make {root} a clawgit workspace (`clawgit init {quote(str(root))} --dry-run` says how)."
        )
        return None
    adopted_for_up(app, root, wishes.trust, edits_here="unknown")
    return root


def is_workspace(folder: Path) -> bool:
    return workspace_above(str(folder)) == str(folder)


def settle_model(app: App, roots: Iterable[Path], wishes: Wishes) -> None:
    """Lend OpenClaw's model to clawgit's agents, on the operator's yes: their questions cost what the host's cost."""
    lacking = []
    for root in roots:
        if is_workspace(root) and app.history(root).settings.model != _MODEL:
            lacking.append(root)
    if not lacking:
        return
    lends = wishes.lends_model
    if lends is None and not wishes.dry_run and not wishes.sure:
        lends = app.asks(
            "May clawgit's agents use OpenClaw's model to understand what you say (it costs what the model costs)?"
        )
    if not lends or wishes.dry_run:
        app.say(_BY_RULES)
        return
    for root in lacking:
        history = app.history(root)
        done = set_setting(history, "model", _MODEL, app.intent(history))
        app.history(root)  # brings it into force
        app.say(f"OpenClaw's model is lent to clawgit's agents in {root} ({done.outcome}).")


def _service_line(app: App) -> str:
    from clawgit.service.mcp.stdio_proxy import StartedService

    folder = folder_of(app.environment)
    there = read_standing(folder)
    if there is not None:
        return f"clawgit's service runs already (process {there.process})."
    started = StartedService(app.environment)
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and not started.has_failed:
        there = read_standing(folder)
        if there is not None and there.process:
            return (
                f"Started clawgit's service (process {there.process}). `clawgit runner install` has it start with the machine;"
                " `clawgit down` ends it."
            )
        time.sleep(_LOOK)
    return f"clawgit's service does not start ({started.complaint()}): run `clawgit up`."


def _gateway_line(host: OpenClaw) -> str:
    by_hand = "restart it, so that it loads the plugin: `openclaw gateway restart`."
    if host.has_dreaming_job() is None:
        return f"OpenClaw's Gateway does not answer. If it runs, {by_hand}"
    with suppress(HostFileError):
        if host.run("gateway", "restart", seconds=RESTART_SECONDS).returncode == 0:
            return "Restarted OpenClaw's Gateway: it has the plugin now."
    return f"OpenClaw's Gateway could not be restarted from here: {by_hand}"
