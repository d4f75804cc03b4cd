"""Changes of the soul and of identity, as data and in words: what nobody has seen, and how sure each approval is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked
from clawgit.cli.change_output import logged_data

if TYPE_CHECKING:
    from clawgit.history.reading.foreign_changes import FileChange
    from clawgit.history.views.change_logs import ViewEntry
    from clawgit.operations.soul import Changelog, FileState, SoulLog

_UNATTENDED = "unattended"


def _approval_mark(level: str) -> str:
    """Return what a line says of an approval: whose it was is said only where that is sure."""
    if not level:
        return ""
    return " [approved, unattended]" if level == _UNATTENDED else f" [approved by the operator: {level}]"


def log_data(log: SoulLog) -> list[dict[str, Any]]:
    """Return the changes as other programs read them."""
    return [
        logged_data(change)
        | {"unreviewed": change.commit_id in log.unseen, "approval": log.levels.get(change.commit_id)}
        for change in log.changes
    ]


def log_lines(log: SoulLog) -> list[str]:
    """Return the changes for a person."""
    lines = []
    for change in log.changes:
        outside = "" if change.op else " (outside clawgit)"
        marked = f" [snapshot {change.snapshot}]" if change.snapshot is not None else ""
        marked += " [unreviewed]" if change.commit_id in log.unseen else ""
        marked += _approval_mark(log.levels.get(change.commit_id, ""))
        lines.append(
            f"{change.commit_id[:12]}  {change.at[:16]}  {change.signed}{outside}: {change.summary}{marked}"
        )
        lines += [f"{'':14}why: {change.reason}"] if change.reason else []
        lines += [f"{'':14}evidence: {item}" for item in change.evidence]
    return lines or [log.none]


def state_data(state: FileState) -> dict[str, Any]:
    """Return a file at a commit as other programs read it."""
    return {"commit": state.commit_id, "path": state.path, "text": state.data.decode("utf-8", "replace")}


def proposal_data(proposal_id: str) -> dict[str, Any]:
    """Return what became of a proposed line, as other programs read it."""
    return {"outcome": "proposed", "proposal": proposal_id}


def proposal_lines(proposal_id: str) -> list[str]:
    """Return the id of a proposed line."""
    return [proposal_id]


def changelog_data(changelog: Changelog) -> list[dict[str, Any]]:
    """Return the changes as other programs read them."""
    return [_entry_data(entry) for entry in changelog.entries]


def changelog_lines(changelog: Changelog) -> list[str]:
    """Return the changes as CHANGELOG.md has them."""
    from clawgit.history.views.change_logs import render_changelog

    return render_changelog(changelog.entries, changelog.settings).decode().rstrip("\n").split("\n")


def _entry_data(entry: ViewEntry) -> dict[str, Any]:
    data = picked(entry, "op at actor summary reason evidence")
    return data | {
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
