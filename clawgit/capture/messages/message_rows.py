"""A message as a row of the store, and back; and the words by which it is found again: those of the search index."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from clawgit.capture.messages.message import ChatMessage, SignalNote, read_time, written_time
from clawgit.text.words.terms import TOKENIZER, index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

Row: TypeAlias = tuple[Any, ...]

COLUMNS = "message_id, channel, conversation, session, role, sender, is_operator, trust, text, sent_at, received_at, signal"
MARKS = "mined_in, read_in, validated_in"
_NAMES = COLUMNS.split(", ")
_MARKED = (*_NAMES, *MARKS.split(", "))
__all__ = ["TERMS_VERSION", "TOKENIZER", "asked_terms", "message_terms"]

TERMS_VERSION = 2
MOST_CHARACTERS = 64  # of a term: no word is longer, and PostgreSQL refuses to index what is much longer


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
    """Return the message that is in a row of `COLUMNS`, maybe with `MARKS` behind them."""
    values = dict(zip(_MARKED, row, strict=False))
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


def message_terms(sender: str, text: str) -> list[str]:
    """Return the terms of a message and its sender, each once, in reading order."""
    return asked_terms(index_terms(f"{sender} {text}").split())


def asked_terms(words: Iterable[str]) -> list[str]:
    """Return index words as a store keeps them, each once."""
    return list(dict.fromkeys(word[:MOST_CHARACTERS] for word in words))
