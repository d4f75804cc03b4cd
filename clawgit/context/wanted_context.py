"""Which context is asked for, who listens, and what comes of it. Values only."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.tiers import MEMORY_FILES, WAYS
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from datetime import date

    from clawgit.context.slots import SlotText

# Who listens: the operator alone; the agent at its own work, which is not told MEMORY.md; others, too.
MAIN, WORK, GROUP = "main", "work", "group"
STABLE, RECALLED = "stable", "recall"
DIGEST = "digest"  # the stable part, and what is told of the rest in each later turn of a conversation
FOR_MESSAGE, FOR_SEARCH = "message", "search"  # hits that come with a message, or that a model asked for
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


class Host(NamedTuple):
    """What a host puts into the prompt itself, and how many characters of ours it takes at once, 0: as many as there are."""

    injects: frozenset[str] = frozenset()
    most_characters: int = 0


MOST_AT_ONCE = 9500  # characters: of more than 10,000 a host keeps no more than the beginning
HOSTS = {
    "openclaw": Host(frozenset({"SOUL.md", "IDENTITY.md", "USER.md", WAYS, *MEMORY_FILES})),
    "claude-code": Host(most_characters=MOST_AT_ONCE),
    "codex": Host(most_characters=MOST_AT_ONCE),
}


class WantedContext(NamedTuple):
    """What the conversation is about (a query, or the key of a session whose last messages say so), and for whom.

    ``part`` is `STABLE`, `RECALLED` or `DIGEST`, empty for both, in a receipt of hits `FOR_MESSAGE` or `FOR_SEARCH`; ``host`` one of `HOSTS`, or empty. ``scope`` says who listens
    (`MAIN`, `WORK`, `GROUP`); empty asks the session's key. ``questions`` are what the operator is to be asked, a line by
    each id: told in the conversation's part, and to him alone.
    """

    query: str = ""
    session: str = ""
    part: str = ""
    host: str = ""
    scope: str = ""
    questions: tuple[tuple[str, str], ...] = ()


class Talk(NamedTuple):
    """What is known of the conversation: what to search for, who listens, which session it is, what went wrong.

    ``is_asked``: it is a message that somebody waits with, and not what was said last.
    """

    query: str
    scope: str
    session: str = ""
    notes: tuple[str, ...] = ()
    is_asked: bool = True


class FilledSlot(NamedTuple):
    """One slot as it came out: what it may cost by the settings, what it would have taken, what it costs."""

    filled: SlotText
    budget: int
    wanted: int
    used: int

    @property
    def name(self) -> str:
        return self.filled.slot.name


class Context(NamedTuple):
    """An assembled context: two parts of Markdown, the slots by priority, and what it was made from."""

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
    opening: str = ""  # with which the conversation's part begins
    opening_tokens: int = 0
    asked: tuple[str, ...] = ()  # the questions in it, by their ids
    is_explained: bool = False  # its slots are asked for instead of its text

    @property
    def text(self) -> str:
        """Return all of it: the stable part first, so that a provider's cache keeps that."""
        return self.stable + self.recalled


def hash_of(text: str) -> str:
    """Return the hash by which a text is known again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
