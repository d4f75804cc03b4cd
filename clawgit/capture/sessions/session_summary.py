"""A summary of a conversation by rules: its own sentences, those that say something lasting first. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import masked, without_injected, without_vetoed
from clawgit.capture.sessions.session_text import PAGE
from clawgit.capture.sessions.sessions import counts
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.facts.routing import Kind, kind_of
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.capture.messages.message import Heard

LONGEST = 300  # characters of one sentence
LOOKED_AT = 20_000  # characters of one message
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
SAYS_MUCH, FLAGGED = 3, 2


@dataclass(frozen=True, slots=True)
class _Said:
    """One sentence: its place in the talk, its line, how much it says, and whether a user's message begins with it."""

    place: int
    line: str
    weight: int
    opens: bool


def summary_of(said: Iterable[Heard], tokens: int, *, earlier: str = "") -> str:
    """Return what matters of a conversation in at most about ``tokens``, in its order; ``earlier`` comes before it.

    First what is lasting, a lesson or flagged by triage, the user's words before the host's; then what the user began
    messages with; of equals the latest, since it may set the earlier right. Nothing is reworded.
    """
    sentences = list(_sentences(said))
    by_weight = sorted(
        (each for each in sentences if each.weight), key=lambda each: (-each.weight, -each.place)
    )
    topics = [each for each in reversed(sentences) if each.opens and not each.weight]
    lines = [line for line in earlier.splitlines() if line.strip()]
    chosen = _fitting(lines, tokens // 2)
    left = tokens - sum(map(count_tokens, chosen))
    taken = _taken((*by_weight, *topics), left, set(chosen))
    return "\n".join([*chosen, *(each.line for each in sorted(taken, key=lambda each: each.place))])


def _sentences(said: Iterable[Heard]) -> Iterator[_Said]:
    place = 0
    for heard in without_vetoed(said):
        text = masked(without_injected(heard.text))[:LOOKED_AT]
        if not counts(heard.role, text):
            continue
        is_user = heard.role == "user" and not heard.external
        who = PAGE if heard.role == "user" and heard.external else heard.role
        found = triage(text) if is_user else None
        flagged = found is not None and (found.miner or found.validator is not None)
        opens = is_user
        for part in map(folded, _SENTENCE.split(text)):
            if part:
                shown = part[:LONGEST]
                weight = SAYS_MUCH * (kind_of(shown) is not Kind.PASSING) + FLAGGED * flagged - (not is_user)
                yield _Said(place, f"- {who}: {shown}", max(0, weight), opens)
                place, opens = place + 1, False


def _fitting(lines: Sequence[str], tokens: int) -> list[str]:
    """Return the latest lines that fit."""
    kept: list[str] = []
    for line in reversed(lines):
        tokens -= count_tokens(line)
        if tokens < 0:
            break
        kept.append(line)
    return kept[::-1]


def _taken(wanted: Iterable[_Said], tokens: int, there: set[str]) -> list[_Said]:
    """Return what fits, in the order of what is wanted most; the same line once."""
    found: list[_Said] = []
    for each in wanted:
        cost = count_tokens(each.line) + 1
        if each.line not in there and cost <= tokens:
            there.add(each.line)
            found.append(each)
            tokens -= cost
    return found
