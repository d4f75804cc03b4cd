"""A message: as it is heard, as it is kept, and as a row of a database, SQLite's or PostgreSQL's; and what was said around it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol, TypeAlias

from clawgit.errors import ClawgitError, ExitCode
from clawgit.memory.entries.entries import base32
from clawgit.memory.trust import OPERATOR
from clawgit.text.words.terms import index_terms
from clawgit.understanding.patterns.pattern_rule import OPT_OUT

if TYPE_CHECKING:
    from collections.abc import Iterable


ROLES: Final = ("user", "assistant", "tool", "system")
_ID_LENGTH = 16
Row: TypeAlias = tuple[Any, ...]
COLUMNS = "message_id, channel, conversation, session, role, sender, is_operator, trust, text, sent_at, received_at, signal"
MARKS = "mined_in, read_in, validated_in"
_NAMES = COLUMNS.split(", ")
TERMS_VERSION = 4
MOST_CHARACTERS = 64  # of a term: no word is longer, and PostgreSQL refuses to index what is much longer
# What both databases have beside tables of their own. What was released is never changed: the next index is a step of its own.
SHARED = (
    "CREATE INDEX messages_by_time ON messages (workspace, sent_at, number)",
    "CREATE INDEX messages_by_talk ON messages (workspace, conversation, sent_at, number)",
    "CREATE INDEX messages_by_session ON messages (workspace, session, sent_at, number)",
    "CREATE INDEX messages_flagged ON messages (workspace, sent_at, number) WHERE priority > 0",
    "CREATE INDEX messages_to_mine ON messages (workspace, priority DESC, number)",
    "CREATE INDEX messages_received ON messages (workspace, received_at, number)",
    "CREATE INDEX messages_to_validate ON messages (workspace, validator, number) WHERE validator IS NOT NULL",
    "CREATE INDEX messages_vetoed ON messages (workspace, received_at, number) WHERE priority < 0",
    "CREATE INDEX imported_messages ON imported (workspace, id)",
    "CREATE TABLE clones (workspace text NOT NULL, clone text NOT NULL, PRIMARY KEY (workspace, clone))",
)
EARLIER_STEPS = 4  # checkouts before the first release came to the same tables in so many steps more


class IncomingMessage(NamedTuple):
    """A message as a host or a transcript tells it; nothing in it is believed but who sent it and where."""

    role: str
    text: str
    channel: str = "cli"
    conversation: str = "main"
    message_id: str = ""  # the channel's own, empty where it has none
    session: str = ""
    sender: str = ""
    sent_at: datetime | None = None
    group: bool = False
    external: bool = False  # not the sender's words (a tool's, a page's, forwarded)
    most_trust: str = OPERATOR  # what another store kept it with
    by_operator: bool = False  # his own word, given with a command, that he is the sender


class SignalNote(NamedTuple):
    """What triage found in a message."""

    miner: bool = False
    validator: str | None = None
    custom: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    veto: str = ""


class ChatMessage(NamedTuple):
    """A message as it is kept: secrets masked, its sender known, its signal found."""

    message_id: str
    channel: str
    conversation: str
    session: str
    role: str
    sender: str
    is_operator: bool
    trust: str
    text: str
    sent_at: datetime
    received_at: datetime
    signal: SignalNote = SignalNote()
    mined_in: str | None = None  # the run that read it
    validated_in: str | None = None
    read_in: str | None = None  # the miner's run whose rules took nothing of it: a model may still read it

    @property
    def chat_id(self) -> str:
        """Return the id by which it is cited, as in ``chat:7k2x…``: the same in every store."""
        return chat_id(self.channel, self.conversation, self.message_id)

    @property
    def is_vetoed(self) -> bool:
        """Say whether its sender asks that it be not remembered, or it answers such a message."""
        return self.signal.veto == OPT_OUT

    @property
    def priority(self) -> int:
        """Return how early the miner reads it; what is below zero nobody reads."""
        if self.is_vetoed:
            return -1
        return int(self.signal.miner)

    def vetoed(self) -> ChatMessage:
        return self._replace(signal=SignalNote(veto=OPT_OUT))

    def set_apart(self) -> ChatMessage:
        """Return it under an id made of its words, too: under its own, others are kept."""
        return self._replace(message_id=id_of(self.message_id, self.text))


class StoreOutcome(NamedTuple):
    """What became of a message: it was stored, there before (``repeated``), or there before and claimed now; what it takes back."""

    chat_id: str
    outcome: str
    forgotten: tuple[ChatMessage, ...] = ()


@lru_cache(maxsize=4096)  # a search asks it of a message again and again
def chat_id(channel: str, conversation: str, message_id: str) -> str:
    """Return the id of a message: made of what tells it from all others in its workspace."""
    return short_hash("\0".join((channel, conversation, message_id)), _ID_LENGTH)


def id_of(*words: str) -> str:
    """Return an id for a message that has none of its own, or none that it may keep."""
    return "h-" + short_hash("\0".join(words), 24)


def short_hash(text: str, length: int) -> str:
    return base32(sha256(text.encode("utf-8", "surrogatepass")).digest(), length)


def written_time(moment: datetime) -> str:
    """Return a time as the stores keep it: in UTC, to the millisecond, sorting as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


class ImportPoint(NamedTuple):
    """How far a transcript was read, in bytes and lines."""

    source: str
    read: int = 0
    lines: int = 0
    mark: str = ""
    chain: str = ""


class StoreUnreachableError(ClawgitError):
    """The server of the message store does not answer, or went away in the middle."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


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
    *strings, is_operator, trust, text, sent_at, received_at, signal = row[: len(_NAMES)]
    mined_in, read_in, validated_in = row[len(_NAMES) :] or (None, None, None)
    times = map(datetime.fromisoformat, (sent_at, received_at))
    read_by = mined_in, validated_in, read_in
    return ChatMessage._make((*strings, bool(is_operator), trust, text, *times, _signal_of(signal), *read_by))


@lru_cache(maxsize=512)
def _signal_of(text: str) -> SignalNote:
    signal = json.loads(text)
    return SignalNote(**signal | {name: tuple(signal[name]) for name in ("custom", "matched")})


def message_terms(sender: str, text: str) -> list[str]:
    """Return the terms of a message and its sender, each once, in reading order."""
    return stored_terms(index_terms(f"{sender} {text}").split())


def stored_terms(words: Iterable[str]) -> list[str]:
    """Return index words as a store keeps them, each once."""
    return list(dict.fromkeys(word[:MOST_CHARACTERS] for word in words))


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
    return behind(message, talk_from(store, message, until, role))


def talk_from(
    store: Log, message: ChatMessage, until: datetime | None, role: str | None = None
) -> list[ChatMessage]:
    """Return the same with the message itself, and what was said at the same time."""
    place = (message.channel, message.conversation, message.session or None)
    return store.log(MessageQuery(*place, role, message.sent_at, until, limit=_MOST_AFTER, vetoed=True))


def behind(message: ChatMessage, talk: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return what is behind a message in a conversation, nothing where it is not in it."""
    return list(dropwhile(lambda each: each.message_id != message.message_id, talk))[1:]


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
