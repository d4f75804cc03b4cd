"""Guards of what is the operator's alone: approvals, trust, guarded settings, prompts, memory and soul by their policies."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import HOST, OPERATOR, RUNNER, UNKNOWN, in_third_person
from clawgit.history.guards.finding import THIS_COMMIT, Finding, GuardStep, decoded
from clawgit.memory.corrections.correction_log import Status, read_corrections
from clawgit.memory.entries import tiers
from clawgit.memory.trust import UNDERSTOOD
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import DEFAULTS, EXPLICIT, REVIEW, SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.authorship.intent import Intent

RULE = "authority"
_HIS = (OPERATOR, UNDERSTOOD)  # trust by the operator's words
_WAY_OUT = "Leave it to the operator, in a terminal of their own."
_FROM_ELSEWHERE = (
    "Its message says that clawgit made it on the operator's words, but it came from elsewhere, or git changed it on"
    " the way. So it counts as unknown."
)
_CLAIM = f"If it is yours: `clawgit keep --as operator {THIS_COMMIT}`. If not, leave it: it counts as nobody's word."
OPERATORS = ("Clawgit-Override", "Clawgit-Claims", "Clawgit-Connected", "Clawgit-Disconnected")
WRITERS = ("Clawgit-Op", "Clawgit-Actor", "Clawgit-Trust", "Clawgit-Run", "Clawgit-Slot")
MEMORY_POLICY = "memory-policy"
INVALID, WAITING = "settings", "settings-waiting"
POLICY, LOCKED, BUDGET, PROMPT = "soul-policy", "soul-locked", "soul-budget", "agent-prompt"
REWRITE = "soul-rewrite"
EXTERNAL = "external"
FORM = "IDENTITY.md"  # never SOUL.md; the host may write the standing files anyway


def find_false_authority(step: GuardStep) -> Iterator[Finding]:
    """Find a change that claims what only the operator can give."""
    actor, plan = step.intent.actor, step.plan
    if actor == OPERATOR:
        return
    keys = {key for key, _ in plan.trailers} if plan is not None else set()
    taken = sorted(keys & {*OPERATORS, *WRITERS})
    if step.intent.override or taken:
        what = taken[0] if taken else OPERATORS[0]
        yield Finding(RULE, "", f"The {actor} cannot give its change a {what}.", _WAY_OUT)
    if step.intent.trust not in _HIS:
        return
    for path in step.paths if actor == HOST else ():
        if not (tiers.holds_entries(path) or path.startswith("memory/") or tiers.is_correction_file(path)):
            sentence = f"A message carries a {actor}'s change of memory, not of {path}."
            yield Finding(RULE, path, sentence, _WAY_OUT)
            break
    # Trust by the operator's words, claimed by an actor that has none of it, or without evidence.
    has_none = actor in (UNKNOWN, RUNNER) or (actor == HOST and not step.intent.by_message)
    if has_none or (plan is not None and step.paths and not plan.evidence):
        sentence = (
            f"The {actor}'s change claims to rest on the operator's words, but names no message with them."
        )
        back = ""
        if actor == UNKNOWN:
            sentence, back = _FROM_ELSEWHERE, _CLAIM
        yield Finding(RULE, "", sentence, _WAY_OUT, way_back=back)


def find_memory_changes(step: GuardStep) -> Iterator[Finding]:
    if step.intent.memory_is_open or not is_held(step.settings, step.intent):
        return
    policy = step.settings.memory_policy
    for path in step.paths:
        if tiers.holds_entries(path) or (path == tiers.CORRECTIONS and _gains_correction(step)):
            sentence = f"memory_policy ({policy}) lets nobody but the operator make this change of {path}."
            way_out = "`clawgit keep` asks the operator about an edit of the file."
            yield Finding(MEMORY_POLICY, path, sentence, way_out)


def is_held(settings: Settings, intent: Intent) -> bool:
    """Say whether a change of memory waits for the operator's yes; *explicit* lets one pass that rests on the operator's words."""
    if intent.actor == OPERATOR:
        return False
    if settings.memory_policy == EXPLICIT:
        return intent.trust not in _HIS
    return settings.memory_policy == REVIEW


def _gains_correction(step: GuardStep) -> bool:
    ids = {each.correction_id for each in read_corrections(step.base.read(tiers.CORRECTIONS) or b"")}
    for each in read_corrections(step.new.read(tiers.CORRECTIONS) or b""):
        is_idle = each.status in (Status.OPEN, Status.LINKED)
        if each.correction_id not in ids and each.holds and not is_idle:
            return True
    return False


def find_settings(step: GuardStep) -> Iterator[Finding]:
    """Find new values of CONFIG.md that cannot be read (the last good one holds) or that wait."""
    if CONFIG not in step.paths:
        return
    from clawgit.workspace.settings.config_file import read_config  # loads YAML

    before = read_config(decoded(step.base.read(CONFIG) or b""))
    after = read_config(decoded(step.new.read(CONFIG) or b""))
    old_problems = {(problem.key, problem.message) for problem in before.errors}
    way_out = "The last good value stays until it is put right."
    for problem in after.errors:
        if (problem.key, problem.message) not in old_problems:
            sentence = f"{CONFIG} cannot be used: {problem.message}"
            yield Finding(INVALID, CONFIG, sentence, way_out, problem.line)
    by_operator = step.intent.actor == OPERATOR
    for key, setting in SETTINGS.items():
        value = after.values.get(key, DEFAULTS[key])
        if not setting.guarded or key in after.unread or value == before.values.get(key, DEFAULTS[key]):
            continue
        if not by_operator or argv_of(setting, value):
            sentence = f"The new value of {key} has no effect until the operator trusts it."
            yield Finding(WAITING, CONFIG, sentence, f"`clawgit approve {key}` does that.")


def find_soul_changes(step: GuardStep) -> Iterator[Finding]:
    if step.intent.soul_is_open:
        return
    for path in step.paths:
        ends_first_talk = path == tiers.RITUAL and step.new.entry(path) is None
        if (tiers.is_identity(path) or tiers.is_standing(path)) and not ends_first_talk:
            yield from _objections(step, path)


def _objections(step: GuardStep, path: str) -> Iterator[Finding]:
    from clawgit.identity.soul_policy import Ban, SoulEdit, SoulPolicy, objection

    intent = step.intent
    is_form = intent.form_is_open and path == FORM
    old = step.base.read(path)
    new = step.new.read(path)
    edit = SoulEdit(intent.actor, intent.trust, old, new, tiers.is_standing(path), is_form)
    policy = step.settings.soul_policy
    reason = objection(edit, SoulPolicy(policy), intent.corrected)
    if reason is None:
        return
    rule, way_out = REWRITE, "The operator may make it."
    if reason.why is Ban.LOCKED:
        rule, way_out = LOCKED, "Only the operator opens it, with --reason."
        sentence = f"{path} is locked by soul_policy."
    elif reason.why is Ban.REWRITES:
        sentence = f"This edit rewrites a large part of {path}; an agent changes one principle at a time."
    elif reason.why is Ban.CORRECTED:
        sentence = f"This edit touches {reason.principle!r} in {path}, which came from a correction that no newer one contradicts."
    else:
        rule = POLICY
        sentence = f"This edit of {path} is more than soul_policy ({policy}) lets {in_third_person(intent.actor)} make."
        way_out = "The operator may make it: `clawgit keep --as operator`, or a `git commit` of their own."
    yield Finding(rule, path, sentence, way_out)


def find_grown_soul(step: GuardStep) -> Iterator[Finding]:
    paths = [] if step.intent.soul_is_open else list(filter(tiers.is_identity, step.paths))
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
            POLICY if is_workers_step else BUDGET,  # if no small change fits, the operator decides
            path,
            f"{path}: about {tokens:,} tokens; soul_max_tokens is {limit:,}.",
            "Shorten it, or raise soul_max_tokens in CONFIG.md.",
        )


def find_prompt_changes(step: GuardStep) -> Iterator[Finding]:
    """Find edits of the prompts of clawgit's agents: they are instructions, so only the operator gives them."""
    for path in step.paths:
        if step.intent.actor != OPERATOR and path.startswith("agents/") and path.endswith("/SOUL.md"):
            sentence = f"{path} instructs one of clawgit's agents, and this edit is not the operator's."
            way_out = f"`clawgit keep --as operator` if it is yours, `git restore {quote(path)}` to drop it."
            yield Finding(PROMPT, path, sentence, way_out)
