"""Conservation: text leaves a file only for another place, or with a word about why.

`lost_text`, which compares the lines, is loaded where a file of memory loses some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.memory.entries.tiers import (
    RITUAL,
    WRITTEN_BY_OTHERS,
    is_correction_file,
    is_identity,
    is_standing,
    tier_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.finding import Finding
    from clawgit.history.guards.step import Step


def find_losses(step: Step) -> Iterator[Finding]:
    """Find files of which more than a quarter would be nowhere any more, without a word about why."""
    declared = {path for path, why in _declared(step) if why.strip()}
    paths = [
        path
        for path in step.shortened
        if path.endswith(".md") and path not in declared and _is_kept(step, path)
    ]
    if paths:
        from clawgit.history.guards.lost_text import find_lost_text

        yield from find_lost_text(step, paths)


def _declared(step: Step) -> Iterator[tuple[str, str]]:
    """Yield the files whose text may go by what the intent or the plan says, each with the reason."""
    yield from (step.intent.losses or {}).items()
    for key, said in step.plan.trailers if step.plan is not None else ():
        if key == "Clawgit-Loss":
            path, _, why = said.partition(": ")
            yield path, why


def _is_kept(step: Step, path: str) -> bool:
    """Say whether the file is one of memories, or, for the operator, of the soul: `soul_policy` is the others' guard there."""
    if is_identity(path) or is_standing(path):
        return step.intent.actor == OPERATOR and path != RITUAL
    # Corrections have a guard of their own, and what is rendered from elsewhere loses nothing.
    is_exempt = is_correction_file(path) or path.startswith(WRITTEN_BY_OTHERS)
    return tier_of(path) is not None and not is_exempt
