"""What a model finds worth keeping: its answer is nobody's word until each part of it was checked by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.authorised_edits import is_his
from clawgit.agents.door.candidate_entries import candidates
from clawgit.agents.mined_material import candidate_of, cited_as, readable_text
from clawgit.agents.models.model_questions import (
    TEXT,
    Material,
    one_line_values,
    one_list,
    one_of,
    prompt_of,
    refused,
)
from clawgit.capture.messages.message_store import talk_before
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import parted
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.readable_text import legible
from clawgit.understanding.evidence.check_edit import Proposal
from clawgit.understanding.facts.first_person import as_quoted, as_remembered
from clawgit.understanding.facts.keepable_sentences import is_forbidden
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, tzinfo

    from clawgit.agents.door.authorised_edits import Authority
    from clawgit.agents.door.candidate_entries import Candidate as Near
    from clawgit.agents.models.ask_model import Asker
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.understanding.facts.select_facts import Candidate


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
- The quote stands in User's own words, not in what he pasted or quotes, and says that something is so: no question, condition,
  wish, plan of maybe, or report of what somebody else said.
- Every name, number, date, "not" and verb of the statement stands in that message. What a word like "it" or "the light one" means
  may come from the message before it, a value may not: where he only says yes to one, leave it out.
- The statement stands alone, in the language of the message: "User" for "I", names for pronouns, dates for "tomorrow".
- What replaces an entry keeps its subject and all of it that still holds. Say nothing twice.
- An event of one day is tagged event. What he asks to remember is always listed. An empty list is a good answer."""


class Talk(NamedTuple):
    """What a model reads: the operator's messages that it mines, turns of both sides in order, and the entries near them.

    An entry goes by its id, or by an address of this question where it has none.
    """

    asked: Sequence[ChatMessage]
    turns: Sequence[Material]
    entries: Mapping[str, Near]


class Answered(NamedTuple):
    """What of an answer holds, and why the rest does not, by the message that it names."""

    candidates: tuple[Candidate, ...]
    refused: tuple[tuple[str, str], ...] = ()


def talk_around(asked: Sequence[ChatMessage], authority: Authority) -> Talk:
    """Return messages with the turns and the entries around them; a turn that is not asked about is there for context."""
    turns: dict[str, ChatMessage] = {}
    near: list[Near] = []
    for message in asked:
        before = talk_before(authority.store, message)
        turns |= {each.chat_id: each for each in (*before[-TURNS:], message)}
        said = [each.text for each in reversed(before) if each.role == "assistant"]
        near += candidates(authority.history, readable_text(message), said, authority.now, most=NEAR)
    nearest = sorted(near, key=lambda each: -each.score)
    once = list({_named(each): each for each in nearest}.values())[:MOST_NEAR]
    entries = {f"m:{each.entry_id}" if each.entry_id else f"e:{at}": each for at, each in enumerate(once, 1)}
    in_order = sorted(turns.values(), key=lambda each: (each.channel, each.conversation, each.sent_at))
    ids = {each.chat_id for each in asked}
    zone = authority.now.tzinfo
    return Talk(
        asked,
        [_turn(each, each.sent_at.astimezone(zone).date(), each.chat_id in ids) for each in in_order],
        entries,
    )


def _named(entry: Near) -> str:
    """Return an entry's id, or its words where it has none."""
    return entry.entry_id or entry.statement


def _turn(message: ChatMessage, on: date, is_asked: bool) -> Material:
    """Return a message as a model reads it: one that is not asked about is cut short."""
    if is_asked:
        return Material(cited_as(message), "User, the operator", readable_text(message), on.isoformat())
    somebody = "User" if is_his(message) else "somebody else"
    who = "Agent, the agent itself" if message.role == "assistant" else somebody
    text = own_words(message.text)[:LONGEST_TURN]
    return Material(cited_as(message), f"{who}, for context", text, on.isoformat())


def ask_miner(asker: Asker, soul: str, talk: Talk, authority: Authority) -> Answered:
    """Return what the model finds worth keeping in messages; each memory is checked by itself.

    Raises:
        ModelError: It gave no answer of the shape that was asked for.
    """
    if not talk.asked:
        return Answered(())
    entries = (Material(address, "memory", each.statement) for address, each in talk.entries.items())
    answer = asker.complete(prompt_of(soul, _TASK, [*entries, *talk.turns], _SCHEMA), _SCHEMA)
    known = {cited_as(each): each for each in talk.asked}
    found: list[Candidate] = []
    refusals: list[tuple[str, str]] = []
    for row in answer["memories"]:
        memory = one_line_values(row, "entry")
        message = known.get(memory["id"])
        if message is None:
            why_not = f"it names {memory['id'][:40]!r}, which it was not given."
        else:
            candidate = _candidate(memory, message, talk.entries, authority.now.tzinfo)
            why_not = _unfit(memory, talk.entries) or _unsaid(candidate, memory, message, authority)
            if not why_not:
                found.append(candidate)
        if why_not:
            refusals.append((memory["id"], refused(f"{memory['statement']!r}: {why_not}")))
    return Answered(tuple(found), tuple(refusals))


def _candidate(
    memory: Mapping[str, str], message: ChatMessage, entries: Mapping[str, Near], zone: tzinfo | None
) -> Candidate:
    said_so = parted(memory["statement"]).statement
    remembered = as_remembered(said_so)
    statement = said_so if remembered == as_quoted(said_so) else remembered
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


def _unsaid(
    candidate: Candidate, memory: Mapping[str, str], message: ChatMessage, authority: Authority
) -> str:
    """Return why a message does not carry what is added because of it; who takes an entry's place is looked at there."""
    if len(words(memory["quote"])) < SHORTEST_QUOTE:
        return "It quotes less than two words."
    if candidate.is_mention:
        is_there = memory["quote"] in folded(message.text)
        return "" if is_there else "The quote is not in that message."
    if candidate.entry:
        return ""
    if _MARKS.intersection(candidate.statement) - set(message.text):
        return "It has marks that the message lacks."
    if as_remembered(candidate.statement) == as_quoted(candidate.statement):
        return "It speaks to somebody, or for several."
    objection = authority.objection(Proposal("", candidate.statement, memory["quote"]), message)
    return "" if objection is None else objection.says
