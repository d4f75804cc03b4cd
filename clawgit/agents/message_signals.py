"""A message in which the operator may correct the agent: what was said before it, what came of it, what a model makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.authorised_edits import EvidenceEdit
from clawgit.agents.door.candidate_entries import candidates
from clawgit.agents.models.model import ModelError
from clawgit.agents.models.model_questions import Material, one_list, prompt_of
from clawgit.agents.run_agent import by_rules
from clawgit.capture.messages.message_store import talk_before
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.corrections.write_correction import Exchange, shortened
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.judge_message import judge
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.evidence.pasted_texts import before_pasted
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from clawgit.agents.door.candidate_entries import Candidate
    from clawgit.agents.models.ask_model import Asker
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.write_correction import Held


TURNS = 4  # of the agent's, and of both sides
MOST_ENTRIES = 10
MOST_EDITS = 6
LONGEST_TURN = 2000  # characters of what was said before
_SCHEMA = one_list(
    "corrections",
    MOST_EDITS,
    {
        "entry": {"type": "string", "maxLength": 200},
        "statement": {"type": "string", "minLength": 4, "maxLength": 400},
        "quote": {"type": "string", "minLength": 2, "maxLength": 400},
    },
)
_TASK = (
    "The last message of the material is User's, the operator's; what stands before it was said before it, by both sides. "
    "The entries are what memory says now. List which entries that last message corrects: for each the entry's id, the whole "
    "statement that it should make from now on, and the words of the last message that say so. An empty list is a good answer: "
    "most messages correct nothing.\n"
    "Each correction is checked by itself. The quote stands in the last message letter by letter and says that something is "
    "so: no question, condition, wish, order, joke or report of somebody else's words. Every value, name or `not` that changes "
    "stands in that message; what it is about may come from the turns before or from the entry. Keep the entry's subject, its "
    "language and all that was not corrected. What holds once (today, this week) corrects nothing."
)


@dataclass(frozen=True, slots=True)
class Signal:
    """A message that triage flagged, and what both sides said before it, in their order."""

    message: ChatMessage
    turns: tuple[ChatMessage, ...] = ()

    @property
    def evidence_id(self) -> str:
        """Return the id by which the message is cited."""
        return f"{MESSAGE}{self.message.chat_id}"

    @property
    def confidence(self) -> str:
        """Return how sure triage is that the message corrects something."""
        return self.message.signal.validator or ""

    @property
    def told(self) -> str:
        """Return what the sender says himself, a sentence a line: nothing that he quotes, pastes or forwards."""
        return "\n".join(own_sentences(self.message.text))

    @property
    def as_said(self) -> str:
        """Return the same, each sentence where he has it: a quote of two of them is there."""
        return before_pasted(own_words(self.message.text)).strip()

    def exchange(self) -> Exchange:
        """Return what was said, each side in its own words: what either quotes says nothing."""
        agents = [own_words(each.text) for each in reversed(self.turns) if each.role == "assistant"]
        return Exchange(self.told, self.confidence, tuple(agents[:TURNS]))


def signal_of(store: MessageStore, message: ChatMessage) -> Signal:
    """Return a message with what was said before it in the same session."""
    spoken = talk_before(store, message)
    agents = [at for at, each in enumerate(spoken) if each.role == "assistant"][-TURNS:]
    return Signal(message, tuple(spoken[min([len(spoken) - TURNS, *agents[:1]], default=0) :]))


class DealtWith(NamedTuple):
    """The corrections that a message made, asked or noted before."""

    known: tuple[Correction, ...] = ()

    def has(self, held: Held) -> bool:
        """Say whether the message set an entry right, or asked about it."""
        return bool(self._about(held))

    def rest(self, exchange: Exchange, entries: Sequence[Held]) -> Exchange:
        """Return an exchange without the sentences that are about an entry that was dealt with."""
        if not self.known:
            return exchange
        before = [self._before(held) for held in entries]
        rest = []
        for sentence in exchange.told.split("\n"):
            if not self._has_read(replace(exchange, told=sentence), before):
                rest.append(sentence)
        return replace(exchange, told="\n".join(rest))

    def _has_read(self, exchange: Exchange, entries: Sequence[Held]) -> bool:
        """Say whether a sentence is about what was dealt with: where several may be meant, one of these is."""
        wrong = judge(exchange, entries).wrong
        if wrong:  # a question may still be answered by it
            return all(self._applied_to(held) is not None for held, _ in wrong)
        alone = judge(exchange, [held for held in entries if self.has(held)])
        return bool(alone.wrong or alone.asks)

    def _before(self, held: Held) -> Held:
        """Return an entry as the message met it."""
        correction = self._applied_to(held)
        if correction is None or not correction.said:
            return held
        return replace(held, entry=held.entry._replace(text=correction.said))

    def _applied_to(self, held: Held) -> Correction | None:
        return next((each for each in self._about(held) if each.status is Status.APPLIED), None)

    def _about(self, held: Held) -> list[Correction]:
        entry_id = held.entry.entry_id
        if entry_id:
            return [each for each in self.known if entry_id in (*each.corrects, *each.may_correct)]
        statement = shortened(held.parts.statement)
        return [each for each in self.known if each.said == statement]


def dealt_with(tree: Tree, evidence_id: str) -> DealtWith:
    """Return what came of a message so far, as it is in a tree."""
    standing = standing_corrections(tree).values()
    return DealtWith(tuple(each for each in standing if evidence_id in each.evidence))


class Answered(NamedTuple):
    """What a model answered: the edits, what it cost, and a sentence on how it went.

    ``is_settled``: it read the message, so that what it left is no correction, unless that is plain.
    """

    edits: tuple[EvidenceEdit, ...] = ()
    tokens: int = 0
    note: str = ""
    is_settled: bool = False


def ask_validator(asker: Asker, soul: str, signal: Signal, history: History, now: datetime) -> Answered:
    """Return what a model takes a message to correct; where it gives nothing that can be used, that rules do it, and why."""
    exchange = signal.exchange()
    known = candidates(history, exchange.told, exchange.before, now, most=MOST_ENTRIES)
    if not known:
        return Answered()
    named = {(each.entry_id and f"m:{each.entry_id}") or f"{each.path}:{each.line}": each for each in known}
    material = [
        *(Material(name, "memory", each.statement) for name, each in named.items()),
        *(_turn(each) for each in signal.turns),
        Material(signal.evidence_id, "User, the operator: the message to judge", signal.as_said),
    ]
    try:
        answer = asker.complete(prompt_of(soul, _TASK, material, _SCHEMA), _SCHEMA)
    except ModelError as error:
        return Answered(tokens=error.spent, note=by_rules(error))
    edits = tuple(_edits(answer["corrections"], named, signal.message.chat_id))
    return Answered(edits, asker.spent, is_settled=len(edits) == len(answer["corrections"]))


def _turn(message: ChatMessage) -> Material:
    who = "Agent, the agent itself" if message.role == "assistant" else "User"
    if message.role != "assistant" and message.trust != "operator":
        who = "somebody else, not the operator"
    return Material(f"chat:{message.chat_id}", who, message.text[:LONGEST_TURN])


def _edits(answer: list[dict[str, str]], named: dict[str, Candidate], chat_id: str) -> Iterator[EvidenceEdit]:
    for each in answer:
        entry = named.get(each["entry"]) or named.get(f"m:{each['entry']}")
        if entry is not None:
            name = entry.entry_id or entry.statement
            yield EvidenceEdit(name, folded(each["statement"]), chat_id, folded(each["quote"]))
