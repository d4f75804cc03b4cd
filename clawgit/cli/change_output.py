"""Changes, and edits that were kept, held back or recovered, as other programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    return {
        "commit": change.commit_id,
        "op": change.op,
        "at": change.at,
        "actor": change.actor,
        "summary": change.summary,
        "reason": change.reason,
        "evidence": list(change.evidence),
        "snapshot": change.snapshot is not None,
    }


def commit_lines(done: Recorded) -> list[str]:
    """Return the commit of a change, nothing where none was made."""
    return [done.commit_id] if done.commit_id else []


def change_data(done: Recorded) -> dict[str, Any]:
    """Return what became of a change as other programs read it."""
    return {"outcome": done.outcome, "op": done.op, "commit": done.commit_id}


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding as other programs read it."""
    return {
        "rule": finding.rule,
        "path": finding.path,
        "line": finding.line,
        "sentence": finding.sentence,
        "way_out": finding.way_out,
        "severity": finding.severity.value,
    }


def kept_data(kept: Kept) -> dict[str, Any]:
    """Return what was kept as other programs read it."""
    return {
        "commits": list(kept.commits),
        "paths": list(kept.paths),
        "held": [finding_data(finding) for finding in kept.held],
        "remarks": [finding_data(finding) for finding in kept.remarks],
        "proposals": list(kept.proposals),
        "recovered": list(kept.recovered),
    }


def kept_lines(kept: Kept) -> list[str]:
    """Return the commits of what was kept."""
    return list(kept.commits)
