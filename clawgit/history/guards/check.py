"""Rules over two states of the workspace, for the commit path, the hooks and reconcile; read only."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, OPERATOR, authorship, is_as_written, rests_on_message
from clawgit.history.authorship.commit_messages import KEEP_OP
from clawgit.history.authorship.intent import Intent, in_ritual
from clawgit.history.guards import authority, conservation, contents
from clawgit.history.guards.contents import find_gained_secrets, find_secret_words
from clawgit.history.guards.finding import CUT_SHORT, RULES, Finding, GuardStep, Severity, severity_of
from clawgit.memory.entries.tiers import MEMORY_FILES, is_identity, is_standing
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact, redact_path
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.transaction.working_tree import Draft
    from clawgit.plan import Plan
    from clawgit.workspace.settings.settings import Settings

MESSAGE = "the commit message"
_QUESTION = "correction open: "  # of a host without a message: no words of the operator's
_LOCKED_POLICY = "locked"  # not from `SoulPolicy`: its module loads the comparison of texts


GUARDS: tuple[Callable[[GuardStep], Iterator[Finding]], ...] = (
    find_gained_secrets,
    contents.find_unsafe_paths,
    contents.find_conflict_markers,
    contents.find_oversize,
    authority.find_false_authority,
    authority.find_soul_changes,
    authority.find_grown_soul,
    authority.find_prompt_changes,
    authority.find_memory_changes,
    conservation.find_lost_corrections,
    conservation.find_lost_corrected_entries,
    conservation.find_losses,
    contents.find_unseen_characters,
    contents.find_derived_files,
    authority.find_settings,
)


def to_override(rules: Iterable[str]) -> str:
    """Return the options of the operator's yes in spite of ``rules``; empty if he needs none, or none helps."""
    names = dict.fromkeys(rules)
    if not names.keys() <= RULES.keys():
        return ""  # parked by another version
    stopping = list(filter(lambda rule: RULES[rule].operator.stops, names))
    if not stopping or any(not RULES[rule].can_override for rule in stopping):
        return ""
    return "".join(map(" --override {}".format, stopping)) + ' --reason "…"'


class GuardError(ClawgitError):
    """A guard refused a change; no file was touched.

    ``quarantine_id`` names what was kept for the operator.
    """

    def __init__(self, findings: tuple[Finding, ...], quarantine_id: str = "") -> None:
        first = findings[0]
        more = f" ({len(findings) - 1} more)" if len(findings) > 1 else ""
        place = f" `clawgit pending show {quarantine_id}` shows it." if quarantine_id else ""
        options = to_override(finding.rule for finding in findings)
        if quarantine_id and options:
            place += f" The operator lets it through: `clawgit approve {quarantine_id}{options}`."
        super().__init__(f"{first.sentence}{more}", hint=f"{first.way_out}{place}")
        self.findings = findings
        self.quarantine_id = quarantine_id


def check(
    base: Tree,
    new: Tree | Draft,
    intent: Intent,
    settings: Settings,
    *,
    plan: Plan | None = None,
    only: Collection[str] | None = None,
) -> tuple[Finding, ...]:
    """Return the findings in the step from ``base`` to ``new``, each with its answer to the actor.

    ``plan`` has the words of the message; ``only`` limits the changed paths. A finding that the operator overrides is a
    remark. No finding holds a secret.
    """
    step = GuardStep(base, new, intent, settings, plan, only)
    findings = (_answered(finding, intent) for find in GUARDS for finding in find(step))
    return tuple(finding for finding in findings if finding.severity is not Severity.PASS)


def check_cut(base: Tree, new: Tree | Draft, intent: Intent, settings: Settings) -> tuple[Finding, ...]:
    """Return the losses that the operator is asked about: any in MEMORY.md, ten lines or more in another file of memory."""
    step = GuardStep(base, new, intent, settings)
    findings = []
    for finding in conservation.find_losses(step):
        before = Counter(filter(bytes.strip, split_lines(step.base.read(finding.path) or b"")))
        before.subtract(split_lines(step.new.read(finding.path) or b""))
        is_small = (+before).total() < conservation.FEWEST_CUT and finding.path not in MEMORY_FILES
        is_of_soul = is_identity(finding.path) or is_standing(finding.path)
        if not is_small and not is_of_soul:
            findings.append(_answered(finding._replace(rule=CUT_SHORT), intent))
    return tuple(findings)


def check_words(plan: Plan, intent: Intent) -> tuple[Finding, ...]:
    return tuple(_answered(finding, intent) for finding in find_secret_words(plan, intent))


def check_text(history: History, text: str, intent: Intent, *, name: str = MESSAGE) -> tuple[Finding, ...]:
    """Return the findings in a text, checked as an added file called ``name``."""
    from clawgit.history.transaction.working_tree import Draft  # noqa: PLC0415 - a check of files has its own

    content = FileContent(text.encode("utf-8", "surrogateescape"))
    added = Draft(history.tree_of(None), {name: content})
    return check(added.base, added, intent, history.settings)


def stopping(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity.stops)


def refuse(findings: Iterable[Finding]) -> None:
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
        way_back=redact(finding.way_back),
        severity=severity_of(finding.rule, intent.actor),
    )
    if answer.severity.stops and intent.actor == OPERATOR and finding.rule in intent.overridden:
        sentence = "You overrode that; the commit says so, and why."
        return answer._replace(severity=Severity.REMARK, way_out=sentence, way_back=sentence)
    return answer


def check_commit(history: History, commit: Commit) -> tuple[Finding, ...]:
    """Return the findings in a commit against its first parent, and in its message; the operator's merge may leave out an entry."""
    intent = in_ritual(history, commit.first_parent, intent_of(history, commit))
    base, tree = history.around(commit)
    is_his_merge = len(commit.parent_ids) > 1 and intent.actor == OPERATOR
    findings = check(base, tree, intent, history.settings)
    return (
        *(each for each in findings if not is_his_merge or each.rule != conservation.ENTRY),
        *check_text(history, commit.message, intent._replace(trust="")),  # the trust is for its files
    )


def cut_short(history: History, commit: Commit) -> tuple[Finding, ...]:
    """Return the files that an edit cut short; none for a change of clawgit's, a merge, and the operator's own commit."""
    op = commit.trailers.first("Clawgit-Op") or ""
    intent = intent_of(history, commit)
    is_told = not op and intent.actor == OPERATOR  # shown by git's hook at the commit
    is_change = bool(op) and not op.startswith(KEEP_OP)
    if len(commit.parent_ids) != 1 or is_told or is_change:
        return ()
    base, tree = history.around(commit)
    return check_cut(base, tree, intent, history.settings)


def lost_files(history: History, commit: Commit) -> set[str]:
    return set(map(attrgetter("where"), cut_short(history, commit)))


def intent_of(history: History, commit: Commit) -> Intent:
    trailers, authors = commit.trailers, authorship(history)
    if commit.commit_id in authors.rewritten:
        commit = commit._replace(one_hand=True)
    losses = dict(loss.partition(": ")[::2] for loss in trailers.all("Clawgit-Loss"))
    is_question = commit.subject.startswith(_QUESTION) and trailers.first("Clawgit-Trust") == HOST
    return Intent(
        trailers.first("Clawgit-Op") or commit.commit_id,
        authors.actor(commit),
        datetime.fromtimestamp(commit.committed_at, UTC),
        run=trailers.first("Clawgit-Run") or "",
        slot=trailers.first("Clawgit-Slot") or "",
        trust=trailers.first("Clawgit-Trust") or "",
        losses=losses or None,
        override=trailers.first("Clawgit-Override") or "",
        by_message=trailers.first("Clawgit-Actor") == HOST
        and is_as_written(commit)
        and commit.commit_id not in authors.unvouched
        and (rests_on_message(trailers) or is_question),
        sides=tuple(map(history.tree_of, commit.parent_ids[1:])),
    )


def lets_through(history: History, commit: Commit, finding: Finding) -> bool:
    """Say whether the operator made this commit and gave a reason to let ``finding``'s rule pass."""
    intent = intent_of(history, commit)
    return intent.actor == OPERATOR and finding.rule in intent.overridden


def opened(history: History, intent: Intent, reason: str) -> Intent:
    """Return the intent, with the operator's override if the soul is locked."""
    if history.settings.soul_policy != _LOCKED_POLICY:
        return intent
    if intent.actor != OPERATOR or not reason.strip():
        raise ClawgitError("The soul is locked by soul_policy.", hint="The operator opens it with --reason.")
    return overriding(intent, (authority.LOCKED,), reason)


def overriding(intent: Intent, rules: Iterable[str], reason: str) -> Intent:
    broken = dict.fromkeys((*sorted(intent.overridden), *rules))
    if not broken:
        return intent
    unfit = [rule for rule in broken if rule not in RULES or not RULES[rule].can_override]
    if unfit:
        can = ", ".join(rule for rule, row in RULES.items() if row.can_override)
        raise ClawgitError(f"{unfit[0]} is no rule that can be overridden.", hint=f"These can: {can}.")
    if intent.actor != OPERATOR or not reason.strip():
        raise ClawgitError("Only the operator overrides a guard, and says why.", hint="Give a --reason.")
    return intent._replace(override=f"{', '.join(broken)}: {folded(reason)}")
