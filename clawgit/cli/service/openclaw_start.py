"""What `clawgit connect openclaw` does besides the settings: the workspace, the model, the service, the Gateway."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.cli.workspace.init import adopted_for_up
from clawgit.clients.host_files import HostFileError
from clawgit.errors import ClawgitError
from clawgit.history.operator_records import set_setting
from clawgit.operations.wiring.standing import folder_of, read_standing
from clawgit.workspace.find_workspace import find_workspace, workspace_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.cli.app import App
    from clawgit.clients.openclaw import OpenClaw

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
    """What is wanted of `connect openclaw`; ``lends_model`` None asks, ``trust`` None asks where somebody is there."""

    dry_run: bool = False
    sure: bool = False
    hooks: bool = True
    starts: bool = True
    lends_model: bool | None = None
    trust: str | None = None


def workspace_to_connect(app: App, agents: Sequence[Path], wishes: Wishes) -> Path | None:
    """Return the workspace that is told, is here, or is OpenClaw's first; its folder becomes one. None in a dry run where it is none yet."""
    told = find_workspace(app.workspace or app.environment.get("CLAWGIT_WORKSPACE") or "")
    root = agents[0]
    if told:
        root = Path(told).resolve()
    app.workspace = str(root)
    if told and (is_workspace(Path(told)) or root not in agents):
        app.workspace = told
        return Path(told)
    if not root.is_dir():
        raise ClawgitError(
            f"OpenClaw has made no workspace at {root} yet.",
            hint="Start its Gateway and say something to your agent once; then connect.",
        )
    if is_workspace(root):
        return root
    if wishes.dry_run:
        app.say(f"Would make {root} a clawgit workspace (`clawgit init {root} --dry-run` says how).")
        return None
    adopted_for_up(app, root, wishes.trust, edits_here="unknown")
    return root


def is_workspace(folder: Path) -> bool:
    return workspace_above(str(folder)) == str(folder)


def settle_model(app: App, roots: Iterable[Path], wishes: Wishes) -> None:
    """Lend OpenClaw's model to clawgit's agents, on the operator's yes: what they ask costs what the host's model costs."""
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


def start_and_restart(app: App, host: OpenClaw, wishes: Wishes) -> None:
    if wishes.starts:
        app.say(_service_line(app))
        app.say(_gateway_line(host))
    else:
        app.say(_TO_START)
    app.say(_AFTERWARDS)


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
