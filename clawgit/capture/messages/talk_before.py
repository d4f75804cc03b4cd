"""What was said before a message in its session, by either side."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.capture.messages.message_store import Asked

if TYPE_CHECKING:
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore

LOOKED_BACK = (60, 5000)  # messages: more where many have one time
SPEAKERS = ("user", "assistant")


def talk_before(store: MessageStore, message: ChatMessage) -> list[ChatMessage]:
    """Return the latest messages of people and the agent before a message in the same session, in their order."""
    until = message.sent_at + timedelta(milliseconds=1)
    for limit in LOOKED_BACK:
        found = store.log(
            Asked(message.channel, message.conversation, message.session or None, until=until, limit=limit)
        )
        at = next((at for at, each in enumerate(found) if each.chat_id == message.chat_id), len(found))
        if at:
            return [each for each in found[:at] if each.role in SPEAKERS]
    return []
