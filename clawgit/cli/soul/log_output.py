"""The changes of the soul as `clawgit soul log` lists them: what nobody has seen, and how sure each approval is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.change_output import logged_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clawgit.cli.app import App
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange

_PROPOSAL = "Clawgit-Proposal"
_UNATTENDED = "unattended"


def approvals(app: App, history: History, changes: Iterable[LoggedChange]) -> dict[str, str]:
    """Return commit → level for the changes that are the operator's approvals."""
    named = [change.commit_id for change in changes if change.trailers.first(_PROPOSAL) is not None]
    if not named:
        return {}
    from clawgit.history.authorship.approval_level import approval_level

    found = {name: approval_level(history, name, app.trust_file.parent) for name in named}
    return {name: str(level.value) for name, level in found.items() if level is not None}


def _approval_mark(level: str) -> str:
    """Return what a line says of an approval: whose it was is said only where that is sure."""
    if not level:
        return ""
    return " [approved, unattended]" if level == _UNATTENDED else f" [approved by the operator: {level}]"


def log_data(change: LoggedChange, unseen: frozenset[str], levels: Mapping[str, str]) -> dict[str, Any]:
    """Return one change as JSON has it."""
    marks = {"unreviewed": change.commit_id in unseen, "approval": levels.get(change.commit_id)}
    return logged_data(change) | marks


def log_lines(changes: list[LoggedChange], unseen: frozenset[str], levels: Mapping[str, str]) -> list[str]:
    """Return the changes for a person."""
    lines = []
    for change in changes:
        outside = "" if change.op else " (outside clawgit)"
        marked = f" [snapshot {change.snapshot}]" if change.snapshot is not None else ""
        marked += " [unreviewed]" if change.commit_id in unseen else ""
        marked += _approval_mark(levels.get(change.commit_id, ""))
        lines.append(
            f"{change.commit_id[:12]}  {change.at[:16]}  {change.signed}{outside}: {change.summary}{marked}"
        )
        lines += [f"{'':14}why: {change.reason}"] if change.reason else []
        lines += [f"{'':14}evidence: {item}" for item in change.evidence]
    return lines
