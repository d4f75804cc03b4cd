"""The earlier messages that an order to forget removes from the store together with itself."""

from __future__ import annotations

from datetime import timedelta
from itertools import takewhile
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.capture.messages.message import (
    ChatMessage,
    Log,
    MessageQuery,
    behind,
    is_his,
    talk_before,
    talk_from,
)
from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.subjects import telling
from clawgit.understanding.evidence.orders_to_forget import (
    CLAUSES,
    declines_before,
    excepts_something,
    forgets_itself,
    is_unwanted,
    said_to_forget,
    to_forget,
)
from clawgit.understanding.evidence.own_sentences import own_text
from clawgit.understanding.evidence.said_words import read, spelled
from clawgit.understanding.evidence.taking_back import (
    is_of_another,
    is_of_before,
    named_to_forget,
    names_it,
    says_more,
    sets_back,
    taken_by,
    takes_back,
)
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GAP = "[taken back]"  # what is left of words that take back, once they are undone
WITHIN = timedelta(minutes=10)  # in which a second word is about the turn before
A_TALK = timedelta(days=1)  # in which a message can be taken back, in a conversation without sessions
_FEWEST = 2  # telling words that identify something; a single one (`the meeting`) is in too many messages
_LOOKED_AT = 5000  # messages


def taken_back(store: Log, taking: ChatMessage, within: timedelta = A_TALK) -> ChatMessage | None:
    """Return the operator's turn that a message takes back: the one it names, else the one before it."""
    if not is_his(taking):
        return None
    turns = []
    before = talk_before(store, taking, vetoed=True)
    for each in before:
        if each.role == "user" and (taking.session or taking.sent_at - each.sent_at <= within):
            turns.append(each)
    at = taken_by(taking.text, list(map(attrgetter("text"), turns)))
    if at is None or not turns[at].is_operator or turns[at].text == GAP:
        return None
    is_answer = before[-1].role != "user" and before[-1].text.rstrip().endswith(("?", "？"))
    if is_answer and (sets_back(taking.text) or declines_before(taking.text)):
        return None  # `shall I move the invite, too?` … `leave it as it was` answers the question
    return turns[at]


def turns_from(store: Log, message: ChatMessage) -> list[ChatMessage]:
    """Return the user's turns from a message on: of its session, else of a day."""
    until = None if message.session else message.sent_at + A_TALK
    return talk_from(store, message, until, "user")


def takings_behind(
    store: Log, messages: Iterable[ChatMessage]
) -> list[tuple[ChatMessage, ChatMessage | None]]:
    """Return the operator's later turns that ask to forget something or take words back, each with the message that it takes back."""
    takings = {}
    for message in messages:
        for turn in filter(is_his, behind(message, turns_from(store, message))):
            if turn.chat_id not in takings and _forgets(turn.text):
                takings[turn.chat_id] = turn, taken_back(store, turn)
    return list(takings.values())


def without_forgetting(text: str) -> str:
    """Return a message with a gap for each clause, else sentence, that asks to forget something or takes words back."""
    left = text
    for sentence in filter(_forgets, sentences_of(text)):
        rest = sentence
        for clause in filter(_forgets, CLAUSES.split(sentence)):
            rest = rest.replace(clause.strip(), GAP)
        if rest == sentence or _forgets(rest):
            rest = GAP
        left = left.replace(sentence, rest)
    return left


def _forgets(text: str) -> bool:
    return bool(to_forget(text)) or is_unwanted(text) or takes_back(text) or is_of_before(text)


def forgotten_by(store: Log, order: ChatMessage, *, vetoed: bool = False) -> list[ChatMessage]:
    """Return the messages that an order to forget takes back, with their answers.

    These are the turn it means in its own conversation, and in any conversation those that have all its words in one
    sentence. An order to forget what was said of a thing means all that name it in its own, of a day if it has no sessions.
    """
    order = order._replace(text=own_text(order.text))  # pasted text gives no orders
    meant = None
    if not forgets_itself(order.text):
        meant = taken_back(store, order)
    elif to_forget(order.text):
        return []  # the order is taken back
    unwanted = named_anywhere(order)
    if meant is None and not unwanted and not said_to_forget(order.text):
        return []
    until = order.sent_at + timedelta(milliseconds=1)
    page = store.log(MessageQuery(until=until, limit=_LOOKED_AT, vetoed=vetoed))
    forgotten: list[ChatMessage] = []
    leaving: dict[tuple[str, str, str], bool] = {}  # by conversation: whether the user's last turn there goes
    for each in takewhile(lambda message: message.chat_id != order.chat_id, page):
        talk = (each.channel, each.conversation, each.session)
        is_of_both = is_his(each) or each.role == "assistant"
        says_it = is_of_both and (says(each.text, unwanted) or _is_named_here(order, each))
        if each.role == "user":
            is_meant = meant is not None and each.chat_id == meant.chat_id
            leaving[talk] = is_meant or (says_it and not to_forget(each.text))
        if leaving.get(talk) or (says_it and each.role != "user"):
            forgotten.append(each)
    if excepts_something(order.text) or _corrects(order, forgotten):
        return []
    return forgotten


def _is_named_here(order: ChatMessage, message: ChatMessage) -> bool:
    """Say whether an order to forget what was said of a thing means a message of its conversation."""
    talk = (order.channel, order.conversation, order.session)
    is_near = bool(order.session) or order.sent_at - message.sent_at <= A_TALK
    is_here = is_near and talk == (message.channel, message.conversation, message.session)
    return is_here and names_it(order.text, message.text)


def named_anywhere(order: ChatMessage) -> str:
    """Return what an order to forget names in any conversation, or tells itself; empty for one word, which is in too many messages."""
    own = own_text(order.text)
    unwanted = named_to_forget(own) or forgets_itself(own)
    if len(telling(unwanted)) < _FEWEST:
        return ""
    return unwanted


def _corrects(order: ChatMessage, forgotten: Sequence[ChatMessage]) -> bool:
    """Say whether the order has a value that none of the messages has; then the messages contain more than the change."""
    values: set[str] = set()
    for each in forgotten:
        values.update(map(attrgetter("shown"), read(spelled(each.text), each.sent_at.date()).values))
    orders = " ".join(filter(to_forget, sentences_of(order.text)))
    order_values = read(spelled(orders), order.sent_at.date()).values
    return not values.issuperset(map(attrgetter("shown"), order_values))


def says(text: str, unwanted: str) -> bool:
    """Say whether a sentence is about the words, not just contains them: `Teo said a number of things about Rome`."""
    named = telling(unwanted)
    for sentence in sentences_of(own_words(text)):
        has_all = named and named <= telling(sentence) and not is_of_another(sentence, unwanted)
        if has_all and not says_more(sentence, unwanted, is_thing=True):
            return True
    return False
