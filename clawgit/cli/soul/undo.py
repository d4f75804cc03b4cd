"""`clawgit undo` and `clawgit soul revert`: an entry, a correction, a commit, a run or all from one source, taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, change_data, commit_lines, in_words, picked
from clawgit.cli.diff_output import diff_lines, diffs_data
from clawgit.operations.undo import UndoRequest, revert_change, undo_changes
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from clawgit.operations.undo import Undone

SHOWN_LINES = 20
SHOWN_FILES = 20


@click.command("undo", cls=Command)
@click.argument("what", required=False, metavar="ENTRY|WORDS|PATH:LINE|COMMIT|RUN")
@click.option(
    "--source",
    metavar="X",
    help="All that actor X changed, or that rests on X: a message, a page, a sender, a channel, an imported file.",
)
@click.option("--since", metavar="DATE", help="All that --actor changed since then, or since that day.")
@click.option(
    "--actor",
    metavar="A",
    help="Whose changes: operator (you), host (your agent), unknown, or one of clawgit's agents.",
)
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
@click.pass_obj
def undo_command(app: App, /, **request_options: Any) -> None:
    """Take back an entry, a commit, a run or a source.

    Or all that one actor did since a date. Later changes stay.

    A source is an actor, a message (chat:ID), a page, or what messages came from: a sender, channel, conversation, session or
    imported file, with that word before it where a name could mean several.

    By its words or its place, a line goes too that has no id. Entries derived from it are removed too. A correction (x:...) is not removed but withdrawn: it stays
    in the archive. Everything is one new commit, so undoing can be undone.

    \b
    Examples:
      clawgit undo m:7k2x9d --dry-run
      clawgit undo "the rent is due on the 1st" --dry-run
      clawgit undo 1a2b3c4d --reason "It misread the mail."
      clawgit undo x:4f1c --reason "I was wrong about that."
      clawgit undo --source web:example.org
      clawgit undo --source mallory --dry-run
      clawgit undo --source conversation:telegram/family
      clawgit undo --source file:export.jsonl
      clawgit undo --since yesterday --actor soul-keeper --dry-run
    """
    _report(app, undo_changes(app, UndoRequest(**request_options)))


@click.command("revert", cls=Command)
@click.argument("revision", metavar="REV")
@click.option("--reason", callback=in_words, help="One sentence; it goes into the history. Required.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
@click.pass_obj
def revert_command(app: App, revision: str, reason: str | None, dry_run: bool) -> None:
    """Take back one change of the soul.

    Later changes stay. The result is a new commit.

    What it changed in other files stays. If later changes touch the same lines, they are shown and nothing is written.
    `clawgit undo` takes a whole change back, and other changes.

    \b
    Examples:
      clawgit soul revert 1a2b3c4d --dry-run
      clawgit soul revert 1a2b3c4d --reason "Nobody asked for that."
    """
    _report(app, revert_change(app, revision, reason, dry_run))


def undone_data(done: Undone) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if done.undoing is not None:
        taken = done.undoing.taken
        data = {
            "name": redact(done.undoing.taking.name),
            "commits": [commit.commit_id for commit in done.undoing.taking.commits],
            "along": [commit.commit_id for commit in done.undoing.along],
            "files": sorted(taken.contents),
            "conflicts": sorted(taken.conflicts),
            "withdrawn": [correction.correction_id for correction in taken.withdrawn],
            "restored": [correction.correction_id for correction in taken.restored],
            **picked(taken, "refusals notes"),
        }
    if done.recorded is None:
        return {**data, "diff": diffs_data(done.diffs)}
    return {**data, **change_data(done.recorded)}


def _report(app: App, done: Undone) -> None:
    recorded = done.recorded
    if recorded is not None:
        app.report(undone_data(done), lambda: commit_lines(recorded))
        return
    if app.as_json or done.undoing is None:
        app.report(undone_data(done), list)
        return
    count = len(done.undoing.taken.contents)
    for number, diff in enumerate(done.diffs):
        if number == SHOWN_FILES:
            click.echo(f"... and {count - number} more files; --json shows all of them")
            break
        lines = list(diff_lines(diff, words=False))
        for line in lines[:SHOWN_LINES]:
            click.echo(line)
        if len(lines) > SHOWN_LINES:
            click.echo(f"  ... and {len(lines) - SHOWN_LINES} more lines; --json shows all of them")
