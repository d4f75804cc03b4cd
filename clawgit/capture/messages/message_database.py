"""What the message store needs of a database, SQLite's or PostgreSQL's, and a message as a row of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from clawgit.capture.messages.message import ChatMessage, SignalNote, read_time, written_time
from clawgit.errors import ClawgitError, ExitCode
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

Row: TypeAlias = tuple[Any, ...]

COLUMNS = "message_id, channel, conversation, session, role, sender, is_operator, trust, text, sent_at, received_at, signal"
MARKS = "mined_in, read_in, validated_in"
_NAMES = COLUMNS.split(", ")
_MARKED = (*_NAMES, *MARKS.split(", "))
TERMS_VERSION = 2
MOST_CHARACTERS = 64  # of a term: no word is longer, and PostgreSQL refuses to index what is much longer

# Part of what was released: never changed; the next index is a migration of its own in both.
INDEXES = (
    "CREATE INDEX messages_by_time ON messages (workspace, sent_at, number)",
    "CREATE INDEX messages_by_talk ON messages (workspace, conversation, sent_at, number)",
    "CREATE INDEX messages_by_session ON messages (workspace, session, sent_at, number)",
    "CREATE INDEX messages_flagged ON messages (workspace, sent_at, number) WHERE priority > 0",
    "CREATE INDEX messages_to_mine ON messages (workspace, priority DESC, number) WHERE mined_in IS NULL",
    """
    CREATE INDEX messages_to_validate ON messages (workspace, validator, number)
     WHERE validator IS NOT NULL AND validated_in IS NULL
    """,
)

# The second step of the queue of the miner: what rules took nothing of is left for a model that comes later.
READ_BY_RULES = (
    "ALTER TABLE messages ADD COLUMN read_in text",
    "DROP INDEX messages_to_mine",
    """
    CREATE INDEX messages_unread ON messages (workspace, priority DESC, number)
     WHERE mined_in IS NULL AND read_in IS NULL
    """,
    """
    CREATE INDEX messages_left ON messages (workspace, received_at, number)
     WHERE mined_in IS NULL AND read_in IS NOT NULL
    """,
)

# What is not to be remembered is below the others, and goes after a day.
VETOED = (
    """
    UPDATE messages SET priority = -1, validator = NULL WHERE replace(signal, '"veto": "opt-out"', '') <> signal
    """,
    "CREATE INDEX messages_vetoed ON messages (workspace, received_at, number) WHERE priority < 0",
)


class StoreUnreachableError(ClawgitError):
    """The server of the message store does not answer, or went away in the middle."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


def marks_by_clone(marks: str) -> tuple[str, ...]:
    """Return the step that gives each clone marks of its own, in the table ``marks``; those of before have no clone yet."""
    return (
        marks,
        "CREATE TABLE clones (workspace text NOT NULL, clone text NOT NULL, PRIMARY KEY (workspace, clone))",
        """
        INSERT INTO marks (number, clone, mined_in, read_in, validated_in)
        SELECT number, '', mined_in, read_in, validated_in FROM messages
         WHERE COALESCE(mined_in, read_in, validated_in) IS NOT NULL
        """,
        "DROP INDEX messages_unread",
        "DROP INDEX messages_left",
        "DROP INDEX messages_to_validate",
        *(f"ALTER TABLE messages DROP COLUMN {column}" for column in ("mined_in", "read_in", "validated_in")),
        "CREATE INDEX messages_to_mine ON messages (workspace, priority DESC, number)",
        "CREATE INDEX messages_received ON messages (workspace, received_at, number)",
        """
        CREATE INDEX messages_to_validate ON messages (workspace, validator, number)
         WHERE validator IS NOT NULL
        """,
    )


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
    values |= {
        "is_operator": bool(values["is_operator"]),
        "sent_at": read_time(values["sent_at"]),
        "received_at": read_time(values["received_at"]),
        "signal": SignalNote(**signal | {name: tuple(signal[name]) for name in ("custom", "matched")}),
    }
    return ChatMessage(**values)


def message_terms(sender: str, text: str) -> list[str]:
    """Return the terms of a message and its sender, each once, in reading order."""
    return stored_terms(index_terms(f"{sender} {text}").split())


def stored_terms(words: Iterable[str]) -> list[str]:
    """Return index words as a store keeps them, each once."""
    return list(dict.fromkeys(word[:MOST_CHARACTERS] for word in words))
