"""Sessions in the message store: the messages since the last end, which of them count, and the text of the session's file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import is_vetoed, without_injected
from clawgit.capture.messages.message import ROLES, ChatMessage, IncomingMessage, MessageQuery
from clawgit.capture.sessions.taken_back import without_turns
from clawgit.capture.transcripts.transcript_source import is_scaffolding
from clawgit.memory.notes import MESSAGES, SOURCE, TITLE, USER
from clawgit.memory.trust import EXTERNAL
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.secrets import one_safe_line
from clawgit.understanding.evidence.orders_to_forget import to_forget
from clawgit.understanding.evidence.own_sentences import before_printed
from clawgit.understanding.evidence.taking_back import names_it, taken_by

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.workspace.settings.setting_types import SessionReset

COUNTED = ("user", "assistant")
# `/new`, `/status@bot words`, `/think:high`, but not `/tmp/build.log`, `/etc is full`, `/api returns 500`.
_COMMAND = re.compile(
    r"\s*/(?!(?:bin|dev|etc|home|lib|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)\b)(?:[A-Za-z][\w-]*)?(?:@\w+|:\S*)?"
    r"(?!\s+(?:is|are|was|has|had|does|doesn't|isn't|returns?|gives?|shows?|says?|throws?|fails?|works?)\b)(?:\s|\Z)"
)
DAILY = "daily"
IDLE = "idle"
LEFT_OUT = "[…]"
PAGE_OF_TALK = 60  # messages read at once
PAGE, SOMEBODY = "page", "somebody"
_NAME = lazy_pattern(r"\w[\w.@+' -]{0,59}")
_NO_NAMES = frozenset((*ROLES, "operator", "agent", PAGE))


@dataclass(frozen=True, slots=True)
class Session:
    """The latest messages of a session, in order, and their source."""

    channel: str
    conversation: str
    session: str
    messages: tuple[ChatMessage, ...]
    transcript: str = ""
    stored: bool = True  # in the message store, so that ids can cite them
    timed: bool = True  # the times are known
    damaged: int = 0  # unreadable lines of the transcript
    earlier: int = 0  # messages before these

    @property
    def source(self) -> str:
        parts = [self.channel, f"conversation {self.conversation}"]
        if self.session:
            parts.append(f"session {self.session}")
        if self.transcript:
            parts.append(f"transcript {self.transcript}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class SessionQuery:
    """A filter for sessions; empty fields match all."""

    channel: str = ""
    conversation: str = ""
    session: str = ""

    def fits(self, message: ChatMessage) -> bool:
        return (
            self.channel in ("", message.channel)
            and self.conversation in ("", message.conversation)
            and self.session in ("", message.session)
        )


def open_sessions(
    store: MessageStore, query: SessionQuery, most: int, has_ended: Callable[[ChatMessage], bool]
) -> Iterator[Session]:
    """Yield the sessions that have not ended, most recently active first, with ``most`` messages."""
    for last in filter(query.fits, store.last_spoken()):
        if has_ended(last):
            continue
        spoken = _since_last_end(store, last, has_ended)
        if spoken:
            place = (last.channel, last.conversation, last.session)
            yield Session(*place, tuple(spoken[-most:]), earlier=max(0, len(spoken) - most))


def since_last_end(
    messages: Iterable[ChatMessage], has_ended: Callable[[ChatMessage], bool]
) -> list[ChatMessage]:
    """Return the messages after the last one with which a session ended."""
    backwards = list(messages)[::-1]
    return list(takewhile(lambda message: not has_ended(message), backwards))[::-1]


def without_forgotten(talk: Iterable[IncomingMessage]) -> list[IncomingMessage]:
    """Return a transcript's messages without orders to forget and what they take back; the store does both by itself."""
    every: list[IncomingMessage] = []
    turns: list[IncomingMessage] = []
    texts: list[str] = []
    gone: set[int] = set()
    for heard in talk:
        every.append(heard)
        if heard.role != "user" or heard.external:
            continue
        is_order = is_vetoed(heard)
        if is_order:
            gone.add(id(heard))
        if is_order or to_forget(heard.text):
            taken = taken_by(heard.text, texts)
            if taken is not None:
                gone.add(id(turns[taken]))
            for turn in turns:
                if names_it(heard.text, turn.text):
                    gone.add(id(turn))
        turns.append(heard)
        texts.append(heard.text)
    return without_turns(every, lambda heard: id(heard) in gone)


def _since_last_end(
    store: MessageStore, last: ChatMessage, has_ended: Callable[[ChatMessage], bool]
) -> list[ChatMessage]:
    limit = PAGE_OF_TALK
    while True:
        page = store.log(MessageQuery(last.channel, last.conversation, last.session or None, limit=limit))
        of_session = (message for message in page if message.session == last.session)
        counted = [message for message in of_session if counts(message.role, message.text)]
        spoken = since_last_end(counted, has_ended)
        if len(spoken) < len(counted) or len(page) < limit:
            return spoken
        limit *= 4


def counts(role: str, text: str) -> bool:
    """Say whether a message is part of the conversation: from user or assistant, and not a command."""
    if role not in COUNTED or (role == "user" and _COMMAND.match(text)):
        return False
    return bool(without_injected(text).strip()) and not is_scaffolding(text)


def session_due(reset: SessionReset, last_spoken: datetime, now: datetime) -> str | None:
    """Return why a session with the last message at ``last_spoken`` is over, or None.

    The time of day is in the zone of ``now``. If the clock skips it on a day, it is an hour later; if it comes twice,
    the first one counts.
    """
    if reset.at is not None:
        today = datetime.combine(now.date(), reset.at, now.tzinfo).astimezone(UTC)
        yesterday = datetime.combine(now.date() - timedelta(1), reset.at, now.tzinfo).astimezone(UTC)
        latest = today if today <= now.astimezone(UTC) else yesterday
        if last_spoken < latest <= now:
            return DAILY
    silence = now.astimezone(UTC) - last_spoken.astimezone(UTC)
    if reset.idle_minutes is not None and silence >= timedelta(minutes=reset.idle_minutes):
        return IDLE
    return None


def session_text(
    title: str, session: Session, ended: datetime, operators: Collection[str] = frozenset()
) -> str:
    """Return the file of an ended session: date, source, and its last messages, a line each, below their days if there are several.

    A line is ``user``'s only if it is the operator's own; ``operators`` are the operator's names. A message is one line,
    so that it cannot open a heading, a list or a block; a very long one keeps its beginning and end. Times are in the
    zone of ``ended``.
    """
    first, last = (session.messages[at].sent_at.astimezone(ended.tzinfo) for at in (0, -1))
    zone = f" ({last.tzname()})" if last.tzname() else ""
    header = [
        f"{TITLE}{one_safe_line(title)}",
        "",
        *([f"- time: {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}{zone}"] if session.timed else []),
        f"- ended: {ended:%Y-%m-%d %H:%M}",
        f"{SOURCE}{one_safe_line(session.source)}",
        f"{MESSAGES}{_count(session)}",
    ]
    lines = []
    day = None
    for message in session.messages:
        sent_on = message.sent_at.astimezone(ended.tzinfo).date()
        if session.timed and first.date() != last.date() and sent_on != day:
            day = sent_on
            lines.append(f"\n## {day}")
        lines.append(f"\n{message_line(message, session, operators)}")
    return "\n".join([*header, *lines]) + "\n"


def _count(session: Session) -> str:
    count = len(session.messages)
    if session.earlier:
        return f"the last {count} of {count + session.earlier}"
    return str(count)


def message_line(message: ChatMessage, session: Session, operators: Collection[str]) -> str:
    """Return the line of one message, without a program's output behind the user's words."""
    who, text = _who(message, session, operators), message.text
    words = before_printed(text)
    if session.stored and who == USER and words != text and words.strip():
        text = f"{words} {LEFT_OUT}"
    return f"{who}: {one_safe_line(text)}"


def _who(message: ChatMessage, session: Session, operators: Collection[str]) -> str:
    """Return the author of a message; an outsider gets no name that looks like a role or the operator."""
    name = message.sender
    is_nobodys = not name and not session.stored  # a transcript without names: its user is the user
    if message.role != "user" or message.trust != EXTERNAL or is_nobodys:
        return message.role
    if not name or name.rpartition(":")[2].casefold() in operators:
        return PAGE
    if _NAME.fullmatch(name) and name.casefold() not in _NO_NAMES:
        return name
    return SOMEBODY
