"""What connecting and leaving have in common for all hosts: what is refused, and what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.clients.hosts import TITLES
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clawgit.cli.app import App
    from clawgit.clients.connect import FileChange
    from clawgit.workspace.user.connections import Connection


def refuse_other(root: Path, there: Connection | None) -> None:
    """Refuse a host that uses another workspace."""
    if there is not None and there.workspace != root:
        raise ClawgitError(
            f"{TITLES[there.host]} uses {there.workspace}.",
            hint=f"`clawgit disconnect {there.name}` ends that first.",
        )


def say_changes(app: App, changes: Sequence[FileChange], *, dry_run: bool) -> None:
    """Say which files change, and what is put into them."""
    word = {True: "Would change", False: "Changed"}[dry_run]
    for change in changes:
        if change.is_one:
            gone = "  (the file goes: nothing else is in it)" if change.new is None else ""
            made = "  (a new file)" if change.old is None else ""
            app.say(f"{word} {change.file}{made}{gone}")
            for line in change.lines:
                app.say(f"  {line}")
    if not any(change.is_one for change in changes):
        app.say("Every file is as it should be; nothing was changed.")


def report(app: App, host: str, changes: Sequence[FileChange], *, dry_run: bool) -> None:
    """Report which files changed."""
    data: dict[str, Any] = {
        "host": host,
        "files": [each.file for each in changes if each.is_one],
        "dry_run": dry_run,
    }
    app.report(data, list)
