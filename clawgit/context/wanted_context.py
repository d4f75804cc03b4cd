"""Request and result of a context, and the listener. Values only."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.tiers import MEMORY_FILES, WAYS
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from clawgit.context.slots import SlotText

# Listeners: the operator alone; the agent at its own work, without MEMORY.md; others, too.
MAIN, WORK, GROUP = "main", "work", "group"
STABLE, RECALLED = "stable", "recall"
DIGEST = "digest"  # the stable part, and what each later turn of a conversation adds of the rest
FOR_MESSAGE, FOR_SEARCH = "message", "search"  # hits for a message, or on a model's request
SESSION_VARIABLE = "CLAWGIT_SESSION"  # the session in which a host runs a program
_GROUP = lazy_pattern(r"(?:^|[:/_-])(?:group|channel|thread|guild|room)s?(?:[:/_-]|\Z)")
_WORK = lazy_pattern(r"(?:^|[:/_-])(?:subagent|cron|heartbeat)s?(?:[:/_-]|\Z)")


def scope_of(session: str) -> str:
    key = session.casefold()
    if _GROUP.search(key):
        return GROUP
    return WORK if _WORK.search(key) else MAIN


def group_asking(environment: Mapping[str, str], session: str, scope: str = "") -> str | None:
    """Return the group's session in which memory is asked, None if the operator is alone.

    The host's own session outweighs the requested one.
    """
    host_session = environment.get(SESSION_VARIABLE, "")
    if scope_of(host_session) == GROUP:
        return host_session
    return session if (scope or scope_of(session)) == GROUP else None


class Host(NamedTuple):
    """What a host puts into the prompt itself, and its limit for our characters (0: no limit)."""

    injects: frozenset[str] = frozenset()
    most_characters: int = 0


MOST_AT_ONCE = 9500  # characters: beyond 10,000 a host keeps only the beginning
HOSTS = {
    "openclaw": Host(frozenset({"SOUL.md", "IDENTITY.md", "USER.md", WAYS, *MEMORY_FILES})),
    "claude-code": Host(most_characters=MOST_AT_ONCE),
    "codex": Host(most_characters=MOST_AT_ONCE),
}


class WantedContext(NamedTuple):
    """The conversation (a query, or the key of a session with its last messages), and the listener.

    ``part`` is `STABLE`, `RECALLED` or `DIGEST`, empty for both, in a receipt of hits `FOR_MESSAGE` or
    `FOR_SEARCH`; ``host`` one of `HOSTS`, or empty. ``scope`` is the listener (`MAIN`, `WORK`, `GROUP`); if
    empty, the session's key decides. ``questions`` are for the operator, a line by each id: in the
    conversation's part, and for him alone.
    """

    query: str = ""
    session: str = ""
    part: str = ""
    host: str = ""
    scope: str = ""
    questions: tuple[tuple[str, str], ...] = ()


class Talk(NamedTuple):
    """The facts of the conversation: search text, listener, session, errors.

    ``is_asked``: a message awaits its answer; else the text is from the last messages.
    """

    query: str
    scope: str
    session: str = ""
    notes: tuple[str, ...] = ()
    is_asked: bool = True


class FilledSlot(NamedTuple):
    """A filled slot: its budget in the settings, its need, its cost."""

    filled: SlotText
    budget: int
    wanted: int
    used: int

    @property
    def name(self) -> str:
        return self.filled.slot.name


class Context(NamedTuple):
    """An assembled context: two parts of Markdown, the slots by priority, and its sources."""

    stable: str
    recalled: str
    tokens: int
    slots: tuple[FilledSlot, ...]
    on: date
    query: str = ""
    tree_id: str = ""
    commit_id: str = ""
    counter: str = ""
    notes: tuple[str, ...] = ()
    receipt: str = ""
    opening: str = ""  # first in the conversation's part
    opening_tokens: int = 0
    asked: tuple[str, ...] = ()  # the ids of questions in it
    is_explained: bool = False  # the caller wants its slots instead of its text

    @property
    def text(self) -> str:
        """Return both parts: the stable one first, so that a provider's cache keeps it."""
        return self.stable + self.recalled


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
