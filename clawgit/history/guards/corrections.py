"""Corrections: one outweighs a hundred inferences, so none is lost, altered or made by anybody but the operator.

`disputed_corrections`, which reads ledgers and entries, is loaded where a step touches such files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding, Severity, severity_of, told
from clawgit.memory.entries.tiers import holds_entries, is_correction_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

ENTRY, SET_BACK = "corrected-entry", "set-back"
_MAKE_ONE = "`clawgit keep --as operator` if it is yours."
_WITHDRAW = (
    "The operator withdraws it with `clawgit undo x:{}`,"
    " or drops it with `clawgit keep --as operator --override correction --reason …`."
)


def find_lost_corrections(step: Step) -> Iterator[Finding]:
    """Find corrections that no file would hold any more, that would say something else, or that were made up."""
    if not any(map(is_correction_file, step.paths)):
        return
    from clawgit.history.guards.disputed_corrections import disputes

    for dispute in disputes(step):
        about = dispute.correction
        name = f"The correction x:{about.correction_id} of {told(about.path)}"
        if dispute.was is None:
            said, done, way_out = f"{name} does not rest on the operator's words.", "", _MAKE_ONE
        elif dispute.now is None:
            said, done, way_out = (
                f"{name} would be removed.",
                f"{name} was dropped.",
                _WITHDRAW.format(about.correction_id),
            )
        else:
            said, done = f"{name} would say something else.", f"{name} was made to say something else."
            way_out = "Only the operator changes what one says."
        yield Finding(dispute.rule, about.path, said, way_out, about.first + 1, done=done)


def find_lost_corrected_entries(step: Step) -> Iterator[Finding]:
    """Find entries that a correction is about and that no file would hold any more."""
    if not any(map(holds_entries, step.shortened)):
        return
    from clawgit.history.guards.disputed_corrections import lost_corrected_entries

    for lost in lost_corrected_entries(step):
        name = f"The entry m:{lost.mark} of {told(lost.path)}, which a correction is about,"
        yield Finding(
            ENTRY,
            lost.path,
            f"{name} would be removed.",
            "Leave it in its place; the correction overrides it.",
            None if lost.entry is None else lost.entry.first + 1,
            done=f"{name} is gone.",
            way_back="The correction stays in force; `clawgit undo` of this change brings the entry back.",
        )


def find_set_back_entries(step: Step) -> Iterator[Finding]:
    """Find entries that say what their correction says, and would not any more."""
    is_fine = severity_of(SET_BACK, step.intent.actor) is Severity.PASS
    if is_fine or not any(map(holds_entries, step.shortened)):
        return
    from clawgit.history.guards.disputed_corrections import set_back_entries

    for each in set_back_entries(step):
        name = f"The entry m:{each.entry_id} of {told(each.path)}"
        said = f"what x:{each.correction.correction_id} set right"
        yield Finding(
            SET_BACK,
            each.path,
            f"{name} would not say any more {said}.",
            "Leave its words as the correction has them.",
            done=f"{name} does not say any more {said}.",
            way_back="A search brings the correction first; `clawgit undo` of this change brings the words back.",
        )
