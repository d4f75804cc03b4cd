"""Who listens in a conversation, and what may be told there: to a group nothing but who the agent is, and what was said in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from clawgit.capture.messages.message import ChatMessage

MAIN, WORK, GROUP = (
    "main",
    "work",
    "group",
)  # the operator alone; the agent's own work, without MEMORY.md; others, too
SESSION_VARIABLE = "CLAWGIT_SESSION"  # the session in which a host runs a program
_GROUP = lazy_pattern(r"(?:^|[:/_-])(?:group|channel|thread|guild|room)s?(?:[:/_-]|\Z)")
_WORK = lazy_pattern(r"(?:^|[:/_-])(?:subagent|cron|heartbeat)s?(?:[:/_-]|\Z)")


def scope_of(session: str) -> str:
    """Return who listens in a session, as its key says."""
    key = session.casefold()
    if _GROUP.search(key):
        return GROUP
    return WORK if _WORK.search(key) else MAIN


def group_asking(host_session: str, session: str, scope: str = "") -> str | None:
    """Return the session of the group in which memory is asked, None where the operator is alone.

    What the host says of its own session outweighs what was asked for.
    """
    if scope_of(host_session) == GROUP:
        return host_session
    return session if (scope or scope_of(session)) == GROUP else None


def is_said_in(message: ChatMessage, session: str) -> bool:
    """Say whether a message was said in a group."""
    return scope_of(session) == GROUP and message.session == session
