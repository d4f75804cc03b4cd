"""OpenClaw's transcripts, line by line: session files, bundles' events, and the rows of `chat.history`.

OpenClaw writes the sender into a message's text. That can be forged by whoever wrote it: a sender that it names is the operator by
his own claim alone.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from clawgit.capture.transcripts.openclaw_sessions import (
    chat_of,
    entry_of,
    is_automatic,
    is_group,
    listed_session,
    openclaw_known,
    own_id_of,
)
from clawgit.capture.transcripts.transcript_lines import first_of, moment_of, object_of, part_of, text_of
from clawgit.capture.transcripts.transcript_source import (
    SPEAKERS,
    Format,
    Line,
    Prompt,
    Record,
    Source,
    Summary,
    heard_of,
    in_use,
)
from clawgit.memory.trust import EXTERNAL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from clawgit.capture.messages.message import Heard
    from clawgit.capture.transcripts.transcript_source import Wish

OF_SEVERAL = "several people sent them while the agent worked, as one message"
NOT_THE_OWNER = "OpenClaw says that their sender is not its owner"
NOT_FOR_OPENCLAW = (
    "operator_ids has their sender, but OpenClaw says that he is not its owner, as it does of everybody while"
    " `commands.ownerAllowFrom` of its openclaw.json is empty: name him there, and later messages are the operator's"
)
_OF_A_GROUP = re.compile(r'"is_group_chat"\s*:\s*true\b|"group_(?:subject|channel|space)"\s*:\s*"')
# What was sent while the agent worked is one line later on, with a title and a heading for each message.
_QUEUED = "[Queued messages while agent was busy]"
_QUEUED_ONE = re.compile(r"^---\nQueued #\d{1,4}(?: \(from ([^\n]{0,200})\))?$\n?", re.MULTILINE)
_MESSAGE_ID = re.compile(r"\[message_id: [^\]\n]{1,80}\]\s*\Z")
UNLISTED = "sessions.json does not list their session, so others may have spoken there"
_BEGINNING = 50  # lines that tell whether it is a group's
# Blocks that OpenClaw puts before what was said, and the channel, sender and time in brackets after them.
METADATA = re.compile(
    r"\A\s*(?:[A-Z][\w ,'-]{2,60} \(untrusted[^)\n]{0,60}\):\n```json\n.*?\n```\s*)+", re.DOTALL
)
ENVELOPE = re.compile(
    r"\A\s*\[(?=[^\]\n]{0,160}(?:\b\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}|\bid:\S))([^\]\n]{1,240})\]\s*"
)
_BLOCK = re.compile(r"([A-Z][\w ,'-]{2,60}) \(untrusted[^)\n]{0,60}\):\n```json\n(.*?)\n```", re.DOTALL)
_ID = re.compile(r"\bid:([^\s\]]+)")
_TIME = re.compile(
    r"\s*(?:\+\d+[smhdw]\S*\s*)?(?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s*)?\b\d{4}-\d{2}-\d{2}[ T].*\Z"
)
_SENDER_KEYS = ("sender_id", "senderId", "sender_e164", "sender")
_OWN_KEYS = ("id", "e164", "username", "name", "label")  # of the block that is about the sender


def openclaw_line(record: Record, source: Source) -> Line:
    """Read a line; whether its sender is the owner is OpenClaw's word, and only the operator's import believes a yes."""
    entry = entry_of(record)
    if entry is None or entry.message.get("role") not in SPEAKERS or _is_by_the_host(record, entry.message):
        return Line()
    if entry.entry_id in source.known.left_out:
        return Line(left_out=source.known.left_out[entry.entry_id])
    content = text_of(entry.message.get("content"))
    here = replace(source, group=source.group or _is_of_group(content))
    text = _MESSAGE_ID.sub("", ENVELOPE.sub("", METADATA.sub("", content))).rstrip()
    senders = set(_QUEUED_ONE.findall(text)) if text.startswith(_QUEUED) else set()
    text = _QUEUED_ONE.sub("", text.removeprefix(_QUEUED)).strip() if senders else text
    sent_at = moment_of(entry.message.get("timestamp")) or moment_of(entry.timestamp)
    heard = heard_of(here, str(entry.message["role"]), text, entry.entry_id, sent_at)
    if heard is None or (source.automatic and own_id_of(entry.message) is None):
        return Line()  # in a session of no person's only a channel's message proves that one spoke
    if not here.group and entry.entry_id in source.known.places:
        channel, conversation = source.known.places[entry.entry_id]
        heard = heard._replace(channel=channel, conversation=conversation)
    named = sender_in(content) or next(iter(senders), "")
    if named and heard.role == "user" and not (here.group or here.is_direct):
        heard = heard._replace(sender=named)
    if len(senders) > 1:
        return Line(heard._replace(by_operator=False, most_trust=EXTERNAL), barred=OF_SEVERAL)
    return _by_whom(heard, entry.message, source, named) if heard.role == "user" else Line(heard)


def _by_whom(heard: Heard, message: Record, source: Source, named: str) -> Line:
    """Return a user's message with its sender: OpenClaw's own word about him outweighs what is said of all of them."""
    by_host = part_of(message, "__openclaw")
    own_id = own_id_of(message)
    heard = heard._replace(
        sender=first_of(by_host, "senderId") or heard.sender,
        message_id=own_id[1] if own_id else heard.message_id,
    )
    is_owner = by_host.get("senderIsOwner")
    if is_owner is False:
        return Line(heard._replace(by_operator=False, most_trust=EXTERNAL), barred=NOT_THE_OWNER)
    if is_owner is True:
        return Line(heard._replace(by_operator=source.owner_counts))
    if source.known.barred:
        return Line(heard._replace(by_operator=False), barred=source.known.barred)
    return Line(heard, by_text=named != "" and heard.sender == named)


def is_of_group(line: bytes) -> bool:
    """Say whether a line of an OpenClaw transcript was said in a group chat.

    Whatever is there can be forged by who writes to the agent, so it may keep messages out, and never raise one.
    """
    entry = entry_of(object_of(line) or {}) if b"(untrusted" in line else None
    return entry is not None and _is_of_group(text_of(entry.message.get("content")))


def _is_of_group(content: str) -> bool:
    blocks = METADATA.match(content)
    return blocks is not None and _OF_A_GROUP.search(blocks[0]) is not None


def _is_by_the_host(record: Record, message: Record) -> bool:
    """Say whether OpenClaw itself put a line there: another session's words, or a prompt that nobody sees."""
    kinds = [part_of(part, "provenance").get("kind", "external_user") for part in (record, message)]
    return message.get("display") is False or any(kind != "external_user" for kind in kinds)


def sender_in(text: str) -> str:
    """Return the sender whom a message's text names in front of what was said, empty where it names none."""
    blocks = METADATA.match(text)
    if blocks is None:
        return _of_envelope(text)
    return _of_blocks(blocks[0]) or _of_envelope(text[blocks.end() :])


def _of_blocks(blocks: str) -> str:
    for title, data in _BLOCK.findall(blocks):
        facts: Record = object_of(data.encode("utf-8", "replace")) or {}
        keys = (*_SENDER_KEYS, *(_OWN_KEYS if title.startswith("Sender") else ()))
        if name := first_of(facts, *keys):
            return name
    return ""


def _of_envelope(text: str) -> str:
    """Return the id in brackets as in `[Telegram Ada id:4242 2026-03-19 10:22 UTC]`, else the name behind the channel."""
    envelope = ENVELOPE.match(text)
    if envelope is None:
        return ""
    if own_id := _ID.search(envelope[1]):
        return own_id[1]
    _channel, _, name = _TIME.sub("", envelope[1]).strip().partition(" ")
    return name.strip()


def _place(source: Source, path: Path, wish: Wish, lines: Iterable[bytes]) -> Source:
    """Return a source with what the names of its session tell: those in its lines, or in the file beside it."""
    listed = listed_session(path.parent, source.session or in_use(path).stem)
    keys = (*source.known.keys, *listed.keys)
    chat = chat_of(keys)
    source = replace(
        source,
        group=any(map(is_of_group, islice(lines, _BEGINNING))) or listed.group or is_group(keys),
        automatic=is_automatic(keys),
        known=replace(
            source.known, keys=keys, barred=UNLISTED if listed.missing and not source.known.keys else ""
        ),
    )
    if chat is None:
        return source
    return replace(
        source,
        channel=wish.channel or chat.channel,
        conversation=wish.conversation or chat.conversation,
        sender=chat.conversation if chat.direct else source.sender,
        is_direct=chat.direct,
        by_file_name=False,
    )


def _is_own(record: Record) -> bool:
    kind = record.get("type")
    if record.get("traceSchema") == "openclaw-trajectory":
        return True
    if kind == "session":
        return "cwd" in record or "version" in record
    return isinstance(kind, str) and ("parentId" in record or (kind == "message" and "message" in record))


def _in_prompt(record: Record) -> Record | None:
    message = record.get("message")
    is_turn = record.get("type") == "message" and not record.get("isSidechain")
    return message if is_turn and isinstance(message, dict) else None


def _summary_line(summary: Summary) -> Record:
    return {
        "type": "compaction",
        "id": summary.after.get("parentId") or "clawgit-summary",
        "parentId": None,
        "timestamp": summary.at,
        "summary": summary.text,
        "firstKeptEntryId": summary.after.get("id"),
        "tokensBefore": summary.tokens,
    }


OPENCLAW = Format(
    "openclaw",
    is_own=_is_own,
    read=openclaw_line,
    survey=openclaw_known,
    place=_place,
    prompt=Prompt(_in_prompt, _summary_line),
    has_own_ids=True,
    cuts_senders=True,
)
