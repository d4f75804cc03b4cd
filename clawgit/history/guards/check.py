"""Rules over two states of the workspace; the commit path, the hooks and reconcile ask the same ones.

A guard reads what was and what would be, and returns findings. It changes nothing and stores nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.authority import find_false_authority
from clawgit.history.guards.characters import find_control_characters, find_hidden_characters
from clawgit.history.guards.config import find_settings
from clawgit.history.guards.conflict_markers import find_conflict_markers
from clawgit.history.guards.conservation import find_losses
from clawgit.history.guards.corrections import find_lost_corrected_entries, find_lost_corrections
from clawgit.history.guards.paths import find_awkward_paths, find_derived_files, find_unsafe_paths
from clawgit.history.guards.reverted_corrections import find_set_back_entries
from clawgit.history.guards.secrets import find_gained_secrets, find_secret_words
from clawgit.history.guards.severity import Severity, severity_of
from clawgit.history.guards.sizes import find_oversize
from clawgit.history.guards.soul import find_grown_soul, find_prompt_changes, find_soul_changes
from clawgit.history.guards.step import AfterOnce, BeforeOnce, Step
from clawgit.text.safety.secrets import redact, redact_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.guards.finding import Finding
    from clawgit.history.guards.step import After, Before
    from clawgit.plan import Plan
    from clawgit.workspace.settings.settings import Settings

# Each guard, with the rules of the table that it finds.
GUARDS: Mapping[Callable[[Step], Iterator[Finding]], tuple[str, ...]] = {
    find_gained_secrets: ("secret", "secret-allowed"),
    find_unsafe_paths: ("unsafe-path",),
    find_conflict_markers: ("conflict-marker",),
    find_oversize: ("file-size", "commit-size"),
    find_false_authority: ("authority",),
    find_soul_changes: ("soul-policy", "soul-locked"),
    find_grown_soul: ("soul-budget",),
    find_prompt_changes: ("agent-prompt",),
    find_lost_corrections: ("correction", "forged-correction"),
    find_lost_corrected_entries: ("corrected-entry",),
    find_set_back_entries: ("set-back",),
    find_losses: ("loss",),
    find_control_characters: ("control-character",),
    find_hidden_characters: ("hidden-character",),
    find_derived_files: ("derived-file",),
    find_awkward_paths: ("awkward-path",),
    find_settings: ("settings", "settings-waiting"),
}


class GuardError(ClawgitError):
    """A guard found something that must not be committed; no file was touched.

    ``quarantine_id`` names what was kept of it for the operator, where something was.
    """

    def __init__(self, findings: tuple[Finding, ...], quarantine_id: str = "") -> None:
        first = findings[0]
        more = f" ({len(findings) - 1} more)" if len(findings) > 1 else ""
        kept = f" `clawgit quarantine show {quarantine_id}` shows it." if quarantine_id else ""
        super().__init__(f"{first.sentence}{more}", hint=f"{first.way_out}{kept}")
        self.findings = findings
        self.quarantine_id = quarantine_id


def check(
    base: Before, new: After, intent: Intent, settings: Settings, *, plan: Plan | None = None
) -> tuple[Finding, ...]:
    """Return what there is to say about going from ``base`` to ``new``, each with its answer to who wants it.

    ``plan`` has the words that go into the message. A finding that the operator overrides is a remark. No
    finding holds a secret's value.
    """
    step = Step(BeforeOnce(base), AfterOnce(new), intent, settings, plan)
    found = (_answered(finding, intent) for guard in GUARDS for finding in guard(step))
    return tuple(finding for finding in found if finding.severity is not Severity.PASS)


def check_stops(base: Before, new: After, intent: Intent, settings: Settings) -> tuple[Finding, ...]:
    """Return what stops this actor, without asking the guards that could only remark."""
    step = Step(BeforeOnce(base), AfterOnce(new), intent, settings)
    asked = (
        guard
        for guard, rules in GUARDS.items()
        if any(severity_of(rule, intent.actor).stops for rule in rules)
    )
    return stopping(_answered(finding, intent) for guard in asked for finding in guard(step))


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
    answer = replace(
        finding,
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
        return replace(answer, severity=Severity.REMARK, way_out=said, way_back=said)
    return answer
