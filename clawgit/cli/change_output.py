"""Changes, and edits that were kept, held back or recovered, as other programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.app import App, picked

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.guards.finding import Finding
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.review.keep import Kept


def report_change(app: App, done: Recorded, said: str, **more: Any) -> None:
    """Tell what became of a change, and report it; ``more`` is what else other programs read."""
    from clawgit.operations.changes import say_change

    say_change(app, done, said)
    app.report({**more, **change_data(done)}, lambda: commit_lines(done))


def logged_data(change: LoggedChange) -> dict[str, Any]:
    """Return a change of a log as other programs read it."""
    data = picked(change, "commit=commit_id op at actor summary reason evidence")
    return data | {"snapshot": change.snapshot is not None}


def commit_lines(done: Recorded) -> list[str]:
    """Return the commit of a change, nothing where none was made."""
    return [done.commit_id] if done.commit_id else []


def change_data(done: Recorded) -> dict[str, Any]:
    """Return what became of a change as other programs read it."""
    return picked(done, "outcome op commit=commit_id")


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding as other programs read it."""
    return picked(finding, "rule path line sentence way_out severity")


def kept_data(kept: Kept) -> dict[str, Any]:
    """Return what was kept as other programs read it."""
    held = [finding_data(finding) for finding in kept.held]
    remarks = [finding_data(finding) for finding in kept.remarks]
    return picked(kept, "commits paths") | {
        "held": held,
        "remarks": remarks,
        **picked(kept, "proposals recovered"),
    }


def kept_lines(kept: Kept) -> list[str]:
    """Return the commits of what was kept."""
    return list(kept.commits)
