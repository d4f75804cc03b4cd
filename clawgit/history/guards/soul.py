"""The soul and the standing files: how they may change without the operator, as `soul_policy` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.finding import Finding
from clawgit.memory.entries.tiers import RITUAL, is_identity, is_standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.finding import Step

POLICY, LOCKED, BUDGET, PROMPT = "soul-policy", "soul-locked", "soul-budget", "agent-prompt"
REWRITE = "soul-rewrite"
EXTERNAL = "external"
FORM = "IDENTITY.md"  # never SOUL.md; the standing files are the host's anyway


def find_soul_changes(step: Step) -> Iterator[Finding]:
    """Find edits of the soul and the standing files that this actor may not make by itself."""
    if step.intent.soul_is_open:
        return
    for path in step.paths:
        ends_first_talk = path == RITUAL and step.new.entry(path) is None
        if (is_identity(path) or is_standing(path)) and not ends_first_talk:
            yield from _objections(step, path)


def _objections(step: Step, path: str) -> Iterator[Finding]:
    from clawgit.identity.soul_policy import SoulEdit, SoulPolicy, SoulView, Why, objection

    intent = step.intent
    is_form = intent.form_is_open and path == FORM
    old = step.base.read(path)
    new = step.new.read(path)
    edit = SoulEdit(intent.actor, intent.trust, old, new, is_standing(path), is_form)
    policy = step.settings.soul_policy
    found = objection(edit, SoulView(SoulPolicy(policy), intent.corrected))
    if found is None:
        return
    if found.why is Why.LOCKED:
        way_out = "Only the operator opens it, with --reason."
        yield Finding(LOCKED, path, f"{path} is locked by soul_policy.", way_out)
    elif found.why is Why.REWRITES:
        sentence = f"This edit rewrites a large part of {path}; an agent changes one principle at a time."
        yield Finding(REWRITE, path, sentence, "The operator may make it.")
    elif found.why is Why.CORRECTED:
        sentence = f"This edit touches {found.principle!r} in {path}, which came from a correction that no newer one contradicts."
        yield Finding(REWRITE, path, sentence, "The operator may make it.")
    else:
        sentence = f"This edit of {path} is more than soul_policy ({policy}) lets the {intent.actor} make."
        way_out = "The operator may make it: `clawgit keep --as operator`, or a `git commit` of their own."
        yield Finding(POLICY, path, sentence, way_out)


def find_grown_soul(step: Step) -> Iterator[Finding]:
    """Find SOUL.md or IDENTITY.md growing over `soul_max_tokens`."""
    paths = [] if step.intent.soul_is_open else list(filter(is_identity, step.paths))
    if not paths:
        return
    from clawgit.identity.soul_policy import OUTSIDERS, SMALL_TOKENS, over_budget

    limit = step.settings.soul_max_tokens
    for path in paths:
        old = step.base.read(path)
        new = step.new.read(path)
        tokens = over_budget(old, new, limit)
        if not tokens:
            continue
        grows_little = over_budget(old, new, 0) - SMALL_TOKENS <= over_budget(None, old, 0)
        is_workers_step = grows_little and step.intent.actor not in (OPERATOR, *OUTSIDERS)
        yield Finding(
            POLICY if is_workers_step else BUDGET,  # without room for a little, the operator decides
            path,
            f"{path} would have about {tokens:,} tokens; soul_max_tokens is {limit:,}.",
            "Shorten it, or raise soul_max_tokens in CONFIG.md.",
            done=f"{path} has about {tokens:,} tokens now; soul_max_tokens is {limit:,}.",
        )


def find_prompt_changes(step: Step) -> Iterator[Finding]:
    """Find edits of the prompts of clawgit's own agents: they are instructions, so only the operator gives them."""
    for path in step.paths:
        if step.intent.actor != OPERATOR and path.startswith("agents/") and path.endswith("/SOUL.md"):
            sentence = f"{path} instructs one of clawgit's agents, and this edit is not the operator's."
            way_out = f"`clawgit keep --as operator` if it is yours, `git restore {path}` to drop it."
            yield Finding(PROMPT, path, sentence, way_out)
