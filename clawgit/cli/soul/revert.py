"""`clawgit soul revert`: one change of the soul taken back, while what came after it stays."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command, in_words
from clawgit.cli.change_output import report_change
from clawgit.cli.soul.undo import take_back
from clawgit.errors import UsageError
from clawgit.operations.soul import say_otherwise


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
    from clawgit.history.apply_plan import repeated
    from clawgit.history.states.revisions import find_revision
    from clawgit.history.undo.undo import find_reverting

    app.only_operator("take a change back")
    if reason is None and not dry_run:
        raise UsageError("A revert needs a reason.", hint='Add --reason "One sentence.".')
    history = app.history()
    found = find_revision(history, revision, app.now(history).tzinfo)
    if found.by_date:
        raise UsageError(f"{revision} is a day, not a change.", hint="`clawgit soul log` lists the changes.")
    say_otherwise(app, found, revision)
    intent = app.intent(history)
    before = None if dry_run else repeated(history, intent)
    if before is not None:
        report_change(app, before, "")
        return
    take_back(app, history, find_reverting(history, found.commit), intent, None if dry_run else reason)
