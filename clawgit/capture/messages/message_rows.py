"""A message as a row of the store, and back."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from clawgit.capture.messages.message import ChatMessage, SignalNote, read_time, written_time

Row: TypeAlias = tuple[Any, ...]

COLUMNS = (
    "message_id, channel, conversation, session, role, sender, is_operator, trust, text, sent_at, received_at, signal"
    ", mined_in, validated_in"
)
_NAMES = COLUMNS.split(", ")


def values_of(message: ChatMessage) -> dict[str, Any]:
    """Return the values of a message by column, and what the queues are ordered by."""
    return {
        **{name: getattr(message, name) for name in _NAMES},
        "sent_at": written_time(message.sent_at),
        "received_at": written_time(message.received_at),
        "signal": json.dumps(message.signal._asdict()),
        "priority": message.priority,
        "validator": message.signal.validator,
    }


def message_of(row: Row) -> ChatMessage:
    """Return the message that stands in a row of `COLUMNS`."""
    values = dict(zip(_NAMES, row, strict=True))
    signal = json.loads(values["signal"])
    return ChatMessage(
        **{
            **values,
            "is_operator": bool(values["is_operator"]),
            "sent_at": read_time(values["sent_at"]),
            "received_at": read_time(values["received_at"]),
            "signal": SignalNote(
                signal["miner"],
                signal["validator"],
                tuple(signal["custom"]),
                tuple(signal["matched"]),
                signal["veto"],
            ),
        }
    )
