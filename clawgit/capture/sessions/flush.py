"""Before a conversation is compacted: when the host is asked to write down what should last, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from datetime import date

NO_REPLY = "NO_REPLY"
_DAY = "YYYY-MM-DD"
_HINT = f"If there is nothing to write down, answer {NO_REPLY} and nothing else."


@dataclass(frozen=True, slots=True)
class ContextUse:
    """How full a conversation is, and how often it was compacted; ``flushed_at`` is that count at the last flush.

    ``tokens`` is None where nobody knows, or where the number is from before the last compaction.
    """

    tokens: int | None
    window: int
    compactions: int = 0
    flushed_at: int | None = None


@dataclass(frozen=True, slots=True)
class FlushPrompts:
    """What the host is told, as a system line and as a turn that the user never sees."""

    system: str
    turn: str


def why_not_yet(use: ContextUse, *, reserve: int, soft: int) -> str:
    """Return why memory is not flushed now, empty if it is."""
    threshold = use.window - reserve - soft
    if threshold <= 0:
        return f"a window of {use.window:,} tokens has no room besides the reserve"
    if use.tokens is None:
        return "it is not known how full the conversation is"
    if use.tokens < threshold:
        return f"{use.tokens:,} tokens are fewer than {threshold:,}"
    if use.flushed_at is not None and use.flushed_at >= use.compactions:
        return "it was flushed since the last compaction"
    return ""


def flush_prompts(on: date, *, asked: str = "") -> FlushPrompts:
    """Return the prompts for that day; ``asked`` replaces our own turn, its YYYY-MM-DD filled in."""
    path = f"memory/{_DAY}.md"
    turn = asked.strip() or (
        f"The conversation is about to be compacted. Write what should last into {path}. "
        "If that file exists, APPEND to it: do not overwrite or shorten what stands there, and do not make "
        f"variants of it with a time in their names. {_HINT}"
    )
    if NO_REPLY not in turn:
        turn = f"{turn} {_HINT}"
    system = f"This turn is for memory only; the user does not see it. {_HINT}"
    return FlushPrompts(system, turn.replace(_DAY, on.isoformat()))


def is_silent(reply: str) -> bool:
    """Say whether the host had nothing to write down: the word alone, white space and what is unseen aside."""
    return folded(reply) == NO_REPLY
