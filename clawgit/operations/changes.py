"""What there is to say of a change beside its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.review.keep import Kept
    from clawgit.operations.caller import Caller

NAMED = 5  # paths in a sentence


def say_kept(caller: Caller, kept: Kept) -> None:
    """Tell what happened beside what was asked for."""
    for sentence in kept.recovered:
        caller.say(sentence)
    if kept.paths:
        named = ", ".join(kept.paths[:NAMED])
        count = len(kept.paths)
        caller.say(
            f"Committed first: {named}."
            if count <= NAMED
            else f"Committed first: {count:,} files ({named}, …)."
        )
    for finding in (*kept.held, *kept.remarks):
        caller.say(f"{finding.sentence} {finding.way_out}")


def say_change(caller: Caller, done: Recorded, said: str) -> None:
    """Tell what became of a change; ``said`` where it was made."""
    say_kept(caller, done.kept)
    other = {
        "nothing": "It already says that.",
        "repeated": f"The op {done.op} was applied before.",
        "proposed": f"It needs the operator's approval: proposal {done.proposal}.",
    }
    caller.say(other.get(done.outcome, said))
