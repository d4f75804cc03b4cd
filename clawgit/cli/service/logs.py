"""`clawgit logs`: what the service did."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import click

from clawgit.cli.app import App, Command
from clawgit.operations.standing import folder_of
from clawgit.service.service_log import follow_log, read_log

LOOK_SECONDS = 0.2


@click.command("logs", cls=Command)
@click.option("-f", "--follow", is_flag=True, help="Go on with what is logged from now on, until ^C.")
@click.option("--since", metavar="TIME", help="Only what was logged then or later.")
@click.option(
    "-n", "--limit", type=click.IntRange(0, 100_000), default=100, show_default=True, help="At most so many."
)
@click.pass_obj
def logs_command(app: App, follow: bool, since: str | None, limit: int) -> None:
    """Show the service's log, oldest first.

    With --json, one line of JSON for each event.

    \b
    Examples:
      clawgit logs
      clawgit logs -f
      clawgit logs --since 2026-03-19T08:00 --json
    """
    folder = folder_of(app.environment)
    moment = None if since is None else app.moment(since).astimezone()
    coming = follow_log(folder, LOOK_SECONDS)  # marks its place first: what is logged meanwhile is in both
    found = list(read_log(folder, moment))
    for said in found[-limit:] if limit else []:
        _show(app, said)
    if not found and not follow:
        app.say("Nothing is logged.")
    if follow:
        for said in coming:
            if said not in found:
                _show(app, said)


def _show(app: App, said: dict[str, Any]) -> None:
    if app.as_json:
        click.echo(json.dumps(said, ensure_ascii=True))
        return
    at = datetime.fromisoformat(said["at"]).astimezone()
    where = f"{said['workspace']} " if said.get("workspace") else ""
    app.print(f"{at:%Y-%m-%d %H:%M:%S}  {where}{said.get('text', '')}")
