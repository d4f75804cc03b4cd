"""The guards over a commit that is made already, whoever made it: as if it were to be made now."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, OPERATOR, is_as_written, rests_on_message
from clawgit.history.authorship.intent import Intent, in_ritual
from clawgit.history.authorship.vouching import authorship
from clawgit.history.git.trees import Compared
from clawgit.history.guards.check import check, check_text
from clawgit.history.guards.finding import RULES
from clawgit.history.guards.soul import LOCKED
from clawgit.identity.soul_policy import SoulPolicy
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding


def check_commit(history: History, commit: Commit) -> tuple[Finding, ...]:
    """Return what speaks against the way from a commit's first parent to it, and against its message."""
    under = commit.parent_ids[0] if commit.parent_ids else None
    intent = in_ritual(history, under, intent_of(history, commit))
    base = history.tree_of(under)
    tree = history.tree_of(commit.commit_id)
    return (
        *check(base, Compared(base, tree), intent, history.settings),
        *check_text(history, commit.message, intent),
    )


def intent_of(history: History, commit: Commit) -> Intent:
    """Return what a commit's author, date and trailers say about who wanted it, and why."""
    trailers, authors = commit.trailers, authorship(history)
    losses = dict(loss.partition(": ")[::2] for loss in trailers.all("Clawgit-Loss"))
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
        and rests_on_message(trailers),
    )


def is_overridden(history: History, commit: Commit) -> bool:
    """Say whether the operator made this commit and said why something that was found should go through."""
    intent = intent_of(history, commit)
    return intent.actor == OPERATOR and bool(intent.override)


def lets_through(history: History, commit: Commit, finding: Finding) -> bool:
    """Say whether the operator made this commit and said why what ``finding``'s rule finds should go through."""
    intent = intent_of(history, commit)
    return intent.actor == OPERATOR and finding.rule in intent.overridden


class OverrideError(ClawgitError):
    """A guard cannot be overridden so."""


class LockedSoulError(ClawgitError):
    """`soul_policy` is locked, and nobody said why it should be opened."""


def opened(history: History, intent: Intent, reason: str) -> Intent:
    """Return the intent with the operator's override, where the soul is locked."""
    if SoulPolicy(history.settings.soul_policy) is not SoulPolicy.LOCKED:
        return intent
    if intent.actor != OPERATOR or not reason.strip():
        raise LockedSoulError(
            "The soul is locked by soul_policy.", hint="The operator opens it with --reason."
        )
    return overriding(intent, (LOCKED,), reason)


def overriding(intent: Intent, rules: Iterable[str], reason: str) -> Intent:
    """Return the intent with the operator's word that ``rules`` may be broken, beside those that already may."""
    broken = dict.fromkeys((*sorted(intent.overridden), *rules))
    if not broken:
        return intent
    unfit = [rule for rule in broken if rule not in RULES or not RULES[rule].can_override]
    if unfit:
        can = ", ".join(rule for rule, row in RULES.items() if row.can_override)
        raise OverrideError(f"{unfit[0]} is no rule that can be overridden.", hint=f"These can: {can}.")
    if intent.actor != OPERATOR or not reason.strip():
        raise OverrideError("Only the operator overrides a guard, and says why.", hint="Give a --reason.")
    return intent._replace(override=f"{', '.join(broken)}: {folded(reason)}")
