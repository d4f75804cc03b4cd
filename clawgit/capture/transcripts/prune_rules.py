"""Old results of tools in a prompt: cut to head and tail, or cleared. The transcript on disk is never touched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

CHARS_PER_TOKEN = 4
USER, ASSISTANT, TOOL_RESULT = "user", "assistant", "toolResult"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a prompt."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class PruningPolicy:
    """When results are trimmed or cleared; the ratios are shares of the window that the prompt fills."""

    keep_last_assistants: int = 3
    max_chars: int = 4000
    head_chars: int = 1500
    tail_chars: int = 1500
    hard_clear: bool = True
    placeholder: str = "[Old tool result removed]"
    soft_ratio: float = 0.3
    hard_ratio: float = 0.5


def cache_lapsed(last_call: datetime, now: datetime, ttl_seconds: int) -> bool:
    """Say whether the prompt cache is cold by now, so that pruning costs nothing more."""
    return now.timestamp() - last_call.timestamp() >= ttl_seconds


def prune(turns: Sequence[Turn], window_tokens: int, policy: PruningPolicy) -> list[Turn]:
    """Return the prompt with old tool results trimmed, and cleared where that is not enough.

    What is before the first user message and from the third-last answer on stays whole.
    """
    pruned = list(turns)
    prunable = [at for at in _open_range(turns, policy) if turns[at].role == TOOL_RESULT]
    window = window_tokens * CHARS_PER_TOKEN
    if _chars(pruned) < policy.soft_ratio * window:
        return pruned
    limits = (policy.max_chars, policy.head_chars, policy.tail_chars)
    for at in prunable:
        pruned[at] = replace(pruned[at], text=head_and_tail(pruned[at].text, *limits))
    left = _chars(pruned)
    for at in prunable:
        if not policy.hard_clear or left < policy.hard_ratio * window:
            break
        won = len(pruned[at].text) - len(policy.placeholder)
        if won > 0:
            pruned[at] = replace(pruned[at], text=policy.placeholder)
            left -= won
    return pruned


def _open_range(turns: Sequence[Turn], policy: PruningPolicy) -> range:
    """Return the places that may be pruned; none while there are fewer answers than are kept."""
    answers = [at for at, turn in enumerate(turns) if turn.role == ASSISTANT]
    first = next((at for at, turn in enumerate(turns) if turn.role == USER), len(turns))
    if len(answers) < policy.keep_last_assistants:
        return range(0)
    last = answers[-policy.keep_last_assistants] if policy.keep_last_assistants else len(turns)
    return range(first, last)


def head_and_tail(text: str, most: int, head: int, tail: int) -> str:
    """Return ``text``, of a longer one than ``most`` its head and tail, if that is less."""
    cut = len(text) - head - tail
    if len(text) <= most or cut <= 0:
        return text
    trimmed = f"{text[:head]}\n[… {cut:,} of {len(text):,} characters left out …]\n{text[len(text) - tail :]}"
    return min(trimmed, text, key=len)


def _chars(turns: Sequence[Turn]) -> int:
    return sum(len(turn.text) for turn in turns)
