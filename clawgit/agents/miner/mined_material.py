"""What the miner reads: messages that nobody mined, then the notes of the last days, as statements with their evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from clawgit.agents.correction_plans import TIME
from clawgit.agents.miner.model_miner import Said, attributed
from clawgit.history.provenance.evidence_cited import note_lines
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.trust import HOST, OPERATOR
from clawgit.plan import MESSAGE
from clawgit.text.comparing.similarity import words
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.facts.first_person import AGENT, USER, as_quoted, as_remembered
from clawgit.understanding.facts.keepable_sentences import Kept, Voice, before_pasted, kept_in, taken_back_in
from clawgit.understanding.facts.select_facts import Candidate
from clawgit.understanding.patterns.own_words import own_words, without_foreign
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from datetime import datetime, tzinfo

    from clawgit.agents.operator_names import Names
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.evidence_cited import NoteLine
    from clawgit.understanding.facts.cancelled_plans import TakingBack

NOTE_DAYS = 7
VALIDATED_WITHIN = timedelta(days=1)  # a validator that did not come by then does not come
_NAME = re.compile(r"[^\W\d_][\w.'-]{0,30}")
_NO_NAMES = frozenset(
    ["user", "operator", "agent", "assistant", "system", "admin", "administrator", "tool", "host", "somebody"]
)
SOMEBODY = "Somebody"


def by_operator(message: ChatMessage) -> bool:
    """Say whether a message is the operator's own word."""
    return message.trust == OPERATOR and message.role == "user" and message.is_operator


def trust_of_message(message: ChatMessage) -> str:
    """Return what a message counts as: nobody's but the operator's own word rests on him."""
    return OPERATOR if by_operator(message) else lowest([HOST, message.trust])


def trust_of_line(line: NoteLine) -> str:
    """Return what the line of a note counts as."""
    return OPERATOR if line.trust == OPERATOR else lowest([HOST, line.trust])


def waits_for_validator(message: ChatMessage, now: datetime) -> bool:
    """Say whether a message may correct the agent, and the validator, who looks at that, can still be waited for."""
    may_correct = message.signal.validator is not None
    is_waited_for = now - message.received_at < VALIDATED_WITHIN
    return may_correct and message.validated_in is None and is_waited_for


def candidates_of(message: ChatMessage, zone: tzinfo | None, his: Names) -> list[Candidate]:
    """Return what of a message is worth keeping; of what others wrote in it, nothing is.

    What the operator forwarded has none of ``his`` names.
    """
    voice, who = _voice(message, his.senders)
    if voice is None:
        return []
    text = own_words(message.text)
    kept = [each for each in kept_in(text, voice, his.in_letters_of(who)) if _is_said(each, message.text)]
    off = taken_back_in(text, his.in_letters_of(who)) if voice is Voice.OPERATOR else []
    if not (kept or off) or message.signal.veto or triage(message.text).veto:
        return []
    return [
        *(_candidate(message, zone, who, each) for each in kept),
        *(_withdrawal(message, zone, each) for each in off),
    ]


def _candidate(message: ChatMessage, zone: tzinfo | None, who: str, kept: Kept) -> Candidate:
    day = message.sent_at.astimezone(zone).date()
    return Candidate(
        f"{MESSAGE}{message.chat_id}",
        kept.quote,
        attributed(as_remembered(kept.statement, who, on=day), who),
        kept.tag,
        day,
        session_of(message, zone),
        message.trust,
        at=message.sent_at.astimezone(zone).strftime(TIME),
    )


def _withdrawal(message: ChatMessage, zone: tzinfo | None, off: TakingBack) -> Candidate:
    said = _candidate(message, zone, USER, Kept(off.sentence, off.sentence, Tag.DECISION))
    return replace(said, statement=as_quoted(off.sentence), takes_back=off)


def said_in(message: ChatMessage, zone: tzinfo | None, his: Names) -> Said | None:
    """Return a message as a model gets to read it; None where nothing of it may be remembered."""
    voice, who = _voice(message, his.senders)
    if voice is None:
        return None
    text = before_pasted(own_words(message.text), his.in_letters_of(who), voice).strip()
    if voice is Voice.AGENT:  # of its own words, what it marks
        text = "\n".join(kept.quote for kept in kept_in(text, voice))
    if not text or message.signal.veto or triage(message.text).veto:
        return None
    day = message.sent_at.astimezone(zone).date()
    at = message.sent_at.astimezone(zone).strftime(TIME)
    return Said(
        f"{MESSAGE}{message.chat_id}", text, who, day, session_of(message, zone), message.trust, at=at
    )


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
                attributed(as_remembered(each.statement, who, on=day), who),
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


def _voice(message: ChatMessage, his: Collection[str]) -> tuple[Voice | None, str]:
    if by_operator(message):
        return Voice.OPERATOR, USER
    if message.role == "assistant" and message.trust == HOST:
        return Voice.AGENT, AGENT
    if message.role == "user":
        nobodys = message.sender.lower() in _NO_NAMES or message.sender.casefold() in his
        return Voice.PERSON, message.sender if _NAME.fullmatch(message.sender) and not nobodys else SOMEBODY
    return None, ""


def _is_said(kept: Kept, text: str) -> bool:
    """Say whether a sentence stands so in the message, and most of it is its sender's: no quotation, code or address."""
    return kept.quote in folded(text) and 2 * len(words(without_foreign(kept.quote))) > len(words(kept.quote))


@dataclass(frozen=True, slots=True)
class Share:
    """What one run works on: what it read, what of that may be worth keeping, and what a model is asked about.

    ``by_rules``: no model is asked.
    """

    trust: str
    read: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    said: tuple[Said, ...] = ()
    by_rules: bool = True
