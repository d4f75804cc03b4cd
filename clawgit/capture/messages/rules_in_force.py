"""What decides over a message that comes in now: the settings in force, and the operator's patterns; apart from what only reads messages."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import Rules
from clawgit.capture.messages.open_messages import oldest_kept
from clawgit.capture.triage_cache import CACHE, cache_bytes, cached_patterns
from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import trust_of
from clawgit.understanding.triage.custom_patterns import CustomPatterns, read_patterns
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import FileContent, read_file, write_file

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.understanding.triage.custom_patterns import CustomPattern


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


def patterns_in_force(history: History) -> list[CustomPattern]:
    """Return the patterns of the settings in force, those that cannot be run included; cached where that may be."""
    patterns = read_patterns(history.settings.heartbeat_custom_patterns)
    # Without room for it, or without a branch, the next one looks again.
    with suppress(OSError, ClawgitError):
        content = read_file(history.root, CONFIG)
        here = b"" if content is None else content.data
        committed = history.tip().tree.read(CONFIG) or b""
        cached = cached_patterns(str(history.root), str(history.state))
        is_cached = cached is not None and [each.row for each in cached] == [each.row for each in patterns]
        if here == committed and not is_cached:
            write_file(history.state, CACHE, FileContent(cache_bytes(here, patterns)), fsync=False)
    return patterns
