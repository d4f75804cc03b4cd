"""A locked soul: the operator opens it for one change, with a reason that the commit carries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.actors import OPERATOR
from clawgit.identity.policy import SoulPolicy

if TYPE_CHECKING:
    from clawgit.history.intent import Intent
    from clawgit.history.repository import History


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
    return replace(intent, override=reason)
