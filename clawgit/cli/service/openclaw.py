"""`clawgit connect openclaw`: OpenClaw's own settings, changed through itself, and whom it takes for its owner."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli.service.connect_output import refuse_other, register, report, say_changes
from clawgit.clients.openclaw_settings import JOB
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.clients.connect import FileChange
    from clawgit.clients.openclaw_program import OpenClaw
    from clawgit.clients.openclaw_settings import PluginPlaces
    from clawgit.history.git.repository import History

OPENCLAW = "openclaw"
_AFTERWARDS = (
    "Restart the Gateway: `openclaw gateway restart`. `clawgit up` has to run: without it OpenClaw answers, without memory.",
    "`clawgit config set model host` lends OpenClaw's model to the agents that mine and correct; without it they go by rules.",
    "See that it works: say something to your agent, then `clawgit chat log -n 2`; `clawgit doctor` says what is missing.",
)
_JOB_LEFT = (
    f"OpenClaw's nightly rewriting of memory may still be among its jobs, and does nothing there: once the Gateway runs, look at "
    f"`openclaw cron list --all`, and remove {JOB} by `openclaw cron rm ID`."
)


def connect_openclaw(app: App, *, dry_run: bool, sure: bool) -> None:
    """Make this workspace OpenClaw's memory."""
    from clawgit.clients.connect import changes_to_connect, connect
    from clawgit.clients.openclaw_program import find_openclaw
    from clawgit.clients.openclaw_settings import owners_of, settings_plan, version_of
    from clawgit.workspace.user.connections import Connection, connections_folder, read_connection

    history, host = app.history(), find_openclaw(app.environment, Path.home())
    config, folder = host.settings(), connections_folder(app.registry_file.parent)
    there = read_connection(folder, OPENCLAW)
    refuse_other(history.root, there)
    _refuse_unused(host, config, history.root)
    places = _places(app, folder, host)
    plan = settings_plan(host.config, config, history.root, places, version_of(host.version))
    changes = [each.as_data for each in changes_to_connect([plan], there)]
    app.say(f"OpenClaw {host.version or '(of an unknown version)'}, settings in {host.config}.")
    say_changes(app, changes, dry_run=dry_run)
    if not dry_run:
        made = app.now(history).isoformat(timespec="seconds")
        connect(folder, there or Connection(OPENCLAW, OPENCLAW, history.root, made), changes, host.write)
        register(app, history.root)
        if any(each.is_one for each in changes) and host.has_dreaming_job() is not False:
            app.say(_JOB_LEFT)
    _settle_owners(app, history, owners_of(config), dry_run=dry_run, sure=sure)
    if not dry_run:
        for line in _AFTERWARDS:
            app.say(line)
    report(app, OPENCLAW, changes, dry_run=dry_run)


def _refuse_unused(host: OpenClaw, config: dict[str, object], root: Path) -> None:
    from clawgit.clients.openclaw_settings import agents_of, workspaces_of

    if agents_of(config, root, host.state):
        return
    found = ", ".join(f"{folder} ({agent})" for agent, folder in workspaces_of(config, host.state).items())
    raise ClawgitError(
        f"No agent of OpenClaw has its workspace at {root}. They are at: {found}.",
        hint="Connect one of those: `clawgit init PATH`, then `clawgit -w PATH connect openclaw`.",
    )


def _places(app: App, folder: Path, host: OpenClaw) -> PluginPlaces:
    from clawgit.client import service_folder
    from clawgit.clients.openclaw_settings import PluginPlaces
    from clawgit.workspace.templates import data_folder
    from clawgit.workspace.user.connections import token_file

    return PluginPlaces(
        str(data_folder("hooks") / "openclaw" / "plugin"),
        f"{service_folder(app.environment)}/requests.sock",
        str(token_file(folder, OPENCLAW)),
        str(host.state / "clawgit" / "spool.jsonl"),
        str(host.state / "clawgit" / "model.sock"),
    )


def _settle_owners(app: App, history: History, owners: list[str], *, dry_run: bool, sure: bool) -> None:
    """Take OpenClaw's owners for the operator once he says that they are himself."""
    from clawgit.history.set_setting import set_setting

    if not owners:
        app.say(
            "commands.ownerAllowFrom of OpenClaw is empty, so nobody who writes to it counts as you. Put yourself there "
            'as channel:id, such as "telegram:4242", and connect again.'
        )
    known = history.settings.operator_ids
    missing = [each for each in owners if each not in known]
    if not missing:
        return
    named = ", ".join(missing)
    if dry_run or not (sure or _is_confirmed(named)):
        app.say(f"OpenClaw's owners are {named}. `clawgit connect openclaw --yes` says that they are you.")
        return
    value = ", ".join((*known, *missing))
    done = set_setting(history, "operator_ids", f"[{value}]", app.intent(history))
    app.history()  # brings it into force
    app.say(f"operator_ids has {named} ({done.outcome}).")


def _is_confirmed(named: str) -> bool:
    return sys.stdin.isatty() and click.confirm(f"OpenClaw's owners are {named}. Are they you?", err=True)


def without_plugin(change: FileChange) -> FileChange:
    """Return how OpenClaw's settings are left: nothing of the plugin's is in them, whoever put it there."""
    from clawgit.clients import openclaw_settings

    new = None if change.new is None else openclaw_settings.without_plugin(change.new)
    return change._replace(new=new).as_data


def remove_spool(app: App) -> None:
    """Take away the folder of what the plugin could not say; what is still in it stays, and is named."""
    from clawgit.clients.openclaw_program import state_folder

    folder = state_folder(app.environment, Path.home()) / "clawgit"
    if any(folder.glob("spool.jsonl*")):
        app.say(f"What was said while no service ran is still in {folder}; it was not captured.")
    with suppress(OSError):  # a Gateway that runs still lends its model there
        folder.rmdir()
