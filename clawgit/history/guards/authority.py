"""What is the operator's alone, whatever a change says of itself: approvals, trust, guarded values of CONFIG.md, and memory where he said so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import HOST, OPERATOR, RUNNER, UNKNOWN
from clawgit.history.guards.finding import Finding, decoded
from clawgit.memory.corrections.correction_log import Status, read_corrections
from clawgit.memory.entries.tiers import CORRECTIONS, holds_entries, is_correction_file
from clawgit.memory.trust import UNDERSTOOD
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import DEFAULTS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.guards.finding import Step
    from clawgit.workspace.settings.settings import Settings

RULE = "authority"
_HIS = (OPERATOR, UNDERSTOOD)  # what rests on his words
_WAY_OUT = "Leave it to the operator, in a terminal of their own."
OPERATORS = ("Clawgit-Override", "Clawgit-Claims", "Clawgit-Connected", "Clawgit-Disconnected")
WRITERS = ("Clawgit-Op", "Clawgit-Actor", "Clawgit-Trust", "Clawgit-Run", "Clawgit-Slot")
MEMORY_POLICY, EXPLICIT, REVIEW = "memory-policy", "explicit", "review"
INVALID, WAITING = "settings", "settings-waiting"


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
    if step.intent.trust not in _HIS:
        return
    for path in step.paths if actor == HOST else ():
        if not (holds_entries(path) or path.startswith("memory/") or is_correction_file(path)):
            sentence = f"A message carries a {actor}'s change of memory, not of {path}."
            yield Finding(RULE, path, sentence, _WAY_OUT)
            break
    if _rests_on_nothing(step):
        sentence = f"The {actor}'s change rests on no words of the operator's that it names."
        yield Finding(RULE, "", sentence, _WAY_OUT)


def _rests_on_nothing(step: Step) -> bool:
    """Say whether operator's trust, or that of a reading, is claimed by somebody who has none, or without evidence."""
    actor = step.intent.actor
    if actor in (UNKNOWN, RUNNER) or (actor == HOST and not step.intent.by_message):
        return True
    return step.plan is not None and bool(step.paths) and not step.plan.evidence


def find_memory_changes(step: Step) -> Iterator[Finding]:
    """Find changes of memory that `memory_policy` lets nobody but the operator make."""
    if step.intent.memory_is_open or not is_held(step.settings, step.intent):
        return
    policy = step.settings.memory_policy
    for path in step.paths:
        if holds_entries(path) or (path == CORRECTIONS and _gains_correction(step)):
            sentence = f"memory_policy ({policy}) lets nobody but the operator make this change of {path}."
            way_out = "`clawgit keep` asks the operator about an edit of the file."
            yield Finding(MEMORY_POLICY, path, sentence, way_out)


def is_held(settings: Settings, intent: Intent) -> bool:
    """Say whether a change of memory waits for the operator's yes; under *explicit* one passes that rests on his words."""
    if intent.actor == OPERATOR:
        return False
    if settings.memory_policy == EXPLICIT:
        return intent.trust not in _HIS
    return settings.memory_policy == REVIEW


def _gains_correction(step: Step) -> bool:
    ids = {each.correction_id for each in read_corrections(step.base.read(CORRECTIONS) or b"")}
    for each in read_corrections(step.new.read(CORRECTIONS) or b""):
        is_idle = each.status in (Status.OPEN, Status.LINKED)
        if each.correction_id not in ids and each.holds and not is_idle:
            return True
    return False


def find_settings(step: Step) -> Iterator[Finding]:
    """Find what CONFIG.md gains of values that cannot be read (the last good one stays) or that only wait."""
    if CONFIG not in step.paths:
        return
    from clawgit.workspace.settings.config_file import read_config  # loads YAML

    before = read_config(decoded(step.base.read(CONFIG) or b""))
    after = read_config(decoded(step.new.read(CONFIG) or b""))
    known = {(problem.key, problem.message) for problem in before.errors}
    for problem in after.errors:
        if (problem.key, problem.message) not in known:
            sentence = f"{CONFIG} cannot be used: {problem.message}"
            yield Finding(
                INVALID, CONFIG, sentence, "The last good value stays until it is put right.", problem.line
            )
    by_operator = step.intent.actor == OPERATOR
    for key, setting in SETTINGS.items():
        value = after.values.get(key, DEFAULTS[key])
        if not setting.guarded or key in after.unread or value == before.values.get(key, DEFAULTS[key]):
            continue
        if not by_operator or argv_of(setting, value):
            sentence = f"The new value of {key} has no effect until the operator trusts it."
            yield Finding(WAITING, CONFIG, sentence, f"`clawgit approve {key}` does that.")
