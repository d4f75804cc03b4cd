"""A message in which the operator may correct the agent, with what was said before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.capture.messages.talk_before import talk_before
from clawgit.memory.corrections.verdicts import Exchange
from clawgit.plan import MESSAGE
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.evidence.pasted_texts import before_pasted
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore

TURNS = 4  # of the agent's, and of both sides


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
