"""What the miner reads: messages that nobody mined, and the notes of the last days, in shares of one trust each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from clawgit.agents.authorised_edits import is_his
from clawgit.agents.miner.model_miner import Said, within_budget
from clawgit.history.provenance.evidence_cited import note_lines
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.trust import HOST, OPERATOR, TRUSTS
from clawgit.plan import MESSAGE
from clawgit.text.comparing.similarity import words
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.facts.first_person import AGENT, SAYS, USER, as_asked, as_quoted, as_remembered
from clawgit.understanding.facts.keepable_sentences import Kept, Voice, before_pasted, kept_in
from clawgit.understanding.facts.select_facts import Candidate
from clawgit.understanding.patterns.own_words import own_words, without_foreign
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import datetime, tzinfo

    from clawgit.agents.operator_names import Names
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.evidence_cited import NoteLine

NOTE_DAYS = 7
VALIDATED_WITHIN = timedelta(days=1)  # a validator that did not come by then does not come
_NAME = re.compile(r"[^\W\d_][\w.'-]{0,30}")
_NO_NAMES = frozenset(
    ["user", "operator", "agent", "assistant", "system", "admin", "administrator", "tool", "host", "somebody"]
)
SOMEBODY = "Somebody"
_OPERATOR_ELSEWHERE = ("用户", "用戶", "사용자")  # what memory calls the operator, where words have no ends
_MINED = f"#{Tag.EVENT.value}"  # of the miner's own lines in a note


def trust_of_message(message: ChatMessage) -> str:
    """Return what a message counts as: nobody's but the operator's own word rests on him."""
    return OPERATOR if is_his(message) else lowest([HOST, message.trust])


def trust_of_line(line: NoteLine) -> str:
    """Return what the line of a note counts as."""
    return OPERATOR if line.trust == OPERATOR else lowest([HOST, line.trust])


def waits_for_validator(message: ChatMessage, now: datetime) -> bool:
    """Say whether a message may correct the agent, and the validator, who looks at that, can still be waited for."""
    is_waited_for = now - message.received_at < VALIDATED_WITHIN
    return message.signal.validator is not None and message.validated_in is None and is_waited_for


def is_readable(message: ChatMessage) -> bool:
    """Say whether a model may find something in a message of which rules took nothing."""
    return is_his(message) and not message.signal.veto


def kept_of(message: ChatMessage, his: Names) -> list[Kept]:
    """Return what of a message is worth keeping by rules; of what others wrote in it, nothing is.

    What the operator forwarded has none of ``his`` names.
    """
    voice, who = _voice(message, his.senders)
    if voice is None:
        return []
    found = kept_in(own_words(message.text), voice, his.in_letters_of(who))
    kept = [each for each in found if _is_said(each, message.text)]
    return [] if not kept or message.signal.veto or triage(message.text).veto else kept


def candidate_of(message: ChatMessage, zone: tzinfo | None, his: Names, kept: Kept) -> Candidate:
    """Return what was kept of a message as a statement of its sender."""
    _, who = _voice(message, his.senders)
    day = message.sent_at.astimezone(zone).date()
    return Candidate(
        f"{MESSAGE}{message.chat_id}",
        kept.quote,
        attributed(remembered(kept, who, day), who),
        kept.tag,
        day,
        session_of(message, zone),
        message.trust,
        at=said_at(message, zone),
        is_ordered=kept.is_ordered,
    )


def attributed(statement: str, who: str) -> str:
    """Return a statement of ``who`` as memory keeps it: it begins with whose it is, unless it is the operator's.

    The agent's own stand as they are, but for those about the operator: these would read like his.
    """
    begins = (
        statement.casefold().startswith(who.casefold()) and not statement[len(who) : len(who) + 1].isalnum()
    )
    named = {USER.casefold(), f"{USER.casefold()}'s"}.intersection(words(statement))
    is_about_operator = named or any(name in statement for name in _OPERATOR_ELSEWHERE)
    return (
        statement
        if who == USER or begins or (who == AGENT and not is_about_operator)
        else f"{who}{SAYS}{statement}"
    )


def remembered(kept: Kept, who: str, day: date) -> str:
    """Return what was kept as memory says it; of an order that has no form, the words."""
    said = as_remembered(kept.statement, who, on=day)
    has_no_form = kept.statement == kept.quote and kept.tag in (Tag.KNOWLEDGE, Tag.EVENT)
    is_verbatim = kept.is_ordered and (has_no_form or said == as_quoted(kept.statement))
    return as_asked(kept.quote) if is_verbatim else said


def said_in(message: ChatMessage, zone: tzinfo | None, his: Names) -> Said | None:
    """Return a message of the operator's as a model gets to read it; None where nothing of it may be remembered."""
    text = before_pasted(own_words(message.text), his.in_letters_of(USER)).strip()
    if not text or message.signal.veto or triage(message.text).veto:
        return None
    at = message.sent_at.astimezone(zone)
    return Said(
        f"{MESSAGE}{message.chat_id}", text, at.date(), session_of(message, zone), at=said_at(message, zone)
    )


def said_at(message: ChatMessage, zone: tzinfo | None) -> str:
    """Return when a message was sent, such that texts of times compare as the times do."""
    return message.sent_at.astimezone(zone).isoformat(" ")


def session_of(message: ChatMessage, zone: tzinfo | None) -> str:
    """Return the session in which a message was said; where there are none, each day of a conversation is one."""
    day = message.sent_at.astimezone(zone).date()
    return f"{message.channel}/{message.conversation}/{message.session or day}"


def note_candidates(lines: Iterable[NoteLine]) -> Iterator[Candidate]:
    """Yield what of notes is worth keeping: the operator's lines as his words, others only where they are marked."""
    for line in lines:
        if line.words.endswith(_MINED):
            continue
        day = date_of(line.path) or date.min
        parts = parted(line.words)
        voice = Voice.OPERATOR if line.trust == OPERATOR else Voice.AGENT
        who = USER if line.trust == OPERATOR else AGENT
        for each in (kept for kept in kept_in(parts.statement, voice) if kept.statement):
            yield Candidate(
                f"{line.path}:{line.number}",
                each.quote,
                attributed(remembered(each, who, day), who),
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
    if is_his(message):
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

    ``by_rules``: no model is asked. ``left_out`` says by message which orders no entry can hold; ``readable`` are messages of
    which a model may make more, ``again`` those that rules read before.
    """

    trust: str
    read: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    said: tuple[Said, ...] = ()
    by_rules: bool = True
    left_out: Mapping[str, str] = field(default_factory=dict)
    readable: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Waiting:
    """What nobody mined yet, and what has to be known of it.

    ``cited`` and ``denied`` are only marked as read; ``his`` are the operator's names. Without a ``model`` everything goes by rules.
    """

    messages: list[ChatMessage]
    notes: list[NoteLine]
    cited: Collection[str]
    his: Names
    zone: tzinfo | None
    denied: Collection[str] = ()
    model: bool = False

    def shares(self) -> list[Share]:
        """Return the shares in which something is, the operator's first."""
        return [share for trust in reversed(TRUSTS) if (share := self._of(trust)).read]

    def _of(self, most: str) -> Share:
        messages = [each for each in self.messages if trust_of_message(each) == most]
        fresh = [
            each
            for each in messages
            if f"{MESSAGE}{each.chat_id}" not in self.cited and each.chat_id not in self.denied
        ]
        places = {each.chat_id: at for at, each in enumerate(sorted(fresh, key=lambda each: each.sent_at))}
        said: list[Said] = []
        is_asked = self.model and most == OPERATOR  # what others said is read by rules alone
        if is_asked:
            said = within_budget(self._said(fresh, places))
            messages, fresh = _up_to(messages, said), _up_to(fresh, said)
        left_out: dict[str, str] = {}
        notes = note_candidates(line for line in self.notes if trust_of_line(line) == most)
        candidates = (*self._candidates(fresh, places, left_out), *notes)
        from_notes = {each.evidence_id for each in candidates if not each.evidence_id.startswith(MESSAGE)}
        read = (*(f"{MESSAGE}{each.chat_id}" for each in messages), *sorted(from_notes))
        return Share(
            lowest([most, *(each.trust for each in candidates)]),
            read,
            candidates,
            tuple(said),
            by_rules=not is_asked,
            left_out=left_out,
            readable=frozenset(f"{MESSAGE}{each.chat_id}" for each in fresh if is_readable(each)),
            again=frozenset(f"{MESSAGE}{each.chat_id}" for each in fresh if each.read_in),
        )

    def _said(self, messages: list[ChatMessage], places: Mapping[str, int]) -> Iterator[Said]:
        """Yield what a model may read of messages, in their order, with their places in the talk."""
        for message in messages:
            said = said_in(message, self.zone, self.his)
            if said is not None:
                yield said._replace(place=places[message.chat_id])

    def _candidates(
        self, messages: list[ChatMessage], places: Mapping[str, int], left_out: dict[str, str]
    ) -> Iterator[Candidate]:
        """Yield what of messages is worth keeping, in the order in which they were said, and note which orders no entry can hold."""
        for message in sorted(messages, key=lambda each: places[each.chat_id]):
            evidence = f"{MESSAGE}{message.chat_id}"
            for kept in kept_of(message, self.his):
                if kept.why_not:
                    left_out[evidence] = f"An order to remember was not kept ({evidence}): {kept.why_not}."
                else:
                    found = candidate_of(message, self.zone, self.his, kept)
                    yield replace(found, place=places[message.chat_id])


def _up_to(messages: list[ChatMessage], said: list[Said]) -> list[ChatMessage]:
    """Return messages up to the last one that is among ``said``; all, where none is."""
    asked = {each.evidence_id for each in said}
    last = max((at for at, each in enumerate(messages) if f"{MESSAGE}{each.chat_id}" in asked), default=None)
    return messages if last is None else messages[: last + 1]
