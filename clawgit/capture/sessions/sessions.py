"""Sessions in the message store: what was said in a conversation since its session ended last."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import without_injected
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.transcripts.transcript_source import is_scaffolding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clawgit.capture.messages.message import ChatMessage
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


@dataclass(frozen=True, slots=True)
class Session:
    """The latest messages of a session, in their order, and where they come from.

    ``stored``: they are in the message store, so that their ids name them. ``timed``: it is known when they were said.
    ``damaged``: so many lines of the transcript could not be read.
    """

    channel: str
    conversation: str
    session: str
    messages: tuple[ChatMessage, ...]
    transcript: str = ""
    stored: bool = True
    timed: bool = True
    damaged: int = 0

    @property
    def source(self) -> str:
        """Return where it took place, as its file says it."""
        parts = [self.channel, f"conversation {self.conversation}"]
        parts += [f"session {self.session}"] if self.session else []
        parts += [f"transcript {self.transcript}"] if self.transcript else []
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sessions are looked for: those that fit what is not empty."""

    channel: str = ""
    conversation: str = ""
    session: str = ""

    def fits(self, message: ChatMessage) -> bool:
        """Say whether a message is of such a session."""
        return (
            self.channel in ("", message.channel)
            and self.conversation in ("", message.conversation)
            and self.session in ("", message.session)
        )


def open_sessions(
    store: MessageStore, wanted: Wanted, most: int, has_ended: Callable[[ChatMessage], bool]
) -> Iterator[Session]:
    """Yield the sessions that have not ended, the one in which somebody spoke latest first, with ``most`` messages."""
    for last in filter(wanted.fits, store.last_spoken()):
        if has_ended(last):
            continue
        messages = _latest(store, last, most, has_ended)
        if messages:
            yield Session(last.channel, last.conversation, last.session, tuple(messages))


def since_last_end(
    messages: Iterable[ChatMessage], has_ended: Callable[[ChatMessage], bool]
) -> list[ChatMessage]:
    """Return the messages behind the last one with which a session ended."""
    backwards = list(messages)[::-1]
    return list(takewhile(lambda message: not has_ended(message), backwards))[::-1]


def _latest(
    store: MessageStore, last: ChatMessage, most: int, has_ended: Callable[[ChatMessage], bool]
) -> list[ChatMessage]:
    limit = 4 * most
    while True:
        page = store.log(Asked(last.channel, last.conversation, last.session or None, limit=limit))
        counted = [
            message
            for message in page
            if message.session == last.session and counts(message.role, message.text)
        ]
        latest = counted[-most:]
        if len(counted) >= most or len(page) < limit:
            return since_last_end(latest, has_ended)
        limit *= 4


def counts(role: str, text: str) -> bool:
    """Say whether a message is part of the conversation: said by the user or the assistant, and no command."""
    if role not in COUNTED or (role == "user" and _COMMAND.match(text)):
        return False
    return bool(without_injected(text).strip()) and not is_scaffolding(text)


def session_due(reset: SessionReset, last_spoken: datetime, now: datetime) -> str | None:
    """Return why a session in which somebody spoke last at ``last_spoken`` is over, None while it is not.

    The time of day is that of the zone of ``now``. A day on which the clock skips it has it an hour later;
    one that has it twice, the first time.
    """
    if reset.at is not None and last_spoken < _latest_reset(reset, now) <= now:
        return DAILY
    silence = now.astimezone(UTC) - last_spoken.astimezone(UTC)
    if reset.idle_minutes is not None and silence >= timedelta(minutes=reset.idle_minutes):
        return IDLE
    return None


def _latest_reset(reset: SessionReset, now: datetime) -> datetime:
    """Return the last moment, not after ``now``, at which the clock showed the time of the reset."""
    assert reset.at is not None
    today = _at(now, reset, days=0)
    return today if today <= now.astimezone(UTC) else _at(now, reset, days=1)


def _at(now: datetime, reset: SessionReset, *, days: int) -> datetime:
    assert reset.at is not None
    wall = datetime.combine(now.date() - timedelta(days=days), reset.at, now.tzinfo)
    return wall.astimezone(UTC)
