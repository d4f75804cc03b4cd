"""`clawgit changelog`: how the agent changed, by whom and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command

if TYPE_CHECKING:
    from clawgit.history.reading.foreign_changes import FileChange
    from clawgit.history.views.change_logs import ViewEntry


@click.command("changelog", cls=Command)
@click.option("--since", metavar="DAY", help="Only changes from that day on.")
@click.pass_obj
def changelog_command(app: App, since: str | None) -> None:
    """Print each change of the agent's identity.

    Newest first, for SOUL.md and IDENTITY.md. Renews CHANGELOG.md and the other derived files.

    CHANGELOG.md, COMPACTION_LOG.md and SOUL_HISTORY/ come back as the history has them. An edit that somebody
    made in one of them is kept in quarantine first.

    \b
    Examples:
      clawgit changelog
      clawgit changelog --since 2026-03-01
      clawgit changelog --json
    """
    from clawgit.history.views.change_logs import read_changelog, render_changelog
    from clawgit.history.views.render_views import renew_views

    history = app.history()
    start = None if since is None else app.moment(since, history)
    for finding in renew_views(history, app.now(history)):
        app.say(f"{finding.sentence} {finding.way_out}")
    entries = [entry for entry in read_changelog(history) if start is None or entry.at >= start]
    app.report(
        [_entry_data(entry) for entry in entries],
        lambda: render_changelog(entries, history.settings).decode().rstrip("\n").split("\n"),
    )


def _entry_data(entry: ViewEntry) -> dict[str, Any]:
    return {
        "op": entry.op,
        "at": entry.at.isoformat(),
        "actor": entry.actor,
        "summary": entry.summary,
        "reason": entry.reason,
        "evidence": list(entry.evidence),
        "outside": entry.op is None,
        "left_out": entry.left_out,
        "changes": [_change_data(change) for change in entry.changes],
    }


def _change_data(change: FileChange) -> dict[str, Any]:
    return {
        "path": change.path,
        "added": len(change.came),
        "removed": len(change.left),
        "sections": list(change.sections),
    }
