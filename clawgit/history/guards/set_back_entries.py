"""Corrected entries that somebody other than the operator rewords: allowed, and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding, told
from clawgit.history.guards.severity import Severity, severity_of
from clawgit.memory.corrections.corrected_entries import entries_set_back
from clawgit.memory.corrections.correction_log import LEDGER, read_corrections
from clawgit.memory.entries.tiers import holds_entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

SET_BACK = "set-back"


def find_set_back_entries(step: Step) -> Iterator[Finding]:
    """Find entries that say what their correction says, and would not any more."""
    if severity_of(SET_BACK, step.intent.actor) is Severity.PASS:
        return
    corrections = read_corrections(step.base.read(LEDGER) or b"", LEDGER)
    for path in filter(holds_entries, step.known if corrections else ()):
        old, new = step.base.read(path) or b"", step.new.read(path) or b""
        for entry_id, correction in entries_set_back(old, new, corrections):
            name, said = (
                f"The entry m:{entry_id} of {told(path)}",
                f"what x:{correction.correction_id} set right",
            )
            yield Finding(
                SET_BACK,
                path,
                f"{name} would not say any more {said}.",
                "Leave its words as the correction has them.",
                done=f"{name} does not say any more {said}.",
                way_back="A search brings the correction first; `clawgit undo` of this change brings the words back.",
            )
