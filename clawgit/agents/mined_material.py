"""What the miner reads of the operator's messages, and a model's findings in them, each checked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, tzinfo
from itertools import filterfalse
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from clawgit.agents.door.authorised_edits import Authority, EvidenceEdit
from clawgit.agents.door.meant_entries import EntryCandidate as Near
from clawgit.agents.door.meant_entries import offered
from clawgit.agents.door.second_reader import AUTO, NOT_CONFIRMED, Reading, confirmed, reading_of
from clawgit.agents.models.model import TEXT, Material, one_line_values, one_list, one_of, prompt_of, refused
from clawgit.capture.messages.message import ChatMessage, is_his, talk_before
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import parted, without_order
from clawgit.memory.provenance.readings import is_verbatim
from clawgit.memory.trust import HOST, OPERATOR
from clawgit.plan import MESSAGE
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.control_characters import folded, legible
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.evidence.check_edit import ProposedEdit
from clawgit.understanding.evidence.own_sentences import own_sentences, own_text
from clawgit.understanding.facts.keepable_sentences import is_forbidden, kept_in, quoted_in
from clawgit.understanding.facts.select_facts import FactCandidate
from clawgit.understanding.forms.user_words import USER, as_remembered
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clawgit.agents.models.model import Asker

VALIDATED_WITHIN = timedelta(days=1)  # after that the miner no longer waits for the validator
MOST_ASKED = 10_000  # tokens of messages in one question to a model; the rest waits for the next run
MOST_MEMORIES = 40
SHORTEST_QUOTE = 2  # words
TURNS = 4  # of both sides before a message
LONGEST_TURN = 600  # letters
NEAR, MOST_NEAR = 4, 20  # entries by a message, in a question
_MARKS = frozenset("#@|`[]{}<>*_~\\")
_ADD, _SUPERSEDES, _MENTION = "ADD", "SUPERSEDES", "MENTION"
_SCHEMA = one_list(
    "memories",
    MOST_MEMORIES,
    {
        "do": one_of(_ADD, _SUPERSEDES, _MENTION),
        "entry": TEXT,
        "statement": TEXT,
        "tag": one_of(*(tag.value for tag in Tag)),
        "id": TEXT,
        "quote": TEXT,
    },
    "entry",
)
_TASK = """\
The material is what memory says now ("memory") and the talk since the last time, both sides in order. List what of the talk
will still matter in a month. Messages marked "for context" help you understand the others, and nothing rests on them.
For each memory: "do" is ADD for something new, SUPERSEDES where an entry of memory is not so any more ("entry" is its id, and
"statement" what it says from now on), MENTION where an entry is said again; "id" is the one message that it rests on, "quote" the
words of that message that say it, letter by letter. Each memory is checked by itself, and left out where the check fails:
- The quote points at User's own words, not at what he pasted or quotes; their whole sentences stay with the memory. They say
  that something is so: no question, condition, wish, plan of maybe, or report of what somebody else said.
- Every name, number, date, "not" and content word of the statement stands in that message, else it counts as the agent's word,
  not as his: where he only says yes to something, leave it out.
- The statement stands alone, in the language of the message: "User" for "I", names for pronouns, dates for "tomorrow".
- What replaces an entry keeps its subject and all of it that still holds. Say nothing twice.
- An event of one day is tagged event; memory keeps one that is still to come until its day, so name that by its date.
- What he asks to remember is always listed. A message that you list nothing of is done with; an empty list is a good answer."""


def waits_for_validator(message: ChatMessage, now: datetime) -> bool:
    """Say whether a message may be a correction that the validator still has time to read."""
    is_waited_for = now - message.received_at < VALIDATED_WITHIN
    return message.signal.validator is not None and message.validated_in is None and is_waited_for


def cited_as(message: ChatMessage) -> str:
    """Return the evidence id of a message."""
    return f"{MESSAGE}{message.chat_id}"


def readable_text(message: ChatMessage) -> str:
    """Return the operator's own words for a model; empty if they are to be forgotten."""
    if message.signal.veto or triage(message.text).veto:
        return ""
    return own_text(message.text)


def candidate_of(
    message: ChatMessage, zone: tzinfo | None, quote: str, statement: str, tag: Tag
) -> FactCandidate:
    """Return a candidate for an entry, with a message as evidence."""
    on = message.sent_at.astimezone(zone).date()
    origin = (session_of(message, zone), message.trust)
    return FactCandidate(cited_as(message), quote, statement, tag, on, *origin, said_at(message, zone))


def said_at(message: ChatMessage, zone: tzinfo | None) -> str:
    """Return the time of a message as text that sorts by time."""
    return message.sent_at.astimezone(zone).isoformat(" ")


def session_of(message: ChatMessage, zone: tzinfo | None) -> str:
    """Return the session of a message; without sessions, each day of a conversation is one."""
    day = message.sent_at.astimezone(zone).date()
    return f"{message.channel}/{message.conversation}/{message.session or day}"


@dataclass(frozen=True, slots=True)
class Share:
    """The input of one run: the messages read, and what rules would keep."""

    trust: str
    read: tuple[str, ...]
    candidates: tuple[FactCandidate, ...]
    asked: tuple[ChatMessage, ...] = ()  # messages for a model first, if there is one
    left_out: Mapping[str, str] = field(default_factory=dict)  # by message: orders that do not fit an entry
    readable: frozenset[str] = frozenset()  # messages that a model may find more in
    again: frozenset[str] = frozenset()  # those that rules read before


def share_of(
    messages: Sequence[ChatMessage], used: Collection[str], zone: tzinfo | None, *, has_model: bool
) -> Share:
    """Return the share of messages to mine: the operator's; those of others and ``used`` ones are only marked as read.

    Without a model everything goes by rules.
    """
    own = list(filter(is_his, messages))
    others = filterfalse(is_his, messages)
    if has_model:
        own = list(_within_budget(own))
    own.sort(key=lambda each: each.sent_at)
    fresh = [each for each in own if cited_as(each) not in used]
    left_out: dict[str, str] = {}
    return Share(
        OPERATOR,
        (*map(cited_as, own), *map(cited_as, others)),
        tuple(_candidates(fresh, zone, left_out)),
        tuple(each for each in fresh if readable_text(each)) if has_model else (),
        left_out,
        frozenset(cited_as(each) for each in fresh if not each.signal.veto),
        frozenset(cited_as(each) for each in fresh if each.read_in),
    )


def _candidates(
    messages: Iterable[ChatMessage], zone: tzinfo | None, left_out: dict[str, str]
) -> Iterator[FactCandidate]:
    for message in messages:
        sentences = kept_in(message.text)
        if sentences and (message.signal.veto or triage(message.text).veto):
            continue
        for sentence in sentences:
            if sentence.why_not:
                cited = cited_as(message)
                left_out[cited] = f"An order to remember was not kept ({cited}): {sentence.why_not}."
                continue
            statement = as_remembered(without_order(sentence.quote))
            candidate = candidate_of(message, zone, sentence.quote, statement, sentence.tag)
            yield replace(candidate, is_ordered=sentence.is_ordered)


def _within_budget(messages: Iterable[ChatMessage]) -> Iterator[ChatMessage]:
    used = 0
    for at, message in enumerate(messages):
        used += count_tokens(own_words(message.text))
        if at and used > MOST_ASKED:
            return
        yield message


@dataclass(frozen=True, slots=True)
class Mined:
    """A model's findings in a share, the rules' findings in the rest, and notes."""

    candidates: tuple[FactCandidate, ...]
    notes: tuple[str, ...] = ()
    is_answered: bool = False
    is_spent: bool = False
    others: tuple[FactCandidate, ...] = ()  # in the model's own words
    readings: tuple[EvidenceEdit, ...] = ()


def reading_in(candidate: FactCandidate) -> EvidenceEdit:
    """Return a finding as an edit on the ground of its message."""
    origin = (candidate.statement, candidate.evidence_id.removeprefix(MESSAGE), candidate.quote)
    return EvidenceEdit(candidate.entry, *origin, candidate.doubt, candidate.is_confirmed)


def _named(entry: Near) -> str:
    return entry.entry_id or entry.statement


def _turn(message: ChatMessage, on: date, is_asked: bool) -> Material:
    if is_asked:
        return Material(cited_as(message), "User, the operator", readable_text(message), on.isoformat())
    somebody = "User" if is_his(message) else "somebody else"
    who = "Agent, the agent itself" if message.role == "assistant" else somebody
    text = own_words(message.text)[:LONGEST_TURN]
    return Material(cited_as(message), f"{who}, for context", text, on.isoformat())


def ask_miner(asker: Asker, soul: str, share: Share, authority: Authority) -> Mined:
    """Return what the model finds worth keeping, given surrounding turns and entries; each memory is checked alone."""
    zone, questioned = authority.now.tzinfo, share.asked
    turns: dict[str, ChatMessage] = {}
    near: list[Near] = []
    for message in questioned:
        before = talk_before(authority.store, message)
        turns |= {each.chat_id: each for each in (*before[-TURNS:], message)}
        agent_turns = [each.text for each in reversed(before) if each.role == "assistant"]
        most = max(NEAR, MOST_NEAR // len(questioned))
        near += offered(authority.history, readable_text(message), agent_turns, authority.now, most=most)
    nearest = sorted(near, key=lambda each: -each.score)
    once = list({_named(each): each for each in nearest}.values())[:MOST_NEAR]
    entries = {f"m:{each.entry_id}" if each.entry_id else f"e:{at}": each for at, each in enumerate(once, 1)}
    by_citation = {cited_as(each): each for each in questioned}
    materials = [Material(address, "memory", each.statement) for address, each in entries.items()]
    for each in sorted(turns.values(), key=lambda each: (each.channel, each.conversation, each.sent_at)):
        materials.append(_turn(each, each.sent_at.astimezone(zone).date(), cited_as(each) in by_citation))
    answer = asker.complete(prompt_of(soul, _TASK, materials, _SCHEMA), _SCHEMA)
    candidates: list[FactCandidate] = []
    refusals: list[tuple[str, str]] = []
    for row in answer["memories"]:
        memory = one_line_values(row, "entry")
        cited = by_citation.get(memory["id"])
        if cited is None:
            why_not = f"it names {memory['id'][:40]!r}, which it was not given."
        else:
            candidate = _candidate(memory, cited, entries, zone)
            why_not = _unfit(memory, entries) or _unsaid(candidate, cited)
            if not why_not and not candidate.entry:  # an addition rests on the quoted sentences
                ground = authority.ground(ProposedEdit("", candidate.statement, candidate.quote), cited)
                if ground.level:
                    candidate = replace(candidate, quote=ground.quote, trust=ground.level)
                else:
                    why_not = ground.says
            if not why_not:
                candidates.append(candidate)
            elif memory["do"] == _ADD:  # the whole quoted sentences, as rules keep them
                for sentence in quoted_in(cited.text, memory["quote"]):
                    statement = as_remembered(sentence.quote)
                    candidates.append(candidate_of(cited, zone, sentence.quote, statement, sentence.tag))
        if why_not:
            refusals.append((memory["id"], refused(f"{memory['statement']!r}: {why_not}")))
    read = _read_again(asker, candidates, by_citation, list(entries.values()), authority)
    notes = [f"The model had answered this before, for {asker.saved:,} tokens."] if asker.saved else []
    return _with_rules(share, read, dict(refusals).keys(), [*notes, *map(itemgetter(1), refusals)])


def _with_rules(
    share: Share, read: Sequence[FactCandidate], refused_of: Iterable[str], notes: list[str]
) -> Mined:
    """Return a model's findings with those of rules that stay: orders, and of messages of which nothing became the operator's."""
    others = tuple(each for each in read if each.trust == HOST)
    # these rest on the operator's own message
    of_his = [replace(each, trust=OPERATOR) for each in read if each.trust != HOST]
    quotes: dict[str, list[str]] = {}
    for each in of_his:
        quotes.setdefault(each.evidence_id, []).append(each.quote)
    no_his = {*refused_of, *map(attrgetter("evidence_id"), others)}
    by_rules = []
    for each in share.candidates:
        of_message = quotes.get(each.evidence_id, [])
        if each.is_ordered:
            stays = not any(quote in each.quote or each.quote in quote for quote in of_message)
        else:
            stays = not of_message and each.evidence_id in no_his
        if stays:
            by_rules.append(each)
    notes += [why_not for evidence, why_not in share.left_out.items() if evidence not in quotes]
    readings = tuple(reading_in(each) for each in (*of_his, *others) if not each.is_mention)
    candidates = tuple(sorted([*of_his, *by_rules], key=attrgetter("at")))
    return Mined(candidates, tuple(notes), is_answered=True, others=others, readings=readings)


def _read_again(
    asker: Asker,
    candidates: Sequence[FactCandidate],
    messages: Mapping[str, ChatMessage],
    near: Sequence[Near],
    authority: Authority,
) -> list[FactCandidate]:
    """Return the findings after a second reading: an unconfirmed edit is asked, an unconfirmed addition is the host's word."""
    if authority.history.settings.second_reader != AUTO:
        return list(candidates)
    statements = {_named(entry): entry.statement for entry in near}
    readings: dict[int, Reading] = {}
    for at, each in enumerate(candidates):
        if each.is_mention or each.trust == HOST or (not each.entry and each.trust == OPERATOR):
            continue
        message, old = messages[each.evidence_id], statements.get(each.entry, "")
        readings[at] = reading_of(message, old, each.statement, list(statements.values()), authority)
    holds = dict(zip(readings, confirmed(asker, list(readings.values())), strict=False))
    read: list[FactCandidate] = []
    for at, each in enumerate(candidates):
        if holds.get(at, True):
            read.append(replace(each, is_confirmed=at in holds))
        elif each.entry:
            read.append(replace(each, doubt=NOT_CONFIRMED))
        else:
            read.append(replace(each, trust=HOST))
    return read


def _candidate(
    memory: Mapping[str, str], message: ChatMessage, entries: Mapping[str, Near], zone: tzinfo | None
) -> FactCandidate:
    statement = parted(memory["statement"]).statement
    if is_verbatim(statement, own_words(message.text)):
        statement = as_remembered(statement)
    candidate = candidate_of(message, zone, memory["quote"], statement, Tag(memory["tag"]))
    entry = entries.get(memory["entry"])
    if memory["do"] == _ADD or entry is None:
        return candidate
    return replace(candidate, entry=_named(entry), is_mention=memory["do"] == _MENTION)


def _unfit(memory: Mapping[str, str], entries: Mapping[str, Near]) -> str:
    statement = memory["statement"]
    if is_forbidden(legible(statement).text) or "<!--" in statement or "-->" in statement:
        return "it speaks of instructions, of the agent's own files or of secrets."
    if memory["do"] == _ADD:
        return ""
    if memory["entry"] not in entries:
        return f"it names the entry {memory['entry'][:40]!r}, which it was not given."
    is_of_it = subject(entries[memory["entry"]].statement) & subject(memory["quote"])
    if memory["do"] == _MENTION and not is_of_it:
        return f"the message says nothing of {memory['entry']}."
    return ""


def _unsaid(candidate: FactCandidate, message: ChatMessage) -> str:
    quoted = words(candidate.quote)
    is_answer = quoted in map(words, own_sentences(message.text))  # `Kofler.`, where the agent asked who
    if len(quoted) < SHORTEST_QUOTE and not (is_answer and set(quoted) <= set(words(candidate.statement))):
        return "It quotes less than two words."
    if candidate.is_mention and candidate.quote not in folded(message.text):
        return "The quote is not in that message."
    if candidate.is_mention or candidate.entry:
        return ""
    if _MARKS.intersection(candidate.statement) - set(message.text):
        return "It has marks that the message lacks."
    is_quoted = candidate.statement.startswith(f"{USER}: ")
    if not is_quoted and as_remembered(candidate.statement) != candidate.statement:
        return "It speaks to somebody, or for several."
    return ""
