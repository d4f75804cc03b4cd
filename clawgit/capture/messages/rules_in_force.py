"""What decides over a message that comes in now: the settings in force, apart from what only reads messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import Rules
from clawgit.capture.messages.open_messages import oldest_kept
from clawgit.capture.triage_settings import patterns_in_force
from clawgit.history.authorship.actors import trust_of
from clawgit.understanding.triage.custom_patterns import CustomPatterns

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.repository import History


def rules_in_force(history: History, now: datetime, actor: str) -> Rules:
    """Return what decides over a message that ``actor`` brings now."""
    settings = history.settings
    good = [pattern for pattern in patterns_in_force(history) if not pattern.problem]
    return Rules(
        operator_ids=settings.operator_ids,
        group_chats=settings.group_chats,
        patterns=CustomPatterns(good) if good else None,
        since=oldest_kept(history, now),
        most_trust=trust_of(actor),
    )
