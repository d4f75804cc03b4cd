"""`clawgit up` and `down`: start the resident service in the foreground, and end it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import sys
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, command
from clawgit.cli.workspace.init import adopted_for_up, init_root
from clawgit.errors import ClawgitError
from clawgit.history.authorship.host_signs import host_sign
from clawgit.operations.status import folder_of, read_standing
from clawgit.service.service_log import Event, read_log
from clawgit.workspace.find_workspace import find_workspace
from clawgit.workspace.user.workspace_registry import RegistryError, read_registry, register

if TYPE_CHECKING:
    from clawgit.service.daemon import ResidentService, Workings

END_SECONDS = 100.0


@command("up")
@click.argument("path", required=False)
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Answer over HTTP on 127.0.0.1, too (needs clawgit[http]); 0 takes a free port.",
)
def up_command(app: App, path: str | None, port: int | None) -> None:
    """Run the service for all your workspaces.

    It commits edits, does the jobs at their times and answers at once. ^C ends it.

    PATH (or -w, or CLAWGIT_WORKSPACE) is made a workspace if need be, and registered; without it, the workspace here is. There is
    one service for an account: where it runs already it looks after PATH, too.
    `clawgit status` says whether it runs, `clawgit logs` what it did, `clawgit down` ends it.

    \b
    Examples:
      clawgit up ~/agent
      clawgit up
      clawgit up --http 0
    """
    named = path or app.workspace or app.environment.get("CLAWGIT_WORKSPACE")
    if app.now_text:
        app.say(
            "The service goes by the clock of this machine: --now is not heard. For one look: `runner once`."
        )
    from clawgit.cli.service.workings import service_workings

    if not named:
        here = find_workspace("")
        if here and read_registry(app.registry_file).at(Path(here)) is None:
            named = path = here
    if not named:
        _serve(app, None, service_workings(app, [], port))
        return
    root = init_root(app, path)
    adopted_for_up(app, root)
    is_registered = register_workspace(app, root)
    there = None
    if is_registered and port is None:
        there = read_standing(folder_of(app.environment))
    if there is not None and there.process:
        app.print(
            f"The service runs already: process {there.process}, since {there.since}, version {there.version}."
            f" It looks after {root}, too."
        )
        *lines, _ = talk_lines(root)
        for line in (*lines, "`clawgit page` prints a link to the page, `clawgit logs` shows what it did."):
            app.print(line)
        return
    _serve(app, root, service_workings(app, [] if is_registered else [root], port))


def register_workspace(app: App, root: Path) -> bool:
    """Register a workspace under its folder's name, if the actor is the operator; say whether it is registered."""
    if app.actor != "operator" or read_registry(app.registry_file).at(root) is not None:
        return app.actor == "operator"
    plain = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in root.name.lower())
    for name in (plain, *(f"{plain}-{number}" for number in range(2, 100))):
        with suppress(RegistryError):
            register(app.registry_file, name, root)
            app.say(f"{root} is registered as {name}.")
            return True
    return False


def _serve(app: App, named: Path | None, workings: Workings) -> None:
    from clawgit.service.daemon import ResidentService

    def show(event: Event) -> None:
        lines = []
        if event.kind == "started":
            lines = [*talk_lines(named), *_link_lines(app, service, named)]
        with suppress(OSError):  # the terminal is closed: the log has it
            for line in (event_line(event), *lines):
                app.print(line)

    service = ResidentService(folder_of(app.environment), workings, show)
    service.run()


def _link_lines(app: App, service: ResidentService, named: Path | None) -> list[str]:
    """Return the link to the page: only for the operator's terminal, never for a stored output."""
    if app.actor != "operator" or host_sign(app.environment) or not sys.stdout.isatty():
        return []
    try:
        link = service.page_link(named)
    except ClawgitError as error:
        return [f"There is no page: {error}"]
    return ["See and steer it in a browser on this machine (good once, for two minutes):", f"  {link}"]


def event_line(event: Event) -> str:
    at = "" if event.at is None else f"{event.at.astimezone():%H:%M:%S}  "
    where = ""
    if event.workspace:
        where = f"{event.workspace} "
    return f"{at}{where}{event.text}"


def talk_lines(root: Path | None) -> list[str]:
    if root is None:
        return ["Talk to it with `clawgit -w PATH …`; `clawgit workspaces list` names yours.", "^C ends it."]
    here = f" -w {shlex.quote(str(root))}"
    return [
        "Talk to it in another terminal:",
        f'  {_program()}{here} chat add "Do not forget: rent is due on the 1st."',
        f"  {_program()}{here} status",
        "^C ends it.",
    ]


def _program() -> str:
    called = Path(sys.argv[0])
    if called.name != "clawgit":
        return f"{shlex.quote(sys.executable)} -m clawgit"
    on_path = shutil.which(called.name)
    is_found = on_path is not None and Path(on_path).resolve() == called.resolve()
    if is_found:
        return called.name
    return shlex.quote(str(called.absolute()))


@command("down")
def down_command(app: App) -> None:
    """Stop the service.

    It finishes its current work first.

    \b
    Example:
      clawgit down
    """
    folder = folder_of(app.environment)
    standing = read_standing(folder)
    if standing is None or not standing.process:
        app.say("No service runs.")
        app.report({"ended": None})
        return
    with suppress(ProcessLookupError):
        os.kill(standing.process, signal.SIGTERM)
    until = time.monotonic() + END_SECONDS
    while (there := read_standing(folder)) is not None and there.process == standing.process:
        if time.monotonic() > until:
            sentence = f"The service (process {standing.process}) is still at work."
            raise ClawgitError(sentence, hint="`clawgit logs` says on what.")
        time.sleep(0.05)
    app.say(f"The service (process {standing.process}) has ended.")
    app.report({"ended": standing.process})


@command("logs")
@click.option("--since", metavar="TIME", help="Only what was logged then or later.")
@click.option(
    "-n", "--limit", type=click.IntRange(0, 100_000), default=100, show_default=True, help="At most so many."
)
def logs_command(app: App, since: str | None, limit: int) -> None:
    """Show the service's log, oldest first.

    With --json, one line of JSON for each event.

    \b
    Examples:
      clawgit logs
      clawgit logs --since "1 hour ago" --json
    """
    folder = folder_of(app.environment)
    moment = app.first_of(since)
    events = list(read_log(folder, moment))
    for logged in events[-limit:] if limit else []:
        _show(app, logged)
    if not events:
        app.say("Nothing is logged.")


def _show(app: App, logged: dict[str, Any]) -> None:
    if app.as_json:
        click.echo(json.dumps(logged, ensure_ascii=True))
        return
    at = datetime.fromisoformat(logged["at"]).astimezone()
    where = f"{logged['workspace']} " if logged.get("workspace") else ""
    app.print(f"{at:%Y-%m-%d %H:%M:%S}  {where}{logged.get('text', '')}")
