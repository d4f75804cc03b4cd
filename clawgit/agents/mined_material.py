"""What the miner reads: messages that nobody mined, then the notes of the last days, as statements with their evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from clawgit.agents.asked_miner import Said
from clawgit.capture.messages import HOST, OPERATOR
from clawgit.capture.triage.own_words import own_words, without_foreign
from clawgit.capture.triage.signals import HIGH, triage
from clawgit.history.cited import note_lines
from clawgit.memory.gathering import Candidate
from clawgit.memory.mining import Kept, Voice, before_pasted, kept_in
from clawgit.memory.perspective import AGENT, USER, as_remembered
from clawgit.memory.statements import parted
from clawgit.memory.tiers import date_of
from clawgit.text.control import folded
from clawgit.text.similarity import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo

    from clawgit.capture.messages import ChatMessage
    from clawgit.history.cited import NoteLine
    from clawgit.history.repository import History

NOTE_DAYS = 7
_NAME = re.compile(r"[^\W\d_][\w.'-]{0,30}")
_NO_NAMES = frozenset(
    ["user", "operator", "agent", "assistant", "system", "admin", "administrator", "tool", "host", "somebody"]
)
SOMEBODY = "Somebody"


def by_operator(message: ChatMessage) -> bool:
    """Say whether a message is the operator's own word."""
    return message.trust == OPERATOR and message.role == "user" and message.is_operator


def waits_for_validator(message: ChatMessage) -> bool:
    """Say whether a message corrects the agent and was not looked at as a correction yet."""
    return message.signal.validator == HIGH and message.validated_in is None


def candidates_of(message: ChatMessage, zone: tzinfo | None) -> list[Candidate]:
    """Return what of a message is worth keeping; of what others wrote in it, nothing is."""
    voice, who = _voice(message)
    if voice is None:
        return []
    kept = [each for each in kept_in(own_words(message.text), voice) if _is_said(each, message.text)]
    if not kept or message.signal.veto or triage(message.text).veto:
        return []
    day, session = message.sent_at.astimezone(zone).date(), session_of(message, zone)
    return [
        Candidate(
            f"chat:{message.chat_id}",
            each.quote,
            as_remembered(each.statement, who),
            each.tag,
            day,
            session,
            message.trust,
        )
        for each in kept
    ]


def said_in(message: ChatMessage, zone: tzinfo | None) -> Said | None:
    """Return a message as a model gets to read it; None where nothing of it may be remembered."""
    voice, _ = _voice(message)
    text = before_pasted(own_words(message.text)).strip()
    if voice is Voice.AGENT:  # of its own words, what it marks
        text = "\n".join(kept.quote for kept in kept_in(text, voice))
    if voice is None or not text or message.signal.veto or triage(message.text).veto:
        return None
    who = {Voice.OPERATOR: "the operator", Voice.AGENT: "the agent itself"}.get(voice, "somebody else")
    day = message.sent_at.astimezone(zone).date()
    return Said(f"chat:{message.chat_id}", text, who, day, session_of(message, zone), message.trust)


def session_of(message: ChatMessage, zone: tzinfo | None) -> str:
    """Return the session in which a message was said; where there are none, each day of a conversation is one."""
    day = message.sent_at.astimezone(zone).date()
    return f"{message.channel}/{message.conversation}/{message.session or day}"


def note_candidates(lines: Iterable[NoteLine]) -> Iterator[Candidate]:
    """Yield what of notes is worth keeping: the operator's lines as his words, others only where they are marked."""
    for line in lines:
        day = date_of(line.path) or date.min
        parts = parted(line.words)
        voice = Voice.OPERATOR if line.trust == OPERATOR else Voice.AGENT
        for each in kept_in(parts.statement, voice):
            who = USER if line.trust == OPERATOR else AGENT
            yield Candidate(
                f"{line.path}:{line.number}",
                each.quote,
                as_remembered(each.statement, who),
                each.tag,
                day,
                f"note/{day}",
                line.trust,
            )


def recent_notes(history: History, on: date) -> list[NoteLine]:
    """Return the lines of the notes of the last days."""
    tree = history.tip().tree
    days = {f"memory/{on - timedelta(days=back)}.md" for back in range(NOTE_DAYS + 1)}
    return note_lines(history, tree, sorted(path for path in days if tree.entry(path) is not None))


def _voice(message: ChatMessage) -> tuple[Voice | None, str]:
    if by_operator(message):
        return Voice.OPERATOR, USER
    if message.role == "assistant" and message.trust == HOST:
        return Voice.AGENT, AGENT
    if message.role == "user":
        is_name = _NAME.fullmatch(message.sender) and message.sender.lower() not in _NO_NAMES
        return Voice.PERSON, message.sender if is_name else SOMEBODY
    return None, ""


def _is_said(kept: Kept, text: str) -> bool:
    """Say whether a sentence stands so in the message, and most of it is its sender's: no quotation, code or address."""
    return kept.quote in folded(text) and 2 * len(words(without_foreign(kept.quote))) > len(words(kept.quote))


@dataclass(frozen=True, slots=True)
class Share:
    """What one run works on: what it read, what of that may be worth keeping, and what a model is asked about."""

    trust: str
    read: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    said: tuple[Said, ...] = ()
