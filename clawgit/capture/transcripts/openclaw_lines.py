"""OpenClaw's transcripts, line by line: session files, bundles' events, and the rows of `chat.history`. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.named_senders import ENVELOPE, METADATA, sender_in
from clawgit.capture.transcripts.openclaw_survey import entry_of, own_id_of
from clawgit.capture.transcripts.transcript_lines import first_of, moment_of, object_of, part_of, text_of
from clawgit.capture.transcripts.transcript_source import SPEAKERS, Line, Source, heard_of
from clawgit.memory.trust import EXTERNAL

if TYPE_CHECKING:
    from clawgit.capture.messages.message import Heard

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


def openclaw_line(said: dict[str, Any], source: Source) -> Line:
    """Read a line; whether its sender is the owner is OpenClaw's word, and only the operator's import believes a yes."""
    entry = entry_of(said)
    if entry is None or entry.message.get("role") not in SPEAKERS or _is_by_the_host(said, entry.message):
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


def _by_whom(heard: Heard, message: dict[str, Any], source: Source, named: str) -> Line:
    """Return a user's message with its sender: OpenClaw's own word about him outweighs what is said of all of them."""
    told = part_of(message, "__openclaw")
    own_id = own_id_of(message)
    heard = heard._replace(
        sender=first_of(told, "senderId") or heard.sender,
        message_id=own_id[1] if own_id else heard.message_id,
    )
    is_owner = told.get("senderIsOwner")
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


def _is_by_the_host(said: dict[str, Any], message: dict[str, Any]) -> bool:
    """Say whether OpenClaw itself put a line there: another session's words, or a prompt that nobody sees."""
    kinds = [part_of(part, "provenance").get("kind", "external_user") for part in (said, message)]
    return message.get("display") is False or any(kind != "external_user" for kind in kinds)
