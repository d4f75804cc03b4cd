"""`clawgit soul`: who the agent is, and how it came to be so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import logged_data, report_change
from clawgit.cli.lazy_group import LazyGroup
from clawgit.cli.path_arguments import user_path, workspace_path
from clawgit.cli.soul.log_output import approvals, log_data, log_lines
from clawgit.cli.soul.revert import in_words, say_otherwise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History
    from clawgit.history.states.revisions import Revision

SOUL = "SOUL.md"
COMMANDS = {  # with the first sentence of its help
    "log": ("soul.soul:log_command", "List the changes of the soul, newest first."),
    "show": ("soul.soul:show_command", "Print the soul at a commit or on a day."),
    "diff": ("soul.soul:diff_command", "Show how the soul changed from A to B."),
    "blame": ("soul.soul:blame_command", "Show which change each line comes from."),
    "drift": ("soul.drift:drift_command", "Show how far SOUL.md moved from a baseline."),
    "bisect": ("soul.bisect:bisect_command", "Find the change that made an answer differ."),
    "propose": ("soul.propose:propose_command", "Propose a line for SOUL.md."),
    "snapshot": ("soul.soul:snapshot_command", "Name the soul's present state."),
    "restore": ("soul.soul:restore_command", "Restore the soul to an earlier state."),
    "revert": ("soul.revert:revert_command", "Take back one change of the soul."),
    "export": ("soul.soul:export_command", "Write each version of SOUL.md into DIR."),
}


_reason = click.option(
    "--reason", required=True, callback=in_words, help="One sentence; it goes into the history."
)


@click.group("soul", cls=LazyGroup, table=COMMANDS)
def soul_group() -> None:
    """Review and restore the agent's identity."""


@click.command("log", cls=Command)
@click.option("--file", "paths", multiple=True, metavar="PATH", help="The files; SOUL.md and IDENTITY.md.")
@click.option("-n", "--limit", type=click.IntRange(1, 100_000), help="At most so many changes.")
@click.option("--since", metavar="DAY", help="Only changes from that day on.")
@click.option("--snapshots", is_flag=True, help="Only the snapshots, with their names.")
@click.pass_obj
def log_command(
    app: App, paths: tuple[str, ...], limit: int | None, since: str | None, snapshots: bool
) -> None:
    """List the changes of the soul, newest first.

    Says of each when it was made, by whom, and on what evidence.

    \b
    Examples:
      clawgit soul log -n 5
      clawgit soul log --since 2026-03-01 --json
      clawgit soul log --file MEMORY.md
      clawgit soul log --snapshots
    """
    from clawgit.context.soul_news import note_soul_seen
    from clawgit.history.reading.git_log import SOUL_FILES, read_log
    from clawgit.history.review.unreviewed import unreviewed_commits

    history = app.history()
    start = None if since is None else app.moment(since, history)
    files = _files(history, paths or SOUL_FILES)
    changes = read_log(history, files, limit=None if snapshots else limit, since=start)
    if snapshots:
        changes = [change for change in changes if change.snapshot is not None][:limit]
    none = f"No {'snapshot' if snapshots else 'change'} of {' or '.join(files)}{' since then' * (start is not None)}."
    unseen = frozenset(unreviewed_commits(history))
    levels = approvals(app, history, changes)
    data = [log_data(change, unseen, levels) for change in changes]
    app.report(data, lambda: log_lines(changes, unseen, levels) or [none])
    if app.actor == "operator" and not paths:
        note_soul_seen(history, app.now(history))


@click.command("show", cls=Command)
@click.argument("revision", metavar="REV|DATE", default="HEAD")
@click.option("--file", "path", metavar="PATH", default=SOUL, show_default=True, help="Which file.")
@click.pass_obj
def show_command(app: App, revision: str, path: str) -> None:
    """Print the soul at a commit or on a day.

    \b
    Examples:
      clawgit soul show 2026-02-28
      clawgit soul show HEAD~3 --file IDENTITY.md
    """
    from clawgit.history.states.revisions import find_revision, text_at

    history = app.history()
    (path,) = _files(history, (path,))
    found = find_revision(history, revision, app.now(history).tzinfo)
    data = text_at(history, found, path)
    say_otherwise(app, found, revision)
    _say_which(app, found, path)
    if app.as_json:
        text = data.decode("utf-8", "replace")
        app.report({"commit": found.commit.commit_id, "path": path, "text": text}, list)
    else:
        app.print_text(data)


@click.command("diff", cls=Command)
@click.argument("old", metavar="[A]", default="HEAD")
@click.argument("new", metavar="[B]", required=False)
@click.option("--file", "paths", multiple=True, metavar="PATH", help="The files; SOUL.md and IDENTITY.md.")
@click.option("--stat", "only_stat", is_flag=True, help="Only how much changed.")
@click.option("--word", "words", is_flag=True, help="Show reworded lines once, with their words marked.")
@click.pass_obj
def diff_command(app: App, /, old: str, new: str | None, **how: Any) -> None:
    """Show how the soul changed from A to B.

    Sorted by section. Without B, compare A with the files in the folder.

    A and B are commits, days or snapshots. A..B is the same as A B, and A.. ends at HEAD.

    \b
    Examples:
      clawgit soul diff
      clawgit soul diff 2026-03-12 --word
      clawgit soul diff HEAD~5 HEAD --stat
    """
    from clawgit.cli.diff_output import diff_data, diff_lines, stat_line
    from clawgit.history.reading.git_log import SOUL_FILES
    from clawgit.history.states.revisions import find_revision
    from clawgit.history.states.soul_diff import compare

    history = app.history()
    zone = app.now(history).tzinfo
    begin, dots, after = old.partition("..")
    if new is None and dots:
        old, new = begin or "HEAD", after or "HEAD"
    end = None if new is None else find_revision(history, new, zone)
    files = _files(history, how["paths"] or SOUL_FILES)
    diffs = list(compare(history, find_revision(history, old, zone), end, files))
    if app.as_json:
        app.report([diff_data(diff) for diff in diffs], list)
        return
    for diff in diffs:
        for line in [stat_line(diff)] if how["only_stat"] else diff_lines(diff, words=how["words"]):
            click.echo(line)
    if not diffs:
        app.say("Nothing changed.")


@click.command("snapshot", cls=Command)
@click.option("-m", "--message", required=True, help="The snapshot's name, and the summary of your edits.")
@click.pass_obj
def snapshot_command(app: App, message: str) -> None:
    """Name the soul's present state.

    Commits your edits of SOUL.md and IDENTITY.md first, if there are any.

    \b
    Example:
      clawgit soul snapshot -m "before the holidays"
    """
    from clawgit.history.states.snapshots import take_snapshot

    app.only_operator("take a snapshot")
    history = app.history()
    report_change(app, take_snapshot(history, message, app.intent(history)), f"Snapshot: {message}.")


@click.command("restore", cls=Command)
@click.argument("revision", metavar="REV|DATE|SNAPSHOT")
@_reason
@click.option("--file", "paths", multiple=True, metavar="PATH", help="The files; SOUL.md.")
@click.pass_obj
def restore_command(app: App, revision: str, reason: str, paths: tuple[str, ...]) -> None:
    """Restore the soul to an earlier state.

    The restored state is a new commit. Later commits stay in the history.

    \b
    Examples:
      clawgit soul restore 2026-02-28 --reason "It became too harsh."
      clawgit soul restore "before the holidays" --reason "A fresh start." --file SOUL.md --file IDENTITY.md
    """
    from clawgit.history.states.restore_soul import restore_soul
    from clawgit.history.states.revisions import find_revision

    app.only_operator("restore the soul")
    history = app.history()
    found = find_revision(history, revision, app.now(history).tzinfo)
    say_otherwise(app, found, revision)
    name, files = found.commit.commit_id[:12], _files(history, paths or (SOUL,))
    done = restore_soul(history, found.commit, files, reason, app.intent(history))
    report_change(app, done, f"{', '.join(files)} reads as in {name} again.")


@click.command("blame", cls=Command)
@click.argument("revision", metavar="REV|DATE", default="HEAD")
@click.option("--file", "path", metavar="PATH", default=SOUL, show_default=True, help="Which file.")
@click.pass_obj
def blame_command(app: App, revision: str, path: str) -> None:
    """Show which change each line comes from.

    Says of each change who made it, when, and on what evidence.

    Changes that only touched white space or entry ids are looked through.

    \b
    Examples:
      clawgit soul blame
      clawgit soul blame 2026-02-28 --file MEMORY.md --json
    """
    from clawgit.history.reading.blame import blame
    from clawgit.history.states.revisions import find_revision, text_at

    history = app.history()
    (path,) = _files(history, (path,))
    found = find_revision(history, revision, app.now(history).tzinfo)
    text_at(history, found, path)
    lines = blame(history, path, found.commit.commit_id)
    app.report(
        [{"line": line.number, "text": line.text, **logged_data(line.change)} for line in lines],
        lambda: [
            f"{line.change.commit_id[:8]} {line.change.at[:10]} {line.change.actor:<17} {line.number:>4}  {line.text}"
            for line in lines
        ],
    )


@click.command("export", cls=Command)
@click.argument("folder", metavar="DIR")
@click.option("--since", metavar="DAY", help="Only changes from that day on.")
@click.option("--until", metavar="DAY", help="Only changes up to the end of that day.")
@click.pass_obj
def export_command(app: App, folder: str, since: str | None, until: str | None) -> None:
    """Write each version of SOUL.md into DIR.

    Writes one file for each change and each snapshot.

    SOUL_HISTORY/ holds one copy a day and thins old ones; this leaves nothing out. Other files in DIR stay.

    \b
    Examples:
      clawgit soul export ~/souls
      clawgit soul export ~/souls --since 2026-03-01 --until 2026-03-31
    """
    from clawgit.history.states.soul_export import export_soul

    history = app.history()
    first, last = (None if day is None else app.moment(day, history).date() for day in (since, until))
    names = export_soul(history, user_path(folder), first, last)
    app.say(f"{len(names)} cop{'ies' if len(names) != 1 else 'y'} of SOUL.md in {folder}.")
    app.report({"folder": folder, "files": names}, lambda: names)


def _files(history: History, told: Iterable[str]) -> tuple[str, ...]:
    """Return the files that somebody names as their shell completes them."""
    return tuple(workspace_path(history.root, path) for path in told)


def _say_which(app: App, found: Revision, path: str) -> None:
    when = " (the last one of that day or before)" if found.by_date else ""
    app.say(f"{path} as of {found.commit.commit_id[:12]}{when}: {found.commit.subject}")
