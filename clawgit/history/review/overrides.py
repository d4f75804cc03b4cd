"""The operator's override: a locked soul opened, a guard's no broken, for one change, with a reason that it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.finding import RULES
from clawgit.history.guards.soul import LOCKED
from clawgit.identity.soul_policy import SoulPolicy
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History


class OverrideError(ClawgitError):
    """A guard cannot be overridden so."""


class LockedSoulError(ClawgitError):
    """`soul_policy` is locked, and nobody said why it should be opened."""


def opened(history: History, intent: Intent, reason: str) -> Intent:
    """Return the intent with the operator's override, where the soul is locked.

    Raises:
        LockedSoulError: It is locked, and this is not the operator, or no reason was given.
    """
    if SoulPolicy(history.settings.soul_policy) is not SoulPolicy.LOCKED:
        return intent
    if intent.actor != OPERATOR or not reason.strip():
        raise LockedSoulError(
            "The soul is locked by soul_policy.", hint="The operator opens it with --reason."
        )
    return overriding(intent, (LOCKED,), reason)


def overriding(intent: Intent, rules: Iterable[str], reason: str) -> Intent:
    """Return the intent with the operator's word that ``rules`` may be broken, beside those that already may.

    Raises:
        OverrideError: A rule cannot be broken, this is not the operator, or there is no reason.
    """
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
