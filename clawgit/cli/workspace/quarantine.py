"""`clawgit quarantine`: what a guard refused, to look at; `approve` makes it after all, `reject` drops it."""

from __future__ import annotations

from typing import Any

import click

from clawgit.cli.app import App, Command, picked
from clawgit.cli.pending import print_refused
from clawgit.history.guards.quarantine import Quarantined, find_quarantined, list_quarantine


@click.group("quarantine")
def quarantine_group() -> None:
    """Review changes that a guard refused."""


@quarantine_group.command("list", cls=Command)
@click.pass_obj
def list_command(app: App) -> None:
    """List the refused changes, oldest first.

    \b
    Example:
      clawgit quarantine list
    """
    found = list_quarantine(app.history())
    app.report(
        [_data(item) for item in found],
        lambda: [_line(item) for item in found] or ["Nothing is in quarantine."],
    )


@quarantine_group.command("show", cls=Command)
@click.argument("quarantine_id", metavar="ID")
@click.pass_obj
def show_command(app: App, quarantine_id: str) -> None:
    """Show what was refused, and why.

    Shows the files as they would have been.

    \b
    Example:
      clawgit quarantine show q-1a2b3c4d5e
    """
    history = app.history()
    found = find_quarantined(history, quarantine_id)
    if app.as_json:
        app.report(_data(found), list)
        return
    app.print(_line(found))
    for text in found.findings:
        app.print(f"  refused: {text}")
    print_refused(history, found.commit_id, found.paths)
    if not found.paths:
        app.say("Its text was not kept, since it held a secret or was too large.")


def _line(item: Quarantined) -> str:
    files = ", ".join(item.paths) or "its text was not kept"
    return f"{item.quarantine_id}  {item.at:%Y-%m-%d %H:%M}  {item.actor}  {item.summary} ({files})"


def _data(item: Quarantined) -> dict[str, Any]:
    return picked(item, "id=quarantine_id commit=commit_id actor at summary findings paths")
