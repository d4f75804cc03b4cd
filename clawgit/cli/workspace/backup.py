"""`clawgit backup`, and what `status` says about backups."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, command, picked
from clawgit.errors import ClawgitError
from clawgit.history.workspace_status import RecordsStatus, note_backup, reconcile_tips
from clawgit.operations.changes import uncommitted_lines
from clawgit.operations.paths import user_path
from clawgit.workspace.records.records import BackupNote

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.backup.backup_records import Restored
    from clawgit.history.git.repository import History


@command("backup")
@click.argument("file")
@click.option("--restore", is_flag=True, help="Bring the records back; what is there is kept aside.")
@click.option("--force", is_flag=True, help="Even if FILE is no backup of this workspace.")
def backup_command(app: App, file: str, restore: bool, force: bool) -> None:
    """Back up records to FILE, or restore them.

    Records are what clawgit keeps beside the history: messages, receipts, tips that were seen, and its own references
    (proposals, quarantine, rescued and past commits).
    It does not hold the files and their history, which are git's (clone or push them), nor trust.json in your settings folder.

    \b
    Examples:
      clawgit backup /mnt/usb/agent.backup
      clawgit backup --restore /mnt/usb/agent.backup
    """
    path = user_path(file)
    if restore:
        from clawgit.history.backup.backup_records import restore_backup

        app.only_operator("restore records")
        history = app.history()
        done = restore_backup(history, path, app.now(history), force=force)
        data = {"path": path, "made_at": done.made_at.isoformat(timespec="seconds")}
        data |= picked(done, "workspace restored=names stayed kept_in")
        data |= picked(done.references, "references=restored references_without_history=without_history")
        app.report(data, lambda: _restored_lines(history, path, done))
    else:
        _backup(app, path, force=force)


def _backup(app: App, path: Path, *, force: bool) -> None:
    from clawgit.cli.terminal import progress
    from clawgit.history.backup.backup_records import make_backup

    history = app.history()
    now = app.now(history)
    reconcile_tips(history, now)
    with progress("Backing up") as tell:
        made = make_backup(history, path, now, force=force, tell=tell)
    try:
        note_backup(history, BackupNote(made.made_at, str(made.path), made.size))
    except ClawgitError as error:
        app.say(f"The backup is good, but it could not be noted: {error}")
    names = ", ".join(part.name for part in made.parts)
    app.say(
        f"Backed up and checked: {names} ({made.size:,} bytes). The history is not in it: clone or push that."
    )
    from clawgit.history.review.working_tree_edits import read_open_edits

    with suppress(ClawgitError):  # the backup is good, even if this fails
        app.say_each(uncommitted_lines(read_open_edits(history, history.tip(), now)))
    data = {"path": made.path, "made_at": made.made_at.isoformat(timespec="seconds"), "bytes": made.size}
    data["parts"] = [picked(part, "name bytes=size sha256") for part in made.parts]
    app.report(data, lambda: [str(made.path)])


def _restored_lines(history: History, path: Path, done: Restored) -> list[str]:
    names = ", ".join(done.names) or "no record"
    lines = [f"Restored as of {done.made_at:%Y-%m-%d %H:%M %Z}, from {path}: {names}."]
    if done.workspace != str(history.root):
        lines.append(f"That backup was made of {done.workspace}.")
    if done.references.restored:
        lines.append(
            f"Back with their commits: {len(done.references.restored)} of clawgit's own references"
            " (proposals, quarantine, rescued and past commits)."
        )
    if done.references.without_history:
        lines.append(
            f"! {len(done.references.without_history)} of clawgit's own references (proposals, quarantine, rescued and"
            " past commits) did not come back: the history that they build on is not here. Fetch all branches of the"
            " old workspace, then restore again."
        )
    if done.stayed:
        lines.append(f"Not in it, so left as it is: {', '.join(done.stayed)}.")
    if done.kept_in is not None:
        lines.append(f"What was there before is kept in {done.kept_in}.")
    return lines


def backup_data(records: RecordsStatus) -> dict[str, Any]:
    made = records.backup
    about = made and {
        "made_at": made.made_at.isoformat(timespec="seconds"),
        "age_seconds": int((records.at - made.made_at).total_seconds()),
        "path": made.path,
    }
    return {"backup": about, "records_problem": records.problem}


def backup_lines(records: RecordsStatus) -> list[str]:
    """Return the lines of `status` on backups; none while the records are younger than a week."""
    if records.backup is not None:
        made_at = records.backup.made_at.astimezone(records.at.tzinfo)
        return [f"  last backup of the records: {made_at:%Y-%m-%d %H:%M} ({records.backup.path})"]
    if records.needs_backup:
        return ["  no backup of the records yet (`clawgit backup FILE`)"]
    return []
