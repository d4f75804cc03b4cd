"""Messages that the operator took back, by a later turn or by undoing what memory had of them; what his latest sentence restores."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from itertools import chain, product
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from clawgit.capture.messages.forgotten_messages import GAP, WITHIN, taken_back, turns_from
from clawgit.capture.messages.message import (
    ChatMessage,
    IncomingMessage,
    behind,
    is_his,
    talk_after,
    talk_before,
)
from clawgit.capture.messages.open_messages import ask_briefly, has_messages
from clawgit.errors import ClawgitError
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.trust_lookup import TrustLookup, open_trusts
from clawgit.memory.entries.entries import plain_lines
from clawgit.memory.entries.statements import sentences_of
from clawgit.memory.notes import ASSISTANT, USER, speaker_of, words_of
from clawgit.plan import MAX_QUOTE, MESSAGE
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import one_safe_line, redact
from clawgit.understanding.evidence.orders_to_forget import (
    forgets_matter,
    pointed_at,
    said_to_forget,
    to_forget,
)
from clawgit.understanding.evidence.own_sentences import is_dictated
from clawgit.understanding.evidence.says_beyond import words_shared
from clawgit.understanding.evidence.taking_back import is_of_before, may_restore, taken_by, takes_back

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from datetime import datetime

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.memory.corrections.correction_log import Correction

Said = TypeVar("Said", "IncomingMessage", "ChatMessage")
HIS_TURN = f"{USER}: ".encode()
LOOKED_BACK = timedelta(days=14)  # jobs may pause: a closed laptop, a holiday


def taken_back_by(store: MessageStore, message: ChatMessage) -> ChatMessage | None:
    """Return the operator's later turn that takes a message back: in the same session, or within a day."""
    return _taken_back_in(store, message, behind(message, turns_from(store, message)))


def _taken_back_in(
    store: MessageStore, message: ChatMessage, turns: Iterable[ChatMessage]
) -> ChatMessage | None:
    for following in turns:
        if taken_by(following.text, (message.text,)) is None:
            continue
        taken = taken_back(store, following)
        if taken is not None and taken.chat_id == message.chat_id:
            return following
    return None


def part_taken_back(history: History, taking: ChatMessage, message: ChatMessage) -> Correction | None:
    """Return the one correction that a later turn means, out of a message with more content; None for none or several."""
    named = []
    for each in standing_corrections(history.tip().tree).values():
        is_of_it = MESSAGE + message.chat_id in each.evidence
        if is_of_it and taken_by(taking.text, (each.trigger,)) is not None:
            named.append(each)
    return named[0] if len(named) == 1 else None


def is_as_before(store: MessageStore, message: ChatMessage, statements: Iterable[str]) -> bool:
    """Say whether a line stays as it is after a message: it restores the line against an earlier turn of its talk, or a later turn does so against it."""
    from clawgit.understanding.corrections.second_word import restores

    earlier = talk_before(store, message)
    later = talk_after(store, message, message.sent_at + LOOKED_BACK, "user")
    pairs = [*product([message], filter(is_his, earlier)), *product(filter(is_his, later), [message])]
    for restoring, turn in filter(lambda pair: may_restore(pair[0].text), pairs):
        for statement in statements:
            if restores(restoring.text, statement, turn.text, restoring.sent_at.date()):
                return True
    return False


def only_forgets(text: str) -> bool:
    """Say whether a message only asks to forget a fact, and takes back no earlier words (`what I said about the rent`)."""
    if forgets_matter(text):
        return True
    is_of_words = takes_back(text) or is_of_before(text) or bool(said_to_forget(text))
    return bool(pointed_at(text)) or (bool(to_forget(text)) and not is_of_words)


def set_right(history: History, message: ChatMessage) -> bool:
    """Say whether a correction in force rests on a message: taking it back would restore the older words."""
    for each in standing_corrections(history.tip().tree).values():
        if each.holds and each.said and each.correct and MESSAGE + message.chat_id in each.evidence:
            return True
    return False


def followed(store: MessageStore, chat_ids: Iterable[str]) -> list[ChatMessage]:
    """Return the messages with these ids, oldest first, without text if a later turn takes them back: for `taken_back_among`, which reads the fold after the store is closed."""
    messages = []
    # of a session, read once from the earliest on
    turns_of: dict[tuple[str, str, str], list[ChatMessage]] = {}
    for message in sorted(store.get_each(chat_ids), key=attrgetter("sent_at")):
        talk = (message.channel, message.conversation, message.session)
        turns = turns_of.get(talk)
        if turns is None:
            turns = turns_from(store, message)
            if message.session:
                turns_of[talk] = turns
        messages.append(message)
        if _taken_back_in(store, message, behind(message, turns)) is not None:
            messages[-1] = message._replace(text="")
    return messages


def corrected_next(store: MessageStore, chat_ids: Iterable[str]) -> dict[str, str]:
    """Return the agent's messages among these that the operator's next turn corrects, each with that turn."""
    corrected = {}
    for message in store.get_each(chat_ids):
        if message.role != "assistant":
            continue
        for turn in talk_after(store, message, message.sent_at + WITHIN):
            if turn.role == "user":
                if is_his(turn) and turn.signal.validator:
                    corrected[message.chat_id] = turn.chat_id
                break
    return corrected


def taken_back_among(trusts: TrustLookup, messages: Iterable[ChatMessage]) -> dict[str, ChatMessage | None]:
    """Return what is left (None: nothing) of the operator's `followed` messages taken back by a later turn, an undo or forgetting."""
    gone: dict[str, ChatMessage | None] = {}
    for message in messages:
        left = without_quotes(message.text, trusts.quotes_taken_back(MESSAGE + message.chat_id))
        if not left:
            gone[message.chat_id] = None
        elif left != message.text:
            gone[message.chat_id] = message._replace(text=left)
    return gone


def lines_taken_back(
    history: History, trusts: TrustLookup, lines: Iterable[str], now: datetime
) -> dict[str, str]:
    """Return the note lines that are messages the operator took back, or had memory forget, each with the other person who did so, if any."""
    his = set(filter(lambda line: speaker_of(line) == USER, lines))
    if not his or not has_messages(history):
        return {}

    texts = set(map(words_of, his))

    def find(store: MessageStore) -> tuple[dict[str, list[str]], list[ChatMessage]]:
        same: dict[str, list[str]] = {}
        for message in store.beginning_with(texts):
            words = one_safe_line(message.text)
            if words in texts:
                same.setdefault(words, []).append(message.chat_id)
        return same, followed(store, chain.from_iterable(same.values()))

    try:
        same, messages = ask_briefly(history, now, find)
        left = taken_back_among(trusts, messages)
    except ClawgitError:
        return {}
    gone: dict[str, str] = {}
    for line in his:
        chat_ids = same.get(words_of(line), [])
        if chat_ids and all(name in left and left[name] is None for name in chat_ids):
            gone[line] = trusts.takers.get(MESSAGE + chat_ids[-1], "")
    return gone


def without_withdrawn(history: History, messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return messages without the parts taken back; fully taken back ones are dropped with their answers."""
    left = []
    with open_trusts(history) as trusts:
        for message in messages:
            quotes = trusts.quotes_taken_back(MESSAGE + message.chat_id)
            left.append(message._replace(text=without_quotes(message.text, quotes)))
    return without_turns(left, lambda message: not message.text)


def without_turns(talk: Iterable[Said], is_unwanted: Callable[[Said], bool]) -> list[Said]:
    """Return messages without the user's unwanted turns and the answers to them."""
    messages_left = []
    is_left_out = False
    for message in talk:
        if message.role == "user":
            is_left_out = is_unwanted(message)
        if not is_left_out:
            messages_left.append(message)
    return messages_left


def without_quotes(text: str, quotes: Collection[str]) -> str:
    """Return a message with a gap for each quoted sentence; empty if the rest has no content, or all may be meant."""
    if any(not quote or len(quote) >= MAX_QUOTE for quote in quotes):
        return ""
    left = text
    is_told = not quotes
    for sentence in sentences_of(text):
        masked = redact(sentence)
        if any(masked in quote or quote in masked for quote in quotes):
            left = left.replace(sentence, GAP)
        else:
            is_told = is_told or bool(words_shared(sentence, sentence))
    if not is_told:
        return ""
    return left


@lru_cache(maxsize=256)  # each context reads the latest notes
def lines_not_meant(data: bytes) -> frozenset[int]:
    """Return the lines (from 1) of a note that the operator does not mean.

    These are words he took back, the taking back itself, and drafts for others with his order to write them.
    """
    gone: set[int] = set()
    if HIS_TURN not in data:
        return frozenset()
    for taken, number in takings(data):
        gone.update(taken, (number,))
    is_draft = False
    for number, line in enumerate(split_lines(data), 1):
        if HIS_TURN not in line and not is_draft:
            continue
        text = plain_lines([line])
        if speaker_of(text) == USER:
            is_draft = is_dictated(words_of(text))
        elif text and speaker_of(text) != ASSISTANT:
            is_draft = False
        if is_draft:
            gone.add(number)
    return frozenset(gone)


@lru_cache(maxsize=256)
def takings(data: bytes) -> list[tuple[range, int]]:
    """Return lines (from 1) that the operator took back, with the agent's replies, and the line of the turn that takes them back."""
    turns: list[int] = []  # the operator's lines
    texts: list[str] = []
    spans: list[tuple[range, int]] = []
    for number, line in enumerate(split_lines(data), 1):
        if HIS_TURN not in line:
            continue
        text = plain_lines([line])
        if speaker_of(text) != USER:
            continue
        taken = taken_by(words_of(text), texts)
        if taken is not None:
            following = (*turns, number)[taken + 1]
            spans.append((range(turns[taken], following), number))
        turns.append(number)
        texts.append(words_of(text))
    return spans
