"""What of a conversation counts when its session ends, and how the file of an ended session reads. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.capture.messages.message import ROLES
from clawgit.capture.transcripts.transcript_source import head_and_tail
from clawgit.memory.session_notes import MESSAGES, SOURCE, TITLE, USER
from clawgit.memory.trust import EXTERNAL
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.sessions.sessions import Session

MOST, HEAD, TAIL = 4000, 3000, 500  # characters of one message
PAGE, SOMEBODY = "page", "somebody"
_SESSION, _TRANSCRIPT = ", session ", ", transcript "
_NAME = lazy_pattern(r"\w[\w.@+' -]{0,59}")
_NO_NAMES = frozenset((*ROLES, "operator", "agent", PAGE))


def session_text(
    title: str, session: Session, ended: datetime, operators: Collection[str] = frozenset()
) -> str:
    """Return the file of an ended session: when it was, from where, and its last messages, a line each.

    What is not the operator's own is not ``user``'s, but its sender's or a page's; ``operators`` are his own names. A message is one line, so that nothing in it can open a heading, a list or a block; a very long one keeps its
    beginning and end. Times are those of the zone of ``ended``.
    """
    header = [
        f"{TITLE}{one_safe_line(title)}",
        "",
        *([f"- time: {_span(session.messages, ended)}"] if session.timed else []),
        f"- ended: {ended:%Y-%m-%d %H:%M}",
        f"{SOURCE}{one_safe_line(session.source)}",
        f"{MESSAGES}{len(session.messages)}",
    ]
    lines = [
        f"\n{_who(message, session, operators)}: {one_safe_line(message.text)}"
        for message in session.messages
    ]
    return "\n".join([*header, *lines]) + "\n"


def _who(message: ChatMessage, session: Session, operators: Collection[str]) -> str:
    """Return whose words a message is: an outsider's get no name that reads as a role or as the operator's."""
    name = message.sender
    is_nobodys = not name and not session.stored  # a transcript names nobody: its user is the user
    if message.role != "user" or message.trust != EXTERNAL or is_nobodys:
        return message.role
    if not name or name.rpartition(":")[2].casefold() in operators:
        return PAGE
    return name if _NAME.fullmatch(name) and name.casefold() not in _NO_NAMES else SOMEBODY


def _span(messages: Sequence[ChatMessage], ended: datetime) -> str:
    first, last = (messages[at].sent_at.astimezone(ended.tzinfo) for at in (0, -1))
    zone = f" ({last.tzname()})" if last.tzname() else ""
    return f"{first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}{zone}"


def session_of_note(data: bytes) -> str | None:
    """Return the session of which a file is the note, None where it is no such file or names none."""
    header = _header(data.decode("utf-8", "replace").splitlines())
    source = next((line for line in header if line.startswith(SOURCE)), "")
    _, named, session = source.partition(_TRANSCRIPT)[0].rpartition(_SESSION)
    return session if named else None


def strangers_lines(data: bytes) -> frozenset[int] | None:
    """Return which lines (from 1) of a session's note are an outsider's or answer one; None where it is no such file."""
    lines = data.decode("utf-8", "replace").splitlines()
    header = _header(lines)
    if not header:
        return None
    numbers, is_his = set[int](), False
    for number, line in enumerate(lines[len(header) :], len(header) + 1):
        speaker, says, _ = line.partition(": ")
        if says and speaker == USER:
            is_his = True
        elif says and speaker not in ROLES:
            is_his = False
        if not is_his:
            numbers.add(number)
    return frozenset(numbers)


def _header(lines: Sequence[str]) -> Sequence[str]:
    if not lines or not lines[0].startswith(TITLE):
        return ()
    end = next((at for at, line in enumerate(lines) if line.startswith(MESSAGES)), -1)
    return lines[: end + 1]


def one_safe_line(text: str) -> str:
    """Return ``text`` on one line, without secrets that show only there, and with nothing that reads as a comment."""
    line = redact(folded(head_and_tail(text, MOST, HEAD, TAIL)))
    return line.replace("<!--", "&lt;!--")
