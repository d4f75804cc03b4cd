"""`clawgit undo`: one entry, one commit, one run or all from one source, taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.said import change_data, say_change
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.history.revert import RevertConflictError
    from clawgit.history.undo import Undoing


@click.command("undo", cls=Command)
@click.argument("what", required=False, metavar="ENTRY|COMMIT|RUN")
@click.option(
    "--source",
    metavar="X",
    help="All changes by actor X, or with evidence from X (such as `web:example.org`).",
)
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--dry-run", is_flag=True, help="Say what would be taken back; change nothing.")
@click.pass_obj
def undo_command(app: App, what: str | None, source: str | None, reason: str, dry_run: bool) -> None:
    """Take back one entry, one commit, one run, or all that came from one source; later changes stay.

    What says that it is derived from it goes along. Everything is one new commit, so undoing can be undone.

    \b
    Examples:
      clawgit undo m:7k2x9d --dry-run
      clawgit undo 1a2b3c4d --reason "It misread the mail."
      clawgit undo --source web:example.org
    """
    from clawgit.history.revert import RevertConflictError
    from clawgit.history.undo import find_undoing, undo

    app.only_operator("undo changes")
    if bool(what) == bool(source):
        raise UsageError("Name one thing to undo.", hint="An entry, a commit or a run; or --source X.")
    history = app.history()
    undoing = find_undoing(history, what or "", source=source or "")
    for line in _preview(undoing):
        app.say(line)
    if dry_run:
        app.report(_undoing_data(undoing), list)
        return
    try:
        done = undo(history, undoing, reason, app.intent(history))
    except RevertConflictError as error:
        say_conflicts(app, error)
        raise
    say_change(app, done, f"Undone: {undoing.name}.")
    app.report(
        {**_undoing_data(undoing), **change_data(done)}, lambda: [done.commit_id] if done.commit_id else []
    )


def _preview(undoing: Undoing) -> list[str]:
    along = set(undoing.along)
    return [
        f"To take back: {undoing.name}.",
        *(
            f"  {commit.commit_id[:12]}  {commit.subject}{'  (rests on it)' if commit in along else ''}"
            for commit in undoing.taking.commits
        ),
        *(f"  changes {path}" for path in undoing.taken.texts),
        *(f"  CONFLICTS with later changes in {path}" for path in undoing.taken.conflicts),
    ]


def _undoing_data(undoing: Undoing) -> dict[str, Any]:
    return {
        "name": undoing.name,
        "commits": [commit.commit_id for commit in undoing.taking.commits],
        "along": [commit.commit_id for commit in undoing.along],
        "files": sorted(undoing.taken.texts),
        "conflicts": sorted(undoing.taken.conflicts),
    }


def say_conflicts(app: App, error: RevertConflictError) -> None:
    """Show what stands in the way: how the lines read now, and how they would have to read."""
    for path, conflicts in error.conflicts.items():
        for conflict in conflicts:
            app.say(f"{path}, near line {conflict.line}:")
            for mark, lines in (("now   ", conflict.ours), ("before", conflict.theirs)):
                for line in lines or (b"(nothing)",):
                    app.say(f"  {mark} | {line.decode('utf-8', 'replace').rstrip()}")
