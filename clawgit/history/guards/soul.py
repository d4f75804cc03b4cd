"""The soul and the standing files: how they may change without the operator, as `soul_policy` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.finding import Finding
from clawgit.identity.soul_policy import (
    OUTSIDERS,
    SMALL_TOKENS,
    Objection,
    SoulEdit,
    SoulPolicy,
    SoulView,
    Why,
    objection,
    over_budget,
)
from clawgit.memory.entries.tiers import RITUAL, is_identity, is_standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

POLICY, LOCKED, BUDGET, PROMPT = "soul-policy", "soul-locked", "soul-budget", "agent-prompt"
REWRITE = "soul-rewrite"
EXTERNAL = "external"


def find_soul_changes(step: Step) -> Iterator[Finding]:
    """Find edits of the soul and the standing files that this actor may not make by itself."""
    if step.intent.soul_is_open:
        return
    for path in step.paths:
        if not (is_identity(path) or is_standing(path)) or _ends_first_talk(step, path):
            continue
        found = _objection(step, path)
        if found is not None:
            yield _finding(step, path, found)


def _objection(step: Step, path: str) -> Objection | None:
    intent = step.intent
    edit = SoulEdit(intent.actor, intent.trust, step.base.read(path), step.new.read(path), is_standing(path))
    return objection(edit, SoulView(SoulPolicy(step.settings.soul_policy), intent.corrected))


def _finding(step: Step, path: str, found: Objection) -> Finding:
    if found.why is Why.LOCKED:
        return Finding(
            LOCKED, path, f"{path} is locked by soul_policy.", "Only the operator opens it, with --reason."
        )
    if found.why is Why.REWRITES:
        said = f"This edit rewrites a large part of {path}; an agent changes one principle at a time."
        return Finding(REWRITE, path, said, "The operator may make it.")
    if found.why is Why.CORRECTED:
        said = f"This edit touches {found.principle!r} in {path}, which came from a correction that no newer one contradicts."
        return Finding(REWRITE, path, said, "The operator may make it.")
    policy = step.settings.soul_policy
    return Finding(
        POLICY,
        path,
        f"This edit of {path} is more than soul_policy ({policy}) lets the {step.intent.actor} make.",
        "The operator may make it: `clawgit keep --as operator`, or a `git commit` of their own.",
    )


def _ends_first_talk(step: Step, path: str) -> bool:
    return path == RITUAL and step.new.entry(path) is None


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
    """Say whether a worker adds a little: where there is no room for it, the operator decides."""
    grows_little = over_budget(step.base.read(path), step.new.read(path), 0) - SMALL_TOKENS <= _size(
        step, path
    )
    return step.intent.actor not in (OPERATOR, *OUTSIDERS) and grows_little


def _size(step: Step, path: str) -> int:
    """Return the tokens of a file before the step."""
    return over_budget(None, step.base.read(path), 0)


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
