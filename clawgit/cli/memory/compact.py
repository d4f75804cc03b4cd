"""`clawgit memory compact`: old notes into one file for each quarter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.agents.compactor import Eligible, archive_quarters, eligible_notes, remove_archived
from clawgit.agents.first_rearrangement import COMPACTOR, allow_first, needs_yes
from clawgit.cli.app import App, Command
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.commit_messages import new_op
from clawgit.operations.changes import say_kept

if TYPE_CHECKING:
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.git.repository import History

DAYS = 90


@click.command("compact", cls=Command)
@click.option(
    "--days",
    type=click.IntRange(0, 36500),
    default=DAYS,
    show_default=True,
    help="Notes of so many days and older; today's never.",
)
@click.option("--apply", "is_applied", is_flag=True, help="Write the archives; the notes stay.")
@click.option(
    "--remove", is_flag=True, help="With --apply: remove the notes that an archive holds as they read now."
)
@click.pass_obj
def compact_command(app: App, days: int, is_applied: bool, remove: bool) -> None:
    """Archive old notes by quarter.

    Without --apply, only show which notes would be archived.

    An archive, such as memory/archive/2026-Q1.md, holds each note whole, the oldest first. Running it again adds nothing;
    a note that was edited since is added as it reads now. With --remove a note goes only if its present text is in the
    committed archive, so an interrupted run goes on where it ended. Notes in Archive/Daily/ count as well.

    \b
    Examples:
      clawgit memory compact
      clawgit memory compact --days 60 --json
      clawgit memory compact --apply --remove
    """
    history = app.history()
    found = eligible_notes(history.tip().tree, app.now(history).date(), days)
    done = _applied(app, history, days, remove=remove) if is_applied and found else []
    if remove and not is_applied:
        app.say("Nothing is removed without --apply.")
    notes = [{"path": each.note.path, "quarter": each.quarter, "archived": each.archived} for each in found]
    data: dict[str, Any] = {"days": days, "notes": notes, "applied": bool(done)}
    data["removed"] = bool(done) and remove
    data["commits"] = [each.commit_id for each in done if each.commit_id]
    app.report(data, lambda: _lines(days, found, done, remove=remove))


def _applied(app: App, history: History, days: int, *, remove: bool) -> list[Recorded]:
    intent = app.intent(history)
    done = [archive_quarters(history, days, intent)]
    if remove:
        op = f"{intent.op}-remove" if intent.given else new_op()
        done.append(remove_archived(history, days, intent._replace(op=op)))
        if app.actor == OPERATOR and needs_yes(history, COMPACTOR):
            done.append(allow_first(history, COMPACTOR, intent))
    for each in done:
        say_kept(app, each.kept)
    return done


def _lines(days: int, found: list[Eligible], done: list[Recorded], *, remove: bool) -> list[str]:
    if not found:
        return [f"No dated note is {days} days old or older."]
    quarters: dict[str, list[Eligible]] = {}
    for each in found:
        quarters.setdefault(each.quarter, []).append(each)
    lines = []
    for quarter, notes in sorted(quarters.items()):
        lines.append(f"memory/archive/{quarter}.md")
        lines += [f"  {each.note.path}{'  (archived before)' if each.archived else ''}" for each in notes]
    if not done:
        return [
            *lines,
            f"{len(found)} notes of {days} days or more. --apply copies them, --apply --remove moves them.",
        ]
    copied = done[0].commit_id
    lines.append(f"Copied: {copied[:12]}" if copied else "The archives had them all already.")
    if remove and done[1].commit_id:
        lines.append(
            f"Removed: {done[1].commit_id[:12]} (`clawgit undo {done[1].commit_id[:12]}` brings them back)"
        )
    return lines
