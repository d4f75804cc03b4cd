"""A message: as received, as stored, and as a row of SQLite or PostgreSQL; and the turns around it."""

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
LATEST = timedelta(hours=1)  # from its saying to its coming, to be acted on at once
Row: TypeAlias = tuple[Any, ...]
COLUMNS = "message_id, channel, conversation, session, role, sender, is_operator, trust, text, sent_at, received_at, signal"
MARKS = "mined_in, read_in, validated_in"
_NAMES = COLUMNS.split(", ")
TERMS_VERSION = 4
MOST_CHARACTERS = 64  # of a term: longer than any word, and PostgreSQL cannot index much longer ones
# Shared by both databases. Never change a released step; the next index is a new step.
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
EARLIER_STEPS = 4  # extra steps by which checkouts before the first release made the same tables


class IncomingMessage(NamedTuple):
    """A message as a host or a transcript delivers it; only its sender and place are trusted."""

    role: str
    text: str
    channel: str = "cli"
    conversation: str = "main"
    message_id: str = ""  # the channel's own; may be empty
    session: str = ""
    sender: str = ""
    sent_at: datetime | None = None
    group: bool = False
    external: bool = False  # not the sender's words (a tool's, a page's, forwarded)
    most_trust: str = OPERATOR  # its trust in another store
    by_operator: bool = False  # the operator claimed with a command to be the sender


class SignalNote(NamedTuple):
    """What triage found in a message."""

    miner: bool = False
    validator: str | None = None
    custom: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    veto: str = ""


class ChatMessage(NamedTuple):
    """A message as stored: secrets masked, sender known, triaged."""

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
    read_in: str | None = None  # the run in which the miner's rules found nothing: a model may still read it

    @property
    def chat_id(self) -> str:
        """Return the id to cite it by, as in ``chat:7k2x…``; equal in every store."""
        return chat_id(self.channel, self.conversation, self.message_id)

    @property
    def is_vetoed(self) -> bool:
        """Say whether its sender asks not to remember it, or it answers such a message."""
        return self.signal.veto == OPT_OUT

    @property
    def is_old(self) -> bool:
        """Say whether it came too late to be acted on at once."""
        return self.received_at - self.sent_at > LATEST

    @property
    def priority(self) -> int:
        """Return the miner's priority; negative: never read."""
        if self.is_vetoed:
            return -1
        return int(self.signal.miner)

    def vetoed(self) -> ChatMessage:
        return self._replace(signal=SignalNote(veto=OPT_OUT))

    def set_apart(self) -> ChatMessage:
        """Return it under another id, derived from its text as well, since its own id is taken."""
        return self._replace(message_id=id_of(self.message_id, self.text))


class StoreOutcome(NamedTuple):
    """The outcome for a message: stored, ``repeated``, or claimed; and the messages it takes back."""

    chat_id: str
    outcome: str
    forgotten: tuple[ChatMessage, ...] = ()


@lru_cache(maxsize=4096)  # a search calls it many times for a message
def chat_id(channel: str, conversation: str, message_id: str) -> str:
    return short_hash("\0".join((channel, conversation, message_id)), _ID_LENGTH)


def id_of(*words: str) -> str:
    """Return a hash as id, for a message without a usable one."""
    return "h-" + short_hash("\0".join(words), 24)


def short_hash(text: str, length: int) -> str:
    return base32(sha256(text.encode("utf-8", "surrogatepass")).digest(), length)


def written_time(moment: datetime) -> str:
    """Return a time as stored: UTC, to the millisecond, sorting as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


class ImportPoint(NamedTuple):
    """How far a transcript was read."""

    source: str
    read: int = 0
    lines: int = 0
    mark: str = ""
    chain: str = ""


class StoreUnreachableError(ClawgitError):
    """The server of the message store does not answer, or disconnected."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


def values_of(message: ChatMessage) -> dict[str, Any]:
    """Return the column values of a message, including the sort keys of the queues."""
    return {
        **{name: getattr(message, name) for name in _NAMES},
        "sent_at": written_time(message.sent_at),
        "received_at": written_time(message.received_at),
        "signal": json.dumps(message.signal._asdict()),
        "priority": message.priority,
        "validator": message.signal.validator,
    }


def message_of(row: Row) -> ChatMessage:
    """Return the message of a row of `COLUMNS`, optionally followed by `MARKS`."""
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
    """Return the distinct terms of a message and its sender, in reading order."""
    return stored_terms(index_terms(f"{sender} {text}").split())


def stored_terms(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word[:MOST_CHARACTERS] for word in words))


_LOOKED_BACK = (60, 5000)  # messages: the second for many with one time
_MOST_AFTER = 500  # turns of one session


class MessageQuery(NamedTuple):
    """A filter for messages; returns the latest ``limit``. ``vetoed``: also those not to be remembered."""

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
    """A source of messages: the store, inside and outside its transactions."""

    def log(self, query: MessageQuery) -> list[ChatMessage]:
        """Return the matching messages, oldest first."""
        ...


def is_his(message: ChatMessage) -> bool:
    """Say whether a message is the operator's own, brought by the operator or an operator's connection."""
    return message.role == "user" and message.is_operator and message.trust == OPERATOR


def talk_after(
    store: Log, message: ChatMessage, until: datetime | None, role: str | None = None
) -> list[ChatMessage]:
    """Return the messages after this one in its session, in order, also vetoed ones."""
    return behind(message, talk_from(store, message, until, role))


def talk_from(
    store: Log, message: ChatMessage, until: datetime | None, role: str | None = None
) -> list[ChatMessage]:
    """Return the same including the message itself, and those of the same time."""
    place = (message.channel, message.conversation, message.session or None)
    return store.log(MessageQuery(*place, role, message.sent_at, until, limit=_MOST_AFTER, vetoed=True))


def behind(message: ChatMessage, talk: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return the messages after this one; empty if it is not in the conversation."""
    return list(dropwhile(lambda each: each.message_id != message.message_id, talk))[1:]


def talk_before(store: Log, message: ChatMessage, *, vetoed: bool = False) -> list[ChatMessage]:
    """Return the latest messages of people and the agent before this one in its session, in order."""
    place = (message.channel, message.conversation, message.session or None)
    until = message.sent_at + timedelta(milliseconds=1)
    for limit in _LOOKED_BACK:
        page = store.log(MessageQuery(*place, until=until, limit=limit, vetoed=vetoed))
        before = list(takewhile(lambda each: each.chat_id != message.chat_id, page))
        if before:
            return [each for each in before if each.role in ("user", "assistant")]
    return []
