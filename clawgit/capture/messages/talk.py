"""What was said around a message: which messages are wanted of a store, and those before and after one in its session."""

from __future__ import annotations

from datetime import timedelta
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.memory.trust import OPERATOR

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage

_LOOKED_BACK = (60, 5000)  # messages: more where many have one time
_MOST_AFTER = 500  # turns of one session


class MessageQuery(NamedTuple):
    """Which messages are wanted; of those that fit, the latest ``limit``; ``vetoed``: also what is not to be remembered."""

    channel: str | None = None
    conversation: str | None = None
    session: str | None = None
    role: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    flagged: bool = False
    limit: int = 50
    vetoed: bool = False


class Log(Protocol):
    """What has messages: a store, which itself asks what was said around one."""

    def log(self, query: MessageQuery) -> list[ChatMessage]:
        """Return the messages that fit, in their order."""
        ...


def is_his(message: ChatMessage) -> bool:
    """Say whether a message is the operator's own: brought by himself or by a connection of his."""
    return message.role == "user" and message.is_operator and message.trust == OPERATOR


def talk_after(
    store: Log, message: ChatMessage, until: datetime | None, role: str | None = None
) -> list[ChatMessage]:
    """Return what follows a message in the same session, in its order, also what is not to be remembered."""
    place = (message.channel, message.conversation, message.session or None)
    page = store.log(MessageQuery(*place, role, message.sent_at, until, limit=_MOST_AFTER, vetoed=True))
    return list(dropwhile(lambda each: each.chat_id != message.chat_id, page))[1:]


def talk_before(store: Log, message: ChatMessage, *, vetoed: bool = False) -> list[ChatMessage]:
    """Return the latest messages of people and the agent before a message in the same session, in their order."""
    place = (message.channel, message.conversation, message.session or None)
    until = message.sent_at + timedelta(milliseconds=1)
    for limit in _LOOKED_BACK:
        page = store.log(MessageQuery(*place, until=until, limit=limit, vetoed=vetoed))
        before = list(takewhile(lambda each: each.chat_id != message.chat_id, page))
        if before:
            return [each for each in before if each.role in ("user", "assistant")]
    return []
