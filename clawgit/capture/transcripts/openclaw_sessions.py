"""OpenClaw's sessions as a whole: what their names and `sessions.json` say, and a tree of which one branch was record."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from clawgit.capture.transcripts.transcript_lines import first_of, object_of, part_of, text_of
from clawgit.capture.transcripts.transcript_source import Known, Record
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ABANDONED = "on a branch that the talk went back from"
REPEATED = "an answer's second line, which says that it was sent"
_TREE = (
    "message",
    "thinking_level_change",
    "model_change",
    "compaction",
    "branch_summary",
    "custom",
    "custom_message",
    "label",
    "session_info",
    "reset",
)
LATELY = 3  # turns: on a busy machine an answer is sent when the next one is there
_MIRRORS = ("delivery-mirror", "gateway-injected")
SESSIONS = "sessions.json"
_MOST = 64 * 1024 * 1024
_GROUPS = ("group", "channel")
_DIRECT = ("direct", "dm")
_AUTOMATIC = ("subagent", "cron", "hook")
_INTERNAL = "internal-session-effects"
_THREADS = ("topic", "thread")


@dataclass(frozen=True, slots=True)
class Entry:
    """A message as OpenClaw keeps it, with the id and the time of its line."""

    message: Record
    entry_id: str
    timestamp: object


def entry_of(record: Record) -> Entry | None:
    """Return the message of a line: of a session's file, or of the `events.jsonl` of a bundle."""
    if record.get("type") == "message":
        return _entry(record.get("message"), record.get("id"), record.get("timestamp"))
    if is_event(record):
        return _entry(part_of(record, "data", "message"), record.get("entryId"), record.get("ts"))
    return None


def is_event(record: Record) -> bool:
    """Say whether a line is one of a bundle that repeats a session's."""
    return record.get("traceSchema") == "openclaw-trajectory" and record.get("source") == "transcript"


def _entry(message: object, entry_id: object, timestamp: object) -> Entry | None:
    return Entry(message, str(entry_id or ""), timestamp) if isinstance(message, dict) and message else None


def own_id_of(message: Record) -> tuple[str, str] | None:
    """Return the channel of a message and its id there, where OpenClaw noted both."""
    transport = part_of(message, "__openclaw", "transport")
    channel = first_of(transport, "channel")
    own = first_of(transport, "messageId")
    return (channel, own) if channel and own else None


def openclaw_known(lines: Iterable[bytes]) -> Known:
    """Return what a transcript as a whole tells: its session and keys, and which of its messages do not count."""
    tree = _Tree()
    messages: list[Entry] = []
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
    off = tree.abandoned()
    on_branch = [each for each in messages if each.entry_id not in off]
    return Known(
        session=session,
        keys=tuple(keys),
        ids=frozenset(filter(None, map(_id_of, messages))),
        left_out=dict.fromkeys(off, ABANDONED) | dict.fromkeys(_repeated(on_branch), REPEATED),
        places=dict(_places(on_branch)),
        has_more=has_more,
    )


def _id_of(entry: Entry) -> str:
    own = own_id_of(entry.message) if entry.message.get("role") == "user" else None
    return own[1] if own else entry.entry_id


def _places(messages: Iterable[Entry]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield where messages were said that came through a channel: with the sender, and the answers where he spoke."""
    place = None
    for each in messages:
        if each.message.get("role") == "user":
            own_id = own_id_of(each.message)
            sender = first_of(part_of(each.message, "__openclaw"), "senderId")
            place = (own_id[0], sender) if own_id and sender else None
        if place is not None:
            yield each.entry_id, place


def _repeated(messages: Iterable[Entry]) -> Iterator[str]:
    """Yield the ids of answers that repeat what the agent said lately; their turn may be over by then."""
    turns = deque([""], maxlen=LATELY)
    for each in messages:
        role = each.message.get("role")
        text = " ".join(text_of(each.message.get("content")).split())
        if role == "user":
            turns.append("")
        elif role == "assistant" and _is_mirror(each.message) and _is_in(each.message, text, turns):
            yield each.entry_id
        elif role == "assistant":
            turns[-1] = f"{turns[-1]} {text}".strip()


def _is_mirror(message: Record) -> bool:
    marked = isinstance(message.get("openclawDeliveryMirror"), dict)
    return marked or (message.get("provider") == "openclaw" and message.get("model") in _MIRRORS)


def _is_in(message: Record, text: str, turns: Iterable[str]) -> bool:
    """Say whether an answer is there already; of the last of a turn OpenClaw says so, however it was laid out."""
    is_last = str(part_of(message, "openclawDeliveryMirror").get("kind")).startswith("channel-final")
    return any(answers and (is_last or text in answers) for answers in turns)


@dataclass(slots=True)
class _Tree:
    """The tree of a session's lines, read as OpenClaw reads it: a `leaf` line says where the talk goes on."""

    parents: dict[str, str | None] = field(default_factory=dict)
    # With the line before, should a parent be missing.
    messages: dict[str, str | None] = field(default_factory=dict)
    leaf: str | None = None
    append: str | None = None
    has_parents: bool = False

    def note(self, record: Record) -> None:
        """Take a line into the tree."""
        name = record.get("id")
        if not isinstance(name, str) or not name or is_event(record):
            return
        if record.get("type") == "leaf":
            self._go_to(name, record)
        elif record.get("type") in _TREE:
            self._add(name, record)
        elif "parentId" in record:
            self.parents[name] = self._known(record["parentId"])
            self.append = name

    def abandoned(self) -> set[str]:
        """Return the messages that are not on the branch that was said last."""
        active, here = set[str](), self.leaf
        while here is not None and here not in active:
            active.add(here)
            here = self.parents.get(here)
        return {each for each in self.messages if each not in active} if self.has_parents else set()

    def _go_to(self, name: str, record: Record) -> None:
        target = record.get("targetId")
        if target is not None and target not in self.parents:
            return  # it points to nothing that is there
        self.parents[name] = self.leaf = target
        self.append = record.get("appendParentId", target)

    def _add(self, name: str, record: Record) -> None:
        is_aside = record.get("appendMode") == "side"
        parent = record.get("parentId", self.leaf)
        goes_on = "parentId" not in record or (parent == self.append and not is_aside)
        self.has_parents = self.has_parents or "parentId" in record
        self.parents[name] = self.leaf if goes_on else self._known(parent)
        self.append = name
        if not is_aside:
            if record.get("type") == "message":
                self.messages[name] = None
            self.leaf = name

    def _known(self, parent: object) -> str | None:
        """Return a parent; where it is missing, the line is damaged that had it, and what was said goes on."""
        return parent if parent is None or (isinstance(parent, str) and parent in self.parents) else self.leaf


@dataclass(frozen=True, slots=True)
class Listed:
    """What is known of a session: its keys, whether it is a group's, and whether ``sessions.json`` there lacks it."""

    keys: tuple[str, ...] = ()
    group: bool = False
    missing: bool = False


def listed_session(folder: Path, session: str) -> Listed:
    """Return what `sessions.json` in a folder says of a session; one that is damaged has none."""
    path = folder / SESSIONS
    try:
        with open_regular(path) as file:
            entries = json.loads(file.read(_MOST))
    except FileNotFoundError:
        return Listed()
    except (OSError, ValueError, RecursionError):
        return Listed(missing=True)
    every = entries.items() if isinstance(entries, dict) else ()
    own = [(key, each) for key, each in every if isinstance(each, dict) and _is_of(each, session)]
    group = any(each.get("chatType") in _GROUPS for _, each in own)
    return Listed(tuple(key for key, _ in own), group, missing=not own)


def _is_of(entry: Record, session: str) -> bool:
    """Say whether an entry is of a session, or of one that it went on from."""
    earlier = entry.get("usageFamilySessionIds")
    ids = [first_of(entry, "sessionId"), *(earlier if isinstance(earlier, list) else ())]
    return bool(session) and session in ids


def is_automatic(keys: Iterable[str]) -> bool:
    """Say whether a session's name is that of a sub-agent, a job or another run that no person speaks in."""
    every = [_parts(key) for key in keys]
    return any(parts[0] in _AUTOMATIC or parts[-1] == "heartbeat" or _INTERNAL in parts for parts in every)


def is_group(keys: Iterable[str]) -> bool:
    """Say whether a session's name is that of a group."""
    return any(part in _GROUPS for key in keys for part in _parts(key)[1:3])


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat of a channel; a ``direct`` one has the id of the person in it."""

    channel: str
    conversation: str
    direct: bool


def chat_of(keys: Iterable[str]) -> Chat | None:
    """Return the chat that a session's name tells, as in `agent:main:telegram:group:-100` (an account may be between)."""
    for key in keys:
        parts = _parts(key)
        at = next((at for at, part in enumerate(parts[1:3], 1) if part in _GROUPS + _DIRECT), 0)
        if at and len(parts) > at + 1:
            peer = takewhile(lambda part: part not in _THREADS, parts[at + 1 :])
            return Chat(parts[0], ":".join(peer), parts[at] in _DIRECT)
    return None


def _parts(key: str) -> list[str]:
    parts = key.split(":")
    return parts[2:] if parts[0] == "agent" and len(parts) > 2 else parts
