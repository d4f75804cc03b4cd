"""Lines of JSON with role and text: our own export, or another program's with the same fields. Pure."""

from __future__ import annotations

from clawgit.capture.messages.message import ROLES, IncomingMessage
from clawgit.capture.transcripts.transcript_source import (
    Format,
    Prompt,
    Record,
    TranscriptLine,
    TranscriptSource,
    TranscriptSummary,
    first_of,
    moment_of,
    text_of,
)
from clawgit.memory.trust import OPERATOR, TRUSTS
from clawgit.text.strict_json import part_of

_TIMES = ("sent_at", "timestamp", "at", "ts", "time")
# Keys that exports use for the sender: a text or a number, or an object.
_SENDERS = (
    *("sender", "senderId", "from", "sender_id", "sender_name", "senderName", "from_id", "fromId", "author"),
    *("author_id", "author_name", "user", "user_id", "userId", "username", "speaker", "name"),
)
_OF_A_PERSON = ("id", "e164", "username", "name", "label")


def plain_line(record: Record, source: TranscriptSource) -> TranscriptLine:
    role = record.get("role", "user")
    text = record.get("text", record.get("content"))
    if isinstance(text, list):
        text = text_of(text)
    if role not in ROLES or not isinstance(text, str):
        return TranscriptLine(problem=f"it has no text, or a role that is none of {', '.join(ROLES)}")
    trust = record.get("trust", OPERATOR)
    group = bool(record.get("group") or record.get("isGroup"))
    is_the_user = role == "user" and not group
    names = _SENDERS if role == "user" else _SENDERS[:3]
    sender = (
        _sender_of(record, names)
        or _sender_of(part_of(record, "metadata"), names)
        or (source.sender if is_the_user else "")
    )
    return TranscriptLine(
        IncomingMessage(
            role=role,
            text=text,
            channel=first_of(record, "channel", "channelId") or source.channel,
            conversation=first_of(record, "conversation", "conversationId") or source.conversation or "main",
            message_id=first_of(record, "message_id", "messageId")
            or ("" if "message_id" in record else first_of(record, "id")),
            session=first_of(record, "session", "sessionId", "sessionKey") or source.session,
            sender=sender,
            sent_at=next(filter(None, (moment_of(record.get(name)) for name in _TIMES)), None),
            group=group,
            external=bool(record.get("external") or record.get("forwarded")),
            most_trust=trust if trust in TRUSTS else TRUSTS[0],
            by_operator=source.by_operator and is_the_user,
        )
    )


def _sender_of(record: Record, names: tuple[str, ...]) -> str:
    for name in names:
        if sender := first_of(record, name) or first_of(part_of(record, name), *_OF_A_PERSON):
            return sender
    return ""


def _summary_line(summary: TranscriptSummary) -> Record:
    line = {"role": "system", "text": summary.text, "summary": True}
    if summary.at:
        return line | {"timestamp": summary.at}
    return line


PLAIN = Format(
    "jsonl",
    is_own=lambda record: isinstance(record.get("content"), (str, list)),
    read=plain_line,
    prompt=Prompt(
        lambda record: record if isinstance(record.get("role"), str) else None,
        _summary_line,
        text_name="text",
    ),
    channel="import",
    is_live=False,
)
