"""Who listens in a conversation, and what may be told there: to a group nothing but who the agent is, and what was said in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.capture.sessions.session_text import one_safe_line, session_of_note
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from clawgit.capture.messages.message import ChatMessage

MAIN, WORK, GROUP = (
    "main",
    "work",
    "group",
)  # the operator alone; the agent's own work, without MEMORY.md; others, too
_GROUP = lazy_pattern(r"(?:^|[:/_-])(?:group|channel|thread|guild|room)s?(?:[:/_-]|\Z)")
_WORK = lazy_pattern(r"(?:^|[:/_-])(?:subagent|cron|heartbeat)s?(?:[:/_-]|\Z)")


def scope_of(session: str) -> str:
    """Return who listens in a session, as its key says."""
    key = session.casefold()
    if _GROUP.search(key):
        return GROUP
    return WORK if _WORK.search(key) else MAIN


def is_note_of(data: bytes, session: str) -> bool:
    """Say whether a file is what was said in a group; a private session's key can be another talk's as well."""
    return scope_of(session) == GROUP and session_of_note(data) == one_safe_line(session)


def is_said_in(message: ChatMessage, session: str) -> bool:
    """Say whether a message was said in a group."""
    return scope_of(session) == GROUP and message.session == session
