"""OpenClaw's transcripts, line by line: session files, bundles' events, and the rows of `chat.history`.

OpenClaw writes the sender into a message's text, where its author can forge it: such a sender is the operator only by
the operator's own claim.
"""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.transcripts.transcript_source import (
    SPEAKERS,
    Format,
    Prompt,
    Record,
    TranscriptFacts,
    TranscriptLine,
    TranscriptSource,
    TranscriptSummary,
    first_of,
    heard_of,
    in_use,
    moment_of,
    object_of,
    prompt_message,
    text_of,
)
from clawgit.memory.trust import EXTERNAL
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.strict_json import part_of
from clawgit.text.words.word_lists import words_in
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from clawgit.capture.messages.message import IncomingMessage
    from clawgit.capture.transcripts.transcript_source import Wish

ABANDONED = "on a branch that the talk went back from"
REPEATED = "an answer's second line, which says that it was sent"
# not a set: a line's type may be unhashable
_TREE = tuple(
    words_in("""
message thinking_level_change model_change compaction branch_summary custom custom_message label
session_info reset
""")
)
LATELY = 3  # turns: on a busy machine an answer may be sent after the next turn began
_MIRRORS = ("delivery-mirror", "gateway-injected")
SESSIONS = "sessions.json"
_MOST = 64 * 1024 * 1024
_GROUPS = ("group", "channel")
_DIRECT = ("direct", "dm")
_AUTOMATIC = ("subagent", "cron", "hook")
_INTERNAL = "internal-session-effects"
_THREADS = ("topic", "thread")
OF_SEVERAL = "several people sent them while the agent worked, as one message"
NOT_THE_OWNER = "OpenClaw says that their sender is not its owner"
NOT_FOR_OPENCLAW = (
    "operator_ids has their sender, but OpenClaw says that he is not its owner, as it does of everybody while"
    " `commands.ownerAllowFrom` of its openclaw.json is empty: name him there, and later messages are the operator's"
)
_OF_A_GROUP = lazy_pattern(r'"is_group_chat"\s*:\s*true\b|"group_(?:subject|channel|space)"\s*:\s*"')
# Messages sent while the agent worked are one later line, with a title and a heading for each.
_QUEUED = "[Queued messages while agent was busy]"
_QUEUED_ONE = lazy_pattern(r"^---\nQueued #\d{1,4}(?: \(from ([^\n]{0,200})\))?$\n?", re.MULTILINE)
_MESSAGE_ID = lazy_pattern(r"\[message_id: [^\]\n]{1,80}\]\s*\Z")
UNLISTED = "sessions.json does not list their session, so others may have spoken there"
_BEGINNING = 50  # lines that show whether it is a group's
# OpenClaw's blocks before the text, followed by channel, sender and time in brackets.
METADATA = lazy_pattern(
    r"\A\s*(?:[A-Z][\w ,'-]{2,60} \(untrusted[^)\n]{0,60}\):\n```json\n.*?\n```\s*)+", re.DOTALL
)
ENVELOPE = lazy_pattern(
    r"\A\s*\[(?=[^\]\n]{0,160}(?:\b\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}|\bid:\S))([^\]\n]{1,240})\]\s*"
)
_BLOCK = lazy_pattern(r"([A-Z][\w ,'-]{2,60}) \(untrusted[^)\n]{0,60}\):\n```json\n(.*?)\n```", re.DOTALL)
_ID = lazy_pattern(r"\bid:([^\s\]]+)")
_TIME = lazy_pattern(
    r"\s*(?:\+\d+[smhdw]\S*\s*)?(?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s*)?\b\d{4}-\d{2}-\d{2}[ T].*\Z"
)
_SENDER_KEYS = ("sender_id", "senderId", "sender_e164", "sender")
_OWN_KEYS = ("id", "e164", "username", "name", "label")  # of the block about the sender


class OpenClawMessage(NamedTuple):
    """A message as OpenClaw keeps it, with the id and the time of its line."""

    message: Record
    entry_id: str
    timestamp: object


def entry_of(record: Record) -> OpenClawMessage | None:
    """Return the message of a line of a session's file, or of the `events.jsonl` of a bundle."""
    if record.get("type") == "message":
        return _entry(record.get("message"), record.get("id"), record.get("timestamp"))
    if is_event(record):
        return _entry(part_of(record, "data", "message"), record.get("entryId"), record.get("ts"))
    return None


def is_event(record: Record) -> bool:
    """Say whether a line is a bundle's repetition of a session's."""
    return record.get("traceSchema") == "openclaw-trajectory" and record.get("source") == "transcript"


def _entry(message: object, entry_id: object, timestamp: object) -> OpenClawMessage | None:
    if isinstance(message, dict) and message:
        return OpenClawMessage(message, str(entry_id or ""), timestamp)
    return None


def own_id_of(message: Record) -> tuple[str, str] | None:
    """Return a message's channel and its id there, if OpenClaw noted both."""
    transport = part_of(message, "__openclaw", "transport")
    channel = first_of(transport, "channel")
    own = first_of(transport, "messageId")
    if channel and own:
        return (channel, own)
    return None


def openclaw_known(lines: Iterable[bytes]) -> TranscriptFacts:
    """Return a transcript's session and keys, and which of its messages do not count."""
    tree = _Tree()
    messages: list[OpenClawMessage] = []
    ids: set[str] = set()
    keys: dict[str, None] = {}
    session = ""
    has_more = False
    for record in filter(None, map(object_of, lines)):
        tree.note(record)
        is_head = record.get("type") == "session"
        session = session or first_of(record, "id" if is_head else "sessionId")
        has_more = has_more or (is_head and record.get("hasMore") is True)
        key = first_of(record, "sessionKey")
        if key:
            keys[key] = None
        entry = entry_of(record)
        if entry is not None:
            messages.append(entry)
            own_id = own_id_of(entry.message) if entry.message.get("role") == "user" else None
            ids.add(own_id[1] if own_id else entry.entry_id)
    off = tree.abandoned()
    on_branch = [each for each in messages if each.entry_id not in off]
    return TranscriptFacts(
        session=session,
        keys=tuple(keys),
        ids=frozenset(ids - {""}),
        left_out=dict.fromkeys(off, ABANDONED) | dict.fromkeys(_repeated(on_branch), REPEATED),
        places=dict(_places(on_branch)),
        has_more=has_more,
    )


def _places(messages: Iterable[OpenClawMessage]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield channel and sender of messages from a channel, and of the answers to them."""
    place = None
    for each in messages:
        if each.message.get("role") == "user":
            own_id = own_id_of(each.message)
            sender = first_of(part_of(each.message, "__openclaw"), "senderId")
            place = None
            if own_id and sender:
                place = (own_id[0], sender)
        if place is not None:
            yield each.entry_id, place


def _repeated(messages: Iterable[OpenClawMessage]) -> Iterator[str]:
    """Yield the ids of answers that repeat the agent's recent text, maybe after the turn's end."""
    turns = deque([""], maxlen=LATELY)
    for each in messages:
        role = each.message.get("role")
        text = " ".join(text_of(each.message.get("content")).split())
        is_repeated = False
        is_marked = isinstance(each.message.get("openclawDeliveryMirror"), dict)
        is_by_host = each.message.get("provider") == "openclaw" and each.message.get("model") in _MIRRORS
        if is_marked or is_by_host:
            kind = part_of(each.message, "openclawDeliveryMirror").get("kind")
            is_last = str(kind).startswith("channel-final")
            is_repeated = any(answers and (is_last or text in answers) for answers in turns)
        if role == "user":
            turns.append("")
        elif role == "assistant" and is_repeated:
            yield each.entry_id
        elif role == "assistant":
            turns[-1] = f"{turns[-1]} {text}".strip()


@dataclass(slots=True)
class _Tree:
    """The tree of a session's lines, as OpenClaw reads it: a `leaf` line says where the conversation continues."""

    parents: dict[str, str | None] = field(default_factory=dict)
    messages: set[str] = field(default_factory=set)
    leaf: str | None = None
    append: str | None = None
    has_parents: bool = False

    def note(self, record: Record) -> None:
        name = record.get("id")
        if not isinstance(name, str) or not name or is_event(record):
            return
        target = record.get("targetId")
        if record.get("type") == "leaf":
            if target is None or target in self.parents:  # else the target does not exist
                self.parents[name] = self.leaf = target
                self.append = record.get("appendParentId", target)
        elif record.get("type") in _TREE:
            is_aside = record.get("appendMode") == "side"
            parent = record.get("parentId", self.leaf)
            goes_on = "parentId" not in record or (parent == self.append and not is_aside)
            self.has_parents = self.has_parents or "parentId" in record
            self.parents[name] = self.leaf if goes_on else self._known(parent)
            self.append = name
            if not is_aside:
                if record.get("type") == "message":
                    self.messages.add(name)
                self.leaf = name
        elif "parentId" in record:
            self.parents[name] = self._known(record["parentId"])
            self.append = name

    def abandoned(self) -> set[str]:
        active, here = set[str](), self.leaf
        while here is not None and here not in active:
            active.add(here)
            here = self.parents.get(here)
        if self.has_parents:
            return self.messages - active
        return set()

    def _known(self, parent: object) -> str | None:
        """Return a parent; if its line is damaged, the current leaf instead."""
        if parent is None or (isinstance(parent, str) and parent in self.parents):
            return parent
        return self.leaf


class Listed(NamedTuple):
    """A session's keys, whether it is a group's, and whether an existing ``sessions.json`` lacks it."""

    keys: tuple[str, ...] = ()
    group: bool = False
    missing: bool = False


def listed_session(folder: Path, session: str) -> Listed:
    """Return the entry of a session in a folder's `sessions.json`; a damaged file counts as lacking it."""
    path = folder / SESSIONS
    try:
        with open_regular(path) as file:
            entries = json.loads(file.read(_MOST))
    except FileNotFoundError:
        return Listed()
    except (OSError, ValueError, RecursionError):
        return Listed(missing=True)
    own: dict[str, Record] = {}
    for key, entry in entries.items() if isinstance(entries, dict) and session else ():
        earlier = part_of(entry).get("usageFamilySessionIds")
        if session == first_of(part_of(entry), "sessionId") or (
            isinstance(earlier, list) and session in earlier
        ):
            own[key] = entry
    group = any(each.get("chatType") in _GROUPS for each in own.values())
    return Listed(tuple(own), group, missing=not own)


def is_automatic(keys: Iterable[str]) -> bool:
    """Say whether a session's name is that of a sub-agent, a job or another run without a person."""
    for parts in map(_parts, keys):
        if parts[0] in _AUTOMATIC or parts[-1] == "heartbeat" or _INTERNAL in parts:
            return True
    return False


def is_group(keys: Iterable[str]) -> bool:
    return any(part in _GROUPS for key in keys for part in _parts(key)[1:3])


class Chat(NamedTuple):
    """A chat of a channel; a ``direct`` one has the id of its person."""

    channel: str
    conversation: str
    direct: bool


def chat_of(keys: Iterable[str]) -> Chat | None:
    """Return the chat in a session's name, as in `agent:main:telegram:group:-100` (maybe with an account between)."""
    for key in keys:
        parts = _parts(key)
        at = next((at for at, part in enumerate(parts[1:3], 1) if part in _GROUPS + _DIRECT), 0)
        if at and len(parts) > at + 1:
            peer = takewhile(lambda part: part not in _THREADS, parts[at + 1 :])
            return Chat(parts[0], ":".join(peer), parts[at] in _DIRECT)
    return None


def _parts(key: str) -> list[str]:
    parts = key.split(":")
    if parts[0] == "agent" and len(parts) > 2:
        return parts[2:]
    return parts


def openclaw_line(record: Record, source: TranscriptSource) -> TranscriptLine:
    """Read a line; "sender is owner" is OpenClaw's claim, believed only in the operator's own import."""
    entry = entry_of(record)
    if entry is None or entry.message.get("role") not in SPEAKERS:
        return TranscriptLine()
    # OpenClaw's own lines: another session's words, or a hidden prompt.
    kinds = [part_of(part, "provenance").get("kind", "external_user") for part in (record, entry.message)]
    if entry.message.get("display") is False or kinds != ["external_user"] * 2:
        return TranscriptLine()
    if entry.entry_id in source.known.left_out:
        return TranscriptLine(left_out=source.known.left_out[entry.entry_id])
    content = text_of(entry.message.get("content"))
    here = replace(source, group=source.group or _is_of_group(content))
    text = _MESSAGE_ID.sub("", ENVELOPE.sub("", METADATA.sub("", content))).rstrip()
    senders: set[str] = set()
    if text.startswith(_QUEUED):
        senders.update(_QUEUED_ONE.findall(text))
    if senders:
        text = _QUEUED_ONE.sub("", text.removeprefix(_QUEUED)).strip()
    sent_at = moment_of(entry.message.get("timestamp")) or moment_of(entry.timestamp)
    heard = heard_of(here, str(entry.message["role"]), text, entry.entry_id, sent_at)
    if heard is None or (source.automatic and own_id_of(entry.message) is None):
        return TranscriptLine()  # in an automatic session, only a channel's message proves a person
    if not here.group and entry.entry_id in source.known.places:
        channel, conversation = source.known.places[entry.entry_id]
        heard = heard._replace(channel=channel, conversation=conversation)
    named = sender_in(content) or next(iter(senders), "")
    if named and heard.role == "user" and not (here.group or here.is_direct):
        heard = heard._replace(sender=named)
    if len(senders) > 1:
        return TranscriptLine(heard._replace(by_operator=False, most_trust=EXTERNAL), barred=OF_SEVERAL)
    if heard.role == "user":
        return _by_whom(heard, entry.message, source, named)
    return TranscriptLine(heard)


def _by_whom(heard: IncomingMessage, message: Record, source: TranscriptSource, named: str) -> TranscriptLine:
    """Return a user's message with its sender; OpenClaw's note on the message outweighs what holds for the whole transcript."""
    by_host = part_of(message, "__openclaw")
    own_id = own_id_of(message)
    heard = heard._replace(
        sender=first_of(by_host, "senderId") or heard.sender,
        message_id=own_id[1] if own_id else heard.message_id,
    )
    is_owner = by_host.get("senderIsOwner")
    if is_owner is False:
        return TranscriptLine(heard._replace(by_operator=False, most_trust=EXTERNAL), barred=NOT_THE_OWNER)
    if is_owner is True:
        return TranscriptLine(heard._replace(by_operator=source.owner_counts))
    if source.known.barred:
        return TranscriptLine(heard._replace(by_operator=False), barred=source.known.barred)
    return TranscriptLine(heard, by_text=named != "" and heard.sender == named)


def is_of_group(line: bytes) -> bool:
    """Say whether a line is from a group chat; senders can forge it, so it may only exclude messages."""
    entry = entry_of(object_of(line) or {}) if b"(untrusted" in line else None
    return entry is not None and _is_of_group(text_of(entry.message.get("content")))


def _is_of_group(content: str) -> bool:
    blocks = METADATA.match(content)
    return blocks is not None and _OF_A_GROUP.search(blocks[0]) is not None


def sender_in(text: str) -> str:
    """Return the sender that a message's text names in front; empty if none."""
    blocks = METADATA.match(text)
    if blocks is not None:
        for title, data in _BLOCK.findall(blocks[0]):
            facts: Record = object_of(data.encode("utf-8", "replace")) or {}
            keys = (*_SENDER_KEYS, *(_OWN_KEYS if title.startswith("Sender") else ()))
            if name := first_of(facts, *keys):
                return name
        text = text[blocks.end() :]
    envelope = ENVELOPE.match(text)
    if envelope is None:
        return ""
    if own_id := _ID.search(envelope[1]):
        return own_id[1]
    _channel, _, name = _TIME.sub("", envelope[1]).strip().partition(" ")
    return name.strip()


def _place(source: TranscriptSource, path: Path, wish: Wish, lines: Iterable[bytes]) -> TranscriptSource:
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


def _summary_line(summary: TranscriptSummary) -> Record:
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
    prompt=Prompt(lambda record: prompt_message(record, ("message",)), _summary_line),
    has_own_ids=True,
    cuts_senders=True,
)
