"""What the operator takes back in his next turn: the message before it carries nothing then, and what was made of it is undone."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.capture.messages.message_store import Asked, talk_before
from clawgit.memory.trust import OPERATOR
from clawgit.understanding.evidence.takings_back import takes_back

if TYPE_CHECKING:
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore

MOST_LATER = 500  # turns of one session
WITHIN = timedelta(minutes=10)  # where a conversation has no sessions


def taken_back_by(store: MessageStore, message: ChatMessage) -> ChatMessage | None:
    """Return the operator's next turn, where it takes a message back."""
    until = None if message.session else message.sent_at + WITHIN
    asked = Asked(
        message.channel,
        message.conversation,
        message.session or None,
        "user",
        message.sent_at,
        until,
        limit=MOST_LATER,
    )
    later = [each for each in store.log(asked) if each.sent_at >= message.sent_at]
    ids = [each.chat_id for each in later]
    at = ids.index(message.chat_id) + 1 if message.chat_id in ids else len(ids)
    following = later[at] if at < len(later) else None
    return following if following is not None and _is_taking(following) else None


def taken_back(store: MessageStore, taking: ChatMessage) -> ChatMessage | None:
    """Return the operator's turn that a message takes back: the one right before it."""
    if not _is_taking(taking):
        return None
    turns = [each for each in talk_before(store, taking) if each.role == "user"]
    if not turns:
        return None
    is_near = bool(taking.session) or taking.sent_at - turns[-1].sent_at <= WITHIN
    return turns[-1] if is_near and turns[-1].is_operator else None


def _is_taking(message: ChatMessage) -> bool:
    return message.is_operator and message.trust == OPERATOR and takes_back(message.text)
