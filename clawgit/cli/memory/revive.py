"""`clawgit memory revive`: what was taken out of memory comes back."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import change_data, say_change


@click.command("revive", cls=Command)
@click.argument("what", metavar="PATH|ENTRY")
@click.pass_obj
def revive_command(app: App, what: str) -> None:
    """Bring back a file as it read last, or an entry that was taken out, as a new commit.

    \b
    Examples:
      clawgit memory search "hosting plan" --deep
      clawgit memory revive m:7k2x9d
      clawgit memory revive memory/2026-01-20.md
    """
    from clawgit.recall.index.searched_files import path_meant
    from clawgit.recall.revive import revive

    app.only_operator("bring back what was taken out of memory")
    history = app.history()
    done = revive(history, path_meant(history.root, what), app.intent(history))
    say_change(
        app, done.recorded, f"Back: {done.text} ({done.path})." if done.text else f"Back: {done.path}."
    )
    data = change_data(done.recorded) | {"path": done.path}
    app.report(data, lambda: [done.recorded.commit_id] if done.recorded.commit_id else [])
