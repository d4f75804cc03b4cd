"""How commands tell about changes, and about edits that were kept, held back or recovered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.guards.finding import Finding
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.review.keep import Kept

NAMED = 5  # paths in a sentence


def say_kept(app: App, kept: Kept) -> None:
    """Tell what happened beside what was asked for."""
    for sentence in kept.recovered:
        app.say(sentence)
    if kept.paths:
        named = ", ".join(kept.paths[:NAMED])
        count = len(kept.paths)
        app.say(
            f"Committed first: {named}."
            if count <= NAMED
            else f"Committed first: {count:,} files ({named}, …)."
        )
    for finding in (*kept.held, *kept.remarks):
        app.say(f"{finding.sentence} {finding.way_out}")


def say_change(app: App, done: Recorded, said: str) -> None:
    """Tell what became of a change; ``said`` where it was made."""
    say_kept(app, done.kept)
    other = {
        "nothing": "It already says that.",
        "repeated": f"The op {done.op} was applied before.",
        "proposed": f"It needs the operator's approval: proposal {done.proposal}.",
    }
    app.say(other.get(done.outcome, said))


def report_change(app: App, done: Recorded, said: str, **more: Any) -> None:
    """Tell what became of a change, and report it; ``more`` is what else other programs read."""
    say_change(app, done, said)
    app.report({**more, **change_data(done)}, lambda: [done.commit_id] if done.commit_id else [])


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
