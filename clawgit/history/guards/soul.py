"""The soul and the standing files: how they may change without the operator, as `soul_policy` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN
from clawgit.history.guards.finding import Finding
from clawgit.identity.soul_policy import SoulPolicy, is_addition, is_small_addition, over_budget
from clawgit.memory.entries.tiers import RITUAL, is_identity, is_standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

POLICY, LOCKED, BUDGET, PROMPT = "soul-policy", "soul-locked", "soul-budget", "agent-prompt"
EXTERNAL = "external"


def find_soul_changes(step: Step) -> Iterator[Finding]:
    """Find edits of the soul and the standing files that this actor may not make by itself."""
    policy = SoulPolicy(step.settings.soul_policy)
    if step.intent.soul_is_open:
        return
    for path in step.paths:
        if not (is_identity(path) or is_standing(path)) or _ends_first_talk(step, path):
            continue
        if policy is SoulPolicy.LOCKED:
            yield Finding(
                LOCKED,
                path,
                f"{path} is locked by soul_policy.",
                "Only the operator opens it, with --reason.",
            )
        elif step.intent.actor != OPERATOR and (policy is SoulPolicy.REVIEW or not _may_stay(step, path)):
            yield Finding(
                POLICY,
                path,
                f"This edit of {path} is more than soul_policy ({policy.value}) lets the {step.intent.actor} make.",
                "The operator may make it: `clawgit keep --as operator`, or a `git commit` of their own.",
            )


def _ends_first_talk(step: Step, path: str) -> bool:
    return path == RITUAL and step.new.entry(path) is None


def _may_stay(step: Step, path: str) -> bool:
    """Say whether the edit is one that *evolve* lets through.

    A worker's: a small addition that rests on the operator's words. A host's or an unknown one's: any addition
    but one that rests on the outside world; a host keeps up the standing files in any way.
    """
    old, new, intent = step.base.read(path), step.new.read(path), step.intent
    if intent.actor == HOST and is_standing(path):
        return intent.trust != EXTERNAL
    if new is None:
        return False
    if intent.actor in (HOST, UNKNOWN):
        is_new_file = old is None and intent.actor == HOST
        return intent.trust != EXTERNAL and (is_new_file or is_addition(old or b"", new))
    return intent.trust == OPERATOR and is_small_addition(old or b"", new)


def find_grown_soul(step: Step) -> Iterator[Finding]:
    """Find SOUL.md or IDENTITY.md growing over `soul_max_tokens`."""
    limit = step.settings.soul_max_tokens
    for path in filter(is_identity, step.paths):
        tokens = over_budget(step.base.read(path), step.new.read(path), limit)
        if tokens and not step.intent.soul_is_open:
            yield Finding(
                POLICY if _is_workers_step(step, path) else BUDGET,
                path,
                f"{path} would have about {tokens:,} tokens; soul_max_tokens is {limit:,}.",
                "Shorten it, or raise soul_max_tokens in CONFIG.md.",
                done=f"{path} has about {tokens:,} tokens now; soul_max_tokens is {limit:,}.",
            )


def _is_workers_step(step: Step, path: str) -> bool:
    """Say whether a worker adds a little on the operator's word: where there is no room for it, he decides."""
    return step.intent.actor not in (OPERATOR, HOST, UNKNOWN) and _may_stay(step, path)


def find_prompt_changes(step: Step) -> Iterator[Finding]:
    """Find edits of the prompts of clawgit's own agents: they are instructions, so only the operator gives them."""
    for path in step.paths:
        if step.intent.actor != OPERATOR and path.startswith("agents/") and path.endswith("/SOUL.md"):
            yield Finding(
                PROMPT,
                path,
                f"{path} instructs one of clawgit's agents, and this edit is not the operator's.",
                f"`clawgit keep --as operator` if it is yours, `git restore {path}` to drop it.",
            )
