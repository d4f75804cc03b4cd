"""Lines of JSON with role and text: our own export, or any program's that knows these. Pure."""

from __future__ import annotations

from typing import Any

from clawgit.capture.messages.message import ROLES, Heard
from clawgit.capture.transcripts.transcript_lines import first_of, moment_of, part_of, text_of
from clawgit.capture.transcripts.transcript_source import Line, Source
from clawgit.memory.trust import OPERATOR, TRUSTS

_TIMES = ("sent_at", "timestamp", "at", "ts", "time")
# What exports call the person who spoke: a text or a number, or an object about that person.
_SENDERS = (
    *("sender", "senderId", "from", "sender_id", "sender_name", "senderName", "from_id", "fromId", "author"),
    *("author_id", "author_name", "user", "user_id", "userId", "username", "speaker", "name"),
)
_OF_A_PERSON = ("id", "e164", "username", "name", "label")


def plain_line(said: dict[str, Any], source: Source) -> Line:
    """Read a line."""
    role = said.get("role", "user")
    text = said.get("text", said.get("content"))
    text = text_of(text) if isinstance(text, list) else text
    if role not in ROLES or not isinstance(text, str):
        return Line(problem=f"it has no text, or a role that is none of {', '.join(ROLES)}")
    trust = said.get("trust", OPERATOR)
    group = bool(said.get("group") or said.get("isGroup"))
    is_the_user = role == "user" and not group
    names = _SENDERS if role == "user" else _SENDERS[:3]
    sender = (
        _sender_of(said, names)
        or _sender_of(part_of(said, "metadata"), names)
        or (source.sender if is_the_user else "")
    )
    return Line(
        Heard(
            role=role,
            text=text,
            channel=first_of(said, "channel", "channelId") or source.channel,
            conversation=first_of(said, "conversation", "conversationId") or source.conversation or "main",
            message_id=first_of(said, "message_id", "messageId")
            or ("" if "message_id" in said else first_of(said, "id")),
            session=first_of(said, "session", "sessionId", "sessionKey") or source.session,
            sender=sender,
            sent_at=next(filter(None, (moment_of(said.get(name)) for name in _TIMES)), None),
            group=group,
            external=bool(said.get("external") or said.get("forwarded")),
            most_trust=trust if trust in TRUSTS else TRUSTS[0],
            by_operator=source.by_operator and is_the_user,
        )
    )


def _sender_of(said: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return who sent a line as one of these keys names it, empty where none does."""
    for name in names:
        if sender := first_of(said, name) or first_of(part_of(said, name), *_OF_A_PERSON):
            return sender
    return ""
