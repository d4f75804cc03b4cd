"""Rules over two states of the workspace; the commit path, the hooks and reconcile ask the same ones.

A guard reads what was and what would be, and returns findings. It changes nothing and stores nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.contents import (
    find_conflict_markers,
    find_control_characters,
    find_hidden_characters,
    find_oversize,
)
from clawgit.history.guards.finding import RULES, Severity, severity_of
from clawgit.history.guards.paths import (
    find_awkward_paths,
    find_derived_files,
    find_unsafe_paths,
)
from clawgit.history.guards.secrets import find_gained_secrets, find_secret_words
from clawgit.history.guards.step import AfterOnce, BeforeOnce, Step
from clawgit.memory.entries.tiers import (
    holds_entries,
    is_derived,
    is_identity,
    is_standing,
    may_hold_corrections,
)
from clawgit.text.safety.secrets import redact, redact_path
from clawgit.workspace.layout import CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.guards.finding import Finding
    from clawgit.history.guards.step import After, Before, Limits
    from clawgit.plan import Plan


class Guard(NamedTuple):
    """What finds the violations of some rules of the table, and when there is something for it to look at.

    ``concerns`` says no only where ``find`` would find nothing: a guard that is not asked is not loaded.
    """

    find: Callable[[Step], Iterator[Finding]]
    rules: tuple[str, ...]
    concerns: Callable[[Step], bool]


def _always(_: Step) -> bool:
    return True


def _is_another(step: Step) -> bool:
    return step.intent.actor != OPERATOR


def _identity(step: Step) -> bool:
    return any(map(is_identity, step.paths))


def _soul(step: Step) -> bool:
    return _identity(step) or any(map(is_standing, step.paths))


def _corrections(step: Step) -> bool:
    return any(map(may_hold_corrections, step.paths))


def _entries(step: Step) -> bool:
    return any(map(holds_entries, step.shortened))


def _lines(step: Step) -> bool:
    return any(path.endswith(".md") for path in step.shortened)


def _words(step: Step) -> bool:
    return bool(step.added) or any(path.endswith(".md") for path in step.paths)


def _letters(step: Step) -> bool:
    return any(not path.isascii() for path in step.added) or any(
        path.endswith(".md") and not (step.new.read(path) or b"").isascii() for path in step.paths
    )


def _new_names(step: Step) -> bool:
    return bool(step.added)


def _derived(step: Step) -> bool:
    return any(map(is_derived, step.paths))


def _config(step: Step) -> bool:
    return CONFIG in step.paths


def _false_authority(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.authority import find_false_authority

    return find_false_authority(step)


def _soul_changes(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.soul import find_soul_changes

    return find_soul_changes(step)


def _grown_soul(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.soul import find_grown_soul

    return find_grown_soul(step)


def _prompt_changes(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.soul import find_prompt_changes

    return find_prompt_changes(step)


def _lost_corrections(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.corrections import find_lost_corrections

    return find_lost_corrections(step)


def _lost_corrected_entries(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.corrections import find_lost_corrected_entries

    return find_lost_corrected_entries(step)


def _set_back_entries(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.corrections import find_set_back_entries

    return find_set_back_entries(step)


def _losses(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.conservation import find_losses

    return find_losses(step)


def _settings(step: Step) -> Iterator[Finding]:
    from clawgit.history.guards.authority import find_settings

    return find_settings(step)


GUARDS = (
    Guard(find_gained_secrets, ("secret", "secret-allowed"), _always),
    Guard(find_unsafe_paths, ("unsafe-path",), _always),
    Guard(find_conflict_markers, ("conflict-marker",), _always),
    Guard(find_oversize, ("file-size", "commit-size"), _always),
    Guard(_false_authority, ("authority",), _is_another),
    Guard(_soul_changes, ("soul-policy", "soul-rewrite", "soul-locked"), _soul),
    Guard(_grown_soul, ("soul-budget",), _identity),
    Guard(_prompt_changes, ("agent-prompt",), _is_another),
    Guard(_lost_corrections, ("correction", "forged-correction"), _corrections),
    Guard(_lost_corrected_entries, ("corrected-entry",), _entries),
    Guard(_set_back_entries, ("set-back",), _is_another),
    Guard(_losses, ("loss",), _lines),
    Guard(find_control_characters, ("control-character",), _words),
    Guard(find_hidden_characters, ("hidden-character",), _letters),
    Guard(find_derived_files, ("derived-file",), _derived),
    Guard(find_awkward_paths, ("awkward-path",), _new_names),
    Guard(_settings, ("settings", "settings-waiting"), _config),
)


class GuardError(ClawgitError):
    """A guard found something that must not be committed; no file was touched.

    ``quarantine_id`` names what was kept of it for the operator, where something was.
    """

    def __init__(self, findings: tuple[Finding, ...], quarantine_id: str = "") -> None:
        first = findings[0]
        more = f" ({len(findings) - 1} more)" if len(findings) > 1 else ""
        kept = _way_past(quarantine_id, findings) if quarantine_id else ""
        super().__init__(f"{first.sentence}{more}", hint=f"{first.way_out}{kept}")
        self.findings = findings
        self.quarantine_id = quarantine_id


def _way_past(quarantine_id: str, findings: tuple[Finding, ...]) -> str:
    """Name the commands that show what was kept, and that apply it on the operator's word."""
    rules = dict.fromkeys(finding.rule for finding in findings)
    shown = f" `clawgit pending show {quarantine_id}` shows it."
    if not all(RULES[rule].can_override for rule in rules):
        return shown
    words = " ".join(f"--override {rule}" for rule in rules)
    return f'{shown} The operator lets it through: `clawgit approve {quarantine_id} {words} --reason "…"`.'


def check(
    base: Before, new: After, intent: Intent, settings: Limits, *, plan: Plan | None = None
) -> tuple[Finding, ...]:
    """Return what there is to say about going from ``base`` to ``new``, each with its answer to who wants it.

    ``plan`` has the words that go into the message. A finding that the operator overrides is a remark. No
    finding holds a secret's value.
    """
    step = Step(BeforeOnce(base), AfterOnce(new), intent, settings, plan)
    asked = (guard for guard in GUARDS if guard.concerns(step))
    found = (_answered(finding, intent) for guard in asked for finding in guard.find(step))
    return tuple(finding for finding in found if finding.severity is not Severity.PASS)


def check_stops(base: Before, new: After, intent: Intent, settings: Limits) -> tuple[Finding, ...]:
    """Return what stops this actor, without asking the guards that could only remark."""
    step = Step(BeforeOnce(base), AfterOnce(new), intent, settings)
    asked = (
        guard
        for guard in GUARDS
        if any(severity_of(rule, intent.actor).stops for rule in guard.rules) and guard.concerns(step)
    )
    return stopping(_answered(finding, intent) for guard in asked for finding in guard.find(step))


def check_words(plan: Plan, intent: Intent) -> tuple[Finding, ...]:
    """Return what there is to say about the words of a message alone."""
    return tuple(_answered(finding, intent) for finding in find_secret_words(plan, intent))


def stopping(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return those that stop a change which cannot be made in part."""
    return tuple(finding for finding in findings if finding.severity.stops)


def refuse(findings: Iterable[Finding]) -> None:
    """Raise if any of the findings stops the change.

    Raises:
        GuardError: With those that do.
    """
    against = stopping(findings)
    if against:
        raise GuardError(against)


def _answered(finding: Finding, intent: Intent) -> Finding:
    path = redact_path(finding.path)
    answer = finding._replace(
        path=path,
        place="" if path == finding.path else finding.path,
        sentence=redact(finding.sentence),
        way_out=redact(finding.way_out),
        done=redact(finding.done),
        way_back=redact(finding.way_back),
        severity=severity_of(finding.rule, intent.actor),
    )
    if answer.severity.stops and intent.actor == OPERATOR and finding.rule in intent.overridden:
        said = "You overrode that; the commit says so, and why."
        return answer._replace(severity=Severity.REMARK, way_out=said, way_back=said)
    return answer
