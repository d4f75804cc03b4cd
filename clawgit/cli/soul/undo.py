"""`clawgit undo`, `clawgit soul revert` and `clawgit forget`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, change_data, command, commit_lines, in_words, picked, text_argument
from clawgit.cli.diff_output import diff_lines, diffs_data
from clawgit.errors import ExitCode
from clawgit.memory.entries.tiers import is_correction_file
from clawgit.operations import undo
from clawgit.text.safety.control_characters import first_few
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from clawgit.history.undo.forgetting import StatementLine

SHOWN_LINES = 20
SHOWN_FILES = 20
MOST_SHOWN = 10


@command("undo")
@click.argument("what", required=False, metavar="ENTRY|WORDS|PATH:LINE|COMMIT|RUN")
@click.argument("path", required=False, metavar="[PATH]")
@click.option(
    "--source",
    metavar="X",
    help="All that actor X changed, or that rests on X: a message, a page, a sender, a channel, an imported file.",
)
@click.option(
    "--since",
    metavar="DATE",
    help="All that clawgit's jobs changed since then, or since that day began: `--since today` is last night. What they kept at once of your messages stays.",
)
@click.option(
    "--actor",
    metavar="A",
    help="With --since, whose changes instead: you (your messages too; also operator), agent (also host), unknown, jobs, or one of them by its name.",
)
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
@click.option("--yes", "--last", is_flag=True, hidden=True, expose_value=False)  # needs neither
def undo_command(app: App, /, **request_options: Any) -> None:
    """Take back an entry, a commit, a run or a source.

    Or all that the jobs, or one actor, did since a date. Later changes stay.

    A source is an actor, a message (chat:ID), a page, or what messages came from: a sender, channel, conversation, session or
    imported file, with that word before it where a name could mean several.

    Entries derived from it are removed too. A correction (x:...) is not removed but withdrawn: it stays in the archive.
    What you asked in chat to forget comes back with the message that asked it (chat:ID), for a day.
    With PATH, only that file. Everything is one new commit, so undoing can be undone.

    \b
    Examples:
      clawgit undo m:7k2x9d --dry-run
      clawgit undo "the rent is due on the 1st" --dry-run
      clawgit undo 1a2b3c4d --reason "It misread the mail."
      clawgit undo 1a2b3c4d notes/flat.md
      clawgit undo x:4f1c --reason "I was wrong about that."
      clawgit undo --source web:example.org
      clawgit undo --source conversation:telegram/family
      clawgit undo --source file:export.jsonl
      clawgit undo --since today --dry-run
      clawgit undo --since yesterday --actor soul-keeper
    """
    _report(app, undo.undo_changes(app, undo.UndoRequest(**request_options)))


@command("revert")
@click.argument("revision", metavar="REV")
@click.option("--reason", callback=in_words, help="One sentence; it goes into the history. Required.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
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
    _report(app, undo.revert_change(app, revision, reason, dry_run))


def undone_data(done: undo.Undone) -> dict[str, Any]:
    data: dict[str, Any] = {"diff": diffs_data(done.diffs)}
    if done.recorded is not None:
        data = change_data(done.recorded)
    if done.undoing is None:
        return data
    taken = done.undoing.taken
    return {
        "name": redact(done.undoing.taking.name),
        "commits": [commit.commit_id for commit in done.undoing.taking.commits],
        "along": [commit.commit_id for commit in done.undoing.along],
        "files": sorted(taken.contents),
        "conflicts": sorted(taken.conflicts),
        "withdrawn": [correction.correction_id for correction in taken.withdrawn],
        "restored": [correction.correction_id for correction in taken.restored],
        **picked(taken, "refusals notes"),
        **data,
    }


def _report(app: App, done: undo.Undone) -> None:
    if app.as_json or done.recorded is not None or done.undoing is None:
        lines = commit_lines(done.recorded and done.recorded.commit_id)
        app.report(undone_data(done), lambda: lines)
        return
    count = len(done.undoing.taken.contents)
    for number, diff in enumerate(done.diffs):
        if number == SHOWN_FILES:
            click.echo(f"... and {count - number} more files; --json shows all of them")
            break
        if is_correction_file(diff.path):
            click.echo(f"{diff.path}\n  changes with it; --json shows how")
            continue
        rest = "  ... and {} more lines; --json shows all of them"
        for line in first_few(list(diff_lines(diff)), SHOWN_LINES, rest):
            click.echo(line)


@command("forget")
@text_argument("what", metavar="WORDS|ENTRY|PATH:LINE|COMMIT")
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where no terminal is.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go; change nothing.")
def forget_command(app: App, what: str, reason: str, yes: bool, dry_run: bool) -> None:
    """Remove a line of memory, after a question.

    Finds the line by some of its words, its id or its place, shows it, and removes it in one commit. What was derived from
    it goes too, and is shown before.

    Where several lines fit, or one is only like your words, it lists them and asks nothing. What else may say the
    same is listed with its command, and stays. The history and the messages keep what was removed.

    \b
    Examples:
      clawgit forget "the rent is due on the 1st"
      clawgit forget m:7k2x9d --reason "We moved out."
      clawgit forget notes/flat.md:12 --yes
    """
    if dry_run:
        _report(app, undo.show_forgetting(app, what))
        return
    done = undo.forget_line(app, what, reason, may_forget=None if yes else lambda: app.asks("Forget it?"))
    if done.recorded is None:  # that none was removed is the exit status, too
        app.exit_code = ExitCode.REFUSED
        ways = [f"{each.command}   {each.statement.words}" for each in done.lines]
        lines = first_few(ways, MOST_SHOWN, "and {} more; --json shows all of them")
    else:
        lines = commit_lines(done.recorded.commit_id)
    app.report(forgotten_data(done), lambda: lines)
    if done.recorded is None or not done.lines or not done.recorded.commit_id:
        return
    app.say(f"`clawgit undo {done.recorded.commit_id[:12]}` brings it back.")
    if done.same:
        app.say("These lines say the same, or may say so in other words, and stay:")
    same = [f"  {each.place}  {each.statement.words}   (`{each.command}`)" for each in done.same]
    app.say_each(first_few(same, MOST_SHOWN, "  and {} more; --json shows all of them"))
    app.say(
        "Git's history, backups and messages keep the words, and CORRECTIONS.md and Archive/Corrections/ where they name them."
        " LIMITS.md says how to remove them there by hand."
    )


def forgotten_data(done: undo.ForgetOutcome) -> dict[str, Any]:
    if done.recorded is None:
        return {"outcome": "unclear", "lines": list(map(_line_data, done.lines))}
    if not done.lines:
        return change_data(done.recorded)
    same = list(map(_line_data, done.same))
    return {**_line_data(done.lines[0]), "same": same, **change_data(done.recorded)}


def _line_data(line: StatementLine) -> dict[str, Any]:
    return {"text": line.statement.words, "place": line.place, "id": line.mark or None}
