"""What is pending for the operator's decision, as `clawgit status` lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.operations.status import StatusReport


def decision_lines(report: StatusReport) -> list[str]:
    """Return a line for each proposal and setting, and one for what is unreviewed and what is in quarantine."""
    status = report.status
    lines = [
        f"? {item.proposal_id}: an edit of {', '.join(item.paths)} by the {item.actor} needs your approval"
        f" (`clawgit soul pending {item.proposal_id}`)"
        for item in status.proposals
    ]
    lines += [
        f"? CONFIG.md: the new value of {key} needs your trust (`clawgit trust {key}`)"
        for key in sorted(report.in_force.waiting if report.in_force else ())
    ]
    if status.unreviewed:
        count = len(status.unreviewed)
        lines.append(f"? {count} change(s) of the soul that you have not seen (`clawgit soul pending`).")
    lines += [
        "? The author of the files that you adopted is unknown. If you wrote or checked them:"
        f" `clawgit keep --as operator {commit_id[:12]}`."
        for commit_id in status.unclaimed
    ]
    if status.quarantined:
        lines.append(
            f"? {status.quarantined} refused change(s) are in quarantine (`clawgit quarantine list`)."
        )
    return lines
