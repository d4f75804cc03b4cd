"""Authority: approving, overriding, claiming and trusting are the operator's, whatever a change says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import HOST, OPERATOR, RUNNER, UNKNOWN
from clawgit.history.guards.finding import Finding
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.memory.entries.tiers import holds_entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

RULE = "authority"
_WAY_OUT = "Leave it to the operator, in a terminal of their own."
OPERATORS = ("Clawgit-Override", "Clawgit-Claims", "Clawgit-Connected", "Clawgit-Disconnected")
WRITERS = ("Clawgit-Op", "Clawgit-Actor", "Clawgit-Trust", "Clawgit-Run", "Clawgit-Slot")


def find_false_authority(step: Step) -> Iterator[Finding]:
    """Find a change that takes for itself what only the operator can give."""
    actor, plan = step.intent.actor, step.plan
    if actor == OPERATOR:
        return
    keys = {key for key, _ in plan.trailers} if plan is not None else set()
    taken = sorted(keys & {*OPERATORS, *WRITERS})
    if step.intent.override or taken:
        what = taken[0] if taken else OPERATORS[0]
        yield Finding(RULE, "", f"The {actor} cannot give its change a {what}.", _WAY_OUT)
    elsewhere = [path for path in step.paths if _is_elsewhere(path)] if actor == HOST else []
    if step.intent.trust == OPERATOR and elsewhere:
        sentence = f"A message carries a {actor}'s change of memory, not of {elsewhere[0]}."
        yield Finding(RULE, elsewhere[0], sentence, _WAY_OUT)
    if step.intent.trust == OPERATOR and _rests_on_nothing(step):
        yield Finding(
            RULE, "", f"The {actor}'s change rests on no words of the operator's that it names.", _WAY_OUT
        )


def _is_elsewhere(path: str) -> bool:
    return not (holds_entries(path) or path.startswith("memory/") or is_correction_file(path))


def _rests_on_nothing(step: Step) -> bool:
    """Say whether operator's trust is claimed by somebody who has none, or without evidence."""
    actor = step.intent.actor
    if actor in (UNKNOWN, RUNNER) or (actor == HOST and not step.intent.by_message):
        return True
    return step.plan is not None and bool(step.paths) and not step.plan.evidence
