"""Messages that the operator took back: by a later turn, or with what memory had of them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from clawgit.capture.messages.forgotten_messages import WITHIN, taken_back
from clawgit.capture.messages.message import talk_after, talk_before
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_update import present_fold
from clawgit.memory.corrections.correction_log import Status
from clawgit.plan import MESSAGE
from clawgit.text.trailers import REVERTS
from clawgit.understanding.evidence.orders_to_forget import points_back, to_forget
from clawgit.understanding.evidence.said_words import lacking, read
from clawgit.understanding.evidence.taking_back import (
    LONGEST_TAKING,
    denies_older,
    is_of_before,
    taken_by,
    takes_back,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clawgit.capture.messages.message import ChatMessage, Heard
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.corrections.correction_log import Correction

Said = TypeVar("Said", "Heard", "ChatMessage")


def taken_back_by(store: MessageStore, message: ChatMessage) -> ChatMessage | None:
    """Return the operator's later turn that takes a message back: in the same session, or within ten minutes."""
    until = None if message.session else message.sent_at + WITHIN
    for following in talk_after(store, message, until, "user"):
        if taken_by(following.text, (message.text,)) is None:
            continue
        taken = taken_back(store, following)
        if taken is not None and taken.chat_id == message.chat_id:
            return following
    return None


def part_taken_back(history: History, taking: ChatMessage, message: ChatMessage) -> Correction | None:
    """Return the correction that a later turn means by name, of a message that tells more; None where it means none or several."""
    named = []
    for each in standing_corrections(history.tip().tree).values():
        is_of_it = MESSAGE + message.chat_id in each.evidence
        if is_of_it and taken_by(taking.text, (each.trigger,)) is not None:
            named.append(each)
    return named[0] if len(named) == 1 else None


def only_forgets(text: str) -> bool:
    """Say whether a message asks to forget what is so, and takes back nothing that he said (`what I said about the rent`)."""
    return points_back(text) or (bool(to_forget(text)) and not takes_back(text) and not is_of_before(text))


def set_right(history: History, message: ChatMessage) -> bool:
    """Say whether a correction that holds rests on a message: to take that back would bring the older words back."""
    for each in standing_corrections(history.tip().tree).values():
        if each.holds and each.said and each.correct and MESSAGE + message.chat_id in each.evidence:
            return True
    return False


def correction_of_value(history: History, store: MessageStore, message: ChatMessage) -> Correction | None:
    """Return the correction of this talk, the latest, that replaced the value that a message names; None where it names another one as well."""
    on = message.sent_at.date()
    told = read(message.text, on)
    if not told.values or len(message.text) > LONGEST_TAKING or message.text.endswith(("?", "？")):
        return None
    spoken = set()
    for turn in talk_before(store, message):
        spoken.add(MESSAGE + turn.chat_id)
    named = set(map(attrgetter("shown"), told.values))
    known = sorted(standing_corrections(history.tip().tree).values(), key=attrgetter("at"))
    for each in reversed(known):
        if each.status is not Status.APPLIED or spoken.isdisjoint(each.evidence):
            continue
        if denies_older(message.text, each.said, each.correct, on):
            continue
        not_before = lacking(told, read(each.said, on))
        not_now = lacking(told, read(each.correct, on))
        if named.isdisjoint(not_before) and named.issubset(not_now):
            return each
    return None


def taken_back_among(history: History, store: MessageStore, chat_ids: Sequence[str]) -> frozenset[str]:
    """Return which of the operator's messages he took back in a later turn, or of which everything was undone or forgotten."""
    gone = set()
    if chat_ids:
        with present_fold(history) as fold:
            gone = {chat_id for chat_id in chat_ids if _is_undone(history, fold, chat_id)}
    for chat_id in set(chat_ids) - gone:
        message = store.get(chat_id)
        if message is not None and taken_back_by(store, message) is not None:
            gone.add(chat_id)
    return frozenset(gone)


def _is_undone(history: History, fold: FoldStore, chat_id: str) -> bool:
    commit_ids = fold.left_with(MESSAGE + chat_id)
    return bool(commit_ids) and all(REVERTS in history.objects.commit(each).message for each in commit_ids)


def without_withdrawn(history: History, messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return messages without those of which everything was taken back, and what was said in answer to them."""
    from clawgit.history.undo.undo_targets import Changes

    withdrawn = Changes(history).withdrawn_messages()
    return without_turns(messages, lambda message: f"{MESSAGE}{message.chat_id}" in withdrawn)


def without_turns(talk: Iterable[Said], is_unwanted: Callable[[Said], bool]) -> list[Said]:
    """Return messages in their order, without the user's that are unwanted and what was said in answer to them."""
    wanted = []
    is_left_out = False
    for message in talk:
        if message.role == "user":
            is_left_out = is_unwanted(message)
        if not is_left_out:
            wanted.append(message)
    return wanted
