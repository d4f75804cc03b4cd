"""Which context is asked for, and what comes of it. Values only."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.tiers import MEMORY_FILES, WAYS

if TYPE_CHECKING:
    from datetime import date

    from clawgit.context.slot_text import SlotText

STABLE, RECALLED = "stable", "recall"


class Host(NamedTuple):
    """What a host puts into the prompt itself, and how many characters of ours it takes at once, 0: as many as there are."""

    injects: frozenset[str] = frozenset()
    most_characters: int = 0


HOSTS = {
    "openclaw": Host(frozenset({"SOUL.md", "IDENTITY.md", "USER.md", WAYS, *MEMORY_FILES})),
    "claude-code": Host(most_characters=10_000),
    "codex": Host(frozenset({WAYS})),
}


class WantedContext(NamedTuple):
    """What the conversation is about (a query, or the key of a session whose last messages say so), and for whom.

    ``part`` is `STABLE` or `RECALLED`, empty for both; ``host`` one of `HOSTS`, or empty. ``scope`` says who listens
    (`audience.MAIN`, `audience.GROUP`); empty asks the session's key.
    """

    query: str = ""
    session: str = ""
    part: str = ""
    host: str = ""
    scope: str = ""


class FilledSlot(NamedTuple):
    """One slot as it came out: what it may cost by the settings, what it would have taken, what it costs."""

    filled: SlotText
    budget: int
    wanted: int
    used: int

    @property
    def name(self) -> str:
        """Return the slot's name."""
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

    @property
    def text(self) -> str:
        """Return all of it: the stable part first, so that a provider's cache keeps that."""
        return self.stable + self.recalled


def hash_of(text: str) -> str:
    """Return the hash by which a text is known again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
