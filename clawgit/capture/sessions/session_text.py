"""What of a conversation counts when its session ends, and how the file of an ended session reads. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.capture.transcripts.prune_rules import head_and_tail
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.sessions.sessions import Session

LATEST = 15
MOST, HEAD, TAIL = 4000, 3000, 500  # characters of one message


def session_text(title: str, session: Session, ended: datetime) -> str:
    """Return the file of an ended session: when it was, from where, and its last messages, a line each.

    A message is one line, so that nothing in it can open a heading, a list or a block; a very long one keeps its
    beginning and end. Times are those of the zone of ``ended``.
    """
    header = [
        f"# Session: {one_safe_line(title)}",
        "",
        *([f"- time: {_span(session.messages, ended)}"] if session.timed else []),
        f"- ended: {ended:%Y-%m-%d %H:%M}",
        f"- source: {one_safe_line(session.source)}",
        f"- messages: {len(session.messages)}",
    ]
    said = [f"\n{message.role}: {one_safe_line(message.text)}" for message in session.messages]
    return "\n".join([*header, *said]) + "\n"


def _span(messages: Sequence[ChatMessage], ended: datetime) -> str:
    first, last = (messages[at].sent_at.astimezone(ended.tzinfo) for at in (0, -1))
    zone = f" ({last.tzname()})" if last.tzname() else ""
    return f"{first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}{zone}"


def one_safe_line(text: str) -> str:
    """Return ``text`` on one line, without secrets that show only there, and with nothing that reads as a comment."""
    line = redact(folded(head_and_tail(text, MOST, HEAD, TAIL)))
    return line.replace("<!--", "&lt;!--")
