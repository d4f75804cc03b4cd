"""Messages that triage did not flag, heard in their context: the operator says again what the agent just said, with another value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.agents.validator.recall_validator import LOOKED_BACK, signal_of, spoken_before
from clawgit.memory.trust import HOST
from clawgit.understanding.corrections.restated_values import one_statement, said_again
from clawgit.understanding.facts.first_person import USER
from clawgit.understanding.facts.keepable_sentences import before_pasted
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from clawgit.agents.operator_names import Names
    from clawgit.agents.validator.recall_validator import Signal
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore

LONGEST = 2000  # characters of a message that may say one thing, with what it quotes
AT_ONCE = 20_000  # messages
CLOSE_BY = 4  # messages of one conversation, the one that is looked at among them


@dataclass(frozen=True, slots=True)
class Overheard:
    """What may set an entry right, if one says so, and the ids of the messages that certainly do not."""

    signals: tuple[Signal, ...]
    others: tuple[str, ...]


def overhear(store: MessageStore, names: Names) -> Overheard:
    """Look at the messages that nobody has read, each by itself first: hardly one is looked at with what was said before."""
    signals, others = [], []
    for message in store.to_overhear(AT_ONCE):
        signal = _signal(store, message, names)
        if signal is None:
            others.append(message.chat_id)
        else:
            signals.append(signal)
    return Overheard(tuple(signals), tuple(others))


def _signal(store: MessageStore, message: ChatMessage, names: Names) -> Signal | None:
    ours = names.in_letters_of(USER)
    told = own_words(message.text) if len(message.text) <= LONGEST else ""
    if not one_statement(told) or message.signal.veto or before_pasted(told, ours) != told:
        return None
    answered = _answered(store, message)
    restated = None if answered is None else said_again(own_words(answered.text), told)
    if restated is None:
        return None
    return replace(signal_of(store, message, ours), restated=restated, his=names.his)


def _answered(store: MessageStore, message: ChatMessage) -> ChatMessage | None:
    """Return the agent's message that was answered; None where somebody else spoke last."""
    for looked_back in ((CLOSE_BY,), LOOKED_BACK):  # what a tool says may stand between
        before = spoken_before(store, message, looked_back)
        spoken = [each for each in before if each.role in ("user", "assistant")]
        if spoken:
            is_agents = spoken[-1].role == "assistant" and spoken[-1].trust == HOST
            return spoken[-1] if is_agents else None
    return None
