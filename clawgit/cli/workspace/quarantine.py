"""`clawgit quarantine`: what a guard refused, to look at, make after all, or drop."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.approval import approving, sign_option
from clawgit.cli.change_output import report_change
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.history.guards.quarantine import Quarantined


@click.group("quarantine")
def quarantine_group() -> None:
    """Review changes that a guard refused."""


@quarantine_group.command("list", cls=Command)
@click.pass_obj
def list_command(app: App) -> None:
    """List the refused changes, oldest first.

    \b
    Examples:
      clawgit quarantine list
      clawgit quarantine list --json
    """
    from clawgit.history.guards.quarantine import list_quarantine

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
    from clawgit.cli.diff_output import diff_lines
    from clawgit.history.guards.quarantine import find_quarantined
    from clawgit.history.states.revisions import Revision, compare

    history = app.history()
    found = find_quarantined(history, quarantine_id)
    if app.as_json:
        app.report(_data(found), list)
        return
    app.print(_line(found))
    for text in found.findings:
        app.print(f"  refused: {text}")
    commit = history.objects.commit(found.commit_id)
    base = history.objects.commit(commit.parent_ids[0]) if commit.parent_ids else commit
    for diff in compare(history, Revision(base), Revision(commit), found.paths) if found.paths else ():
        for line in diff_lines(diff, words=False):
            click.echo(line)
    if not found.paths:
        app.say("Its text was not kept, since it held a secret or was too large.")


@quarantine_group.command("apply", cls=Command)
@click.argument("quarantine_id", metavar="ID")
@click.option(
    "--override", "rules", multiple=True, metavar="RULE", help="Let through what this guard refuses."
)
@click.option("--reason", default="", help="One sentence; needed to override.")
@sign_option
@click.pass_obj
def apply_command(app: App, quarantine_id: str, rules: tuple[str, ...], reason: str, key: str | None) -> None:
    """Apply a refused change as your own.

    It is applied on top of later changes. The guards check it again.

    \b
    Examples:
      clawgit quarantine apply q-1a2b3c4d5e
      clawgit quarantine apply q-1a2b3c4d5e --override conflict-marker --reason "It quotes one."
    """
    from clawgit.history.apply_quarantined import apply_quarantined
    from clawgit.history.review.commit_check import opened, overriding

    app.only_operator("apply what was refused")
    history = app.history()
    intent = approving(app, history, overriding(app.intent(history), rules, reason), key)
    done = apply_quarantined(history, quarantine_id, opened(history, intent, reason) if reason else intent)
    app.note_tip(history)
    report_change(app, done, f"Applied: {quarantine_id}.")


@quarantine_group.command("drop", cls=Command)
@click.argument("quarantine_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def drop_command(app: App, quarantine_id: str, yes: bool) -> None:
    """Delete a refused change, after a question.

    \b
    Examples:
      clawgit quarantine drop q-1a2b3c4d5e
      clawgit quarantine drop q-1a2b3c4d5e --yes
    """
    from clawgit.history.guards.quarantine import drop_quarantined, find_quarantined

    app.only_operator("drop what was refused")
    history = app.history()
    found = find_quarantined(history, quarantine_id)
    if not yes and not _agreed(found):
        raise ClawgitError(f"{quarantine_id} stays.", hint="Say --yes to drop it.")
    drop_quarantined(history, quarantine_id)
    app.say(f"Dropped: {quarantine_id}.")
    app.report({"dropped": quarantine_id}, list)


def _agreed(found: Quarantined) -> bool:
    return sys.stdin.isatty() and click.confirm(f"Drop {_line(found)}?", err=True)


def _line(item: Quarantined) -> str:
    files = ", ".join(item.paths) or "its text was not kept"
    return f"{item.quarantine_id}  {item.at:%Y-%m-%d %H:%M}  {item.actor}  {item.summary} ({files})"


def _data(item: Quarantined) -> dict[str, Any]:
    return {
        "id": item.quarantine_id,
        "commit": item.commit_id,
        "actor": item.actor,
        "at": item.at.isoformat(),
        "summary": item.summary,
        "findings": list(item.findings),
        "paths": list(item.paths),
    }
