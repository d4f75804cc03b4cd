"""Rules over two states of the workspace; the commit path, the hooks and reconcile ask the same ones.

A guard reads what was and what would be, and returns findings. It changes nothing and stores nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.guards.control import find_control_characters
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.markers import find_conflict_markers
from clawgit.history.guards.sizes import find_oversize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.guards.finding import After, Before
    from clawgit.history.intent import Intent
    from clawgit.workspace.settings import Settings

__all__ = ["Finding", "GuardError", "check", "refuse"]

GUARDS = (find_conflict_markers, find_control_characters, find_oversize)
# A file with one of these stays uncommitted when edits are kept; the others only get a remark.
HOLDING = frozenset({"conflict-marker", "file-size", "unsafe-path", "soul-policy"})


class GuardError(ClawgitError):
    """A guard found something that must not be committed; nothing was written."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        first = findings[0]
        more = f" ({len(findings) - 1} more)" if len(findings) > 1 else ""
        super().__init__(f"{first.sentence}{more}", hint=first.way_out)
        self.findings = findings


def check(base: Before, new: After, intent: Intent, settings: Settings) -> tuple[Finding, ...]:
    """Return everything that speaks against going from ``base`` to ``new``."""
    return tuple(finding for guard in GUARDS for finding in guard(base, new, intent, settings))


def refuse(findings: Iterable[Finding]) -> None:
    """Raise unless there are no findings.

    Raises:
        GuardError: With the findings.
    """
    against = tuple(findings)
    if against:
        raise GuardError(against)
