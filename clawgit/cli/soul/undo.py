"""`clawgit undo`: one entry, one correction, one commit, one run or all from one source, taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import report_change
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding
    from clawgit.history.undo.undo import Undoing
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.text.markdown.merge_lines import Conflict

SHOWN_LINES = 20
SHOWN_FILES = 20


@click.command("undo", cls=Command)
@click.argument("what", required=False, metavar="ENTRY|COMMIT|RUN")
@click.option(
    "--source",
    metavar="X",
    help="All that actor X changed, or that rests on evidence from X (such as `web:example.org`).",
)
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
@click.pass_obj
def undo_command(app: App, what: str | None, source: str | None, reason: str, dry_run: bool) -> None:
    """Take back one entry, one commit, one run, or all that came from one source; later changes stay.

    What says that it is derived from it goes along. A correction (x:...) that would go is withdrawn: it stays
    in the archive. Everything is one new commit, so undoing can be undone.

    \b
    Examples:
      clawgit undo m:7k2x9d --dry-run
      clawgit undo 1a2b3c4d --reason "It misread the mail."
      clawgit undo x:4f1c --reason "I was wrong about that."
      clawgit undo --source web:example.org
    """
    from clawgit.history.apply_plan import repeated
    from clawgit.history.undo.revert import RevertConflictError, find_remarks
    from clawgit.history.undo.undo import find_undoing, undo

    app.only_operator("undo changes")
    named = [word for word in (what, source) if word is not None]
    if len(named) != 1 or not named[0].strip():
        raise UsageError("Name one thing to undo.", hint="An entry, a commit or a run; or --source X.")
    history = app.history()
    intent = app.intent(history)
    before = None if dry_run else repeated(history, intent)
    if before is not None:  # what it took back may have no name any more
        report_change(app, before, "")
        return
    undoing = find_undoing(history, what or "", source=source or "")
    for line in _preview(undoing):
        app.say(line)
    if dry_run:
        _say_remarks(app, find_remarks(history, undoing.taking, undoing.taken, intent))
        _show(app, history, undoing)
        return
    try:
        done = undo(history, undoing, reason, intent)
    except RevertConflictError as error:
        say_conflicts(app, error.conflicts)
        raise
    report_change(app, done, f"Undone: {undoing.name.rstrip('.')}.", **_undoing_data(undoing))


def _say_remarks(app: App, findings: tuple[Finding, ...]) -> None:
    """Say what the guards have to say to it."""
    for finding in findings:
        app.say(f"  {'CANNOT: ' if finding.severity.stops else ''}{finding.sentence}")


def _show(app: App, history: History, undoing: Undoing) -> None:
    """Print the lines that would go and come, shortened for a person, whole as JSON; say what stands in the way."""
    from clawgit.cli.diff_output import diff_data, diff_lines
    from clawgit.history.undo.undo_preview import taken_diffs

    say_conflicts(app, _conflicts(undoing))
    if app.as_json:
        diffs = [diff_data(diff) for diff in taken_diffs(history, undoing.taken)]
        app.report({**_undoing_data(undoing), "diff": diffs}, list)
        return
    for number, diff in enumerate(taken_diffs(history, undoing.taken)):
        if number == SHOWN_FILES:
            click.echo(f"... and {len(undoing.taken.contents) - number} more files; --json shows all of them")
            break
        lines = list(diff_lines(diff, words=False))
        for line in lines[:SHOWN_LINES]:
            click.echo(line)
        if len(lines) > SHOWN_LINES:
            click.echo(f"  ... and {len(lines) - SHOWN_LINES} more lines; --json shows all of them")


def _preview(undoing: Undoing) -> list[str]:
    from clawgit.memory.corrections.withdrawal import archive_of

    along, taken = set(undoing.along), undoing.taken
    return [
        f"To take back: {undoing.name.rstrip('.')}.",
        *(
            f"  {commit.commit_id[:12]}  {commit.subject}{'  (rests on it)' if commit in along else ''}"
            for commit in undoing.taking.commits
        ),
        *(f"  changes {path}" for path in taken.contents),
        *(f"  withdraws {_correction(each)}, which stays in {archive_of(each)}" for each in taken.withdrawn),
        *(f"  puts {_correction(each)} in force again" for each in taken.restored),
        *(f"  {note}" for note in taken.notes),
        *_earlier(undoing),
        *(f"  CANNOT: {refusal}" for refusal in taken.refusals),
        *(f"  CONFLICTS with later changes in {path}" for path in _conflicts(undoing)),
    ]


def _conflicts(undoing: Undoing) -> dict[str, tuple[Conflict, ...]]:
    """Return what stands in the way; not the earlier change that did the same already."""
    return {} if undoing.earlier is not None else undoing.taken.conflicts


def _correction(correction: Correction) -> str:
    said = f" ({correction.correct})" if correction.correct else ""
    return f"the correction x:{correction.correction_id}{said}"


def _earlier(undoing: Undoing) -> list[str]:
    """Say who was faster, where nothing is left to take back."""
    if undoing.earlier is None:
        return []
    name = undoing.earlier.commit_id[:12]
    return [
        f"  {name} ({undoing.earlier.subject}) took it back already; `clawgit undo {name}` brings it back."
    ]


def _undoing_data(undoing: Undoing) -> dict[str, Any]:
    return {
        "name": undoing.name,
        "commits": [commit.commit_id for commit in undoing.taking.commits],
        "along": [commit.commit_id for commit in undoing.along],
        "files": sorted(undoing.taken.contents),
        "conflicts": sorted(undoing.taken.conflicts),
        "withdrawn": [correction.correction_id for correction in undoing.taken.withdrawn],
        "restored": [correction.correction_id for correction in undoing.taken.restored],
        "refusals": list(undoing.taken.refusals),
        "notes": list(undoing.taken.notes),
    }


def say_conflicts(app: App, conflicts: dict[str, tuple[Conflict, ...]]) -> None:
    """Show what stands in the way: how the lines read now, and how they would have to read."""
    for path, found in conflicts.items():
        for conflict in found:
            app.say(f"{path}, near line {conflict.line}:")
            for mark, lines in (("now   ", conflict.ours), ("before", conflict.theirs)):
                for line in lines or (b"(nothing)",):
                    app.say(f"  {mark} | {line.decode('utf-8', 'replace').rstrip()}")
