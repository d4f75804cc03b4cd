"""OpenClaw's transcripts as a whole: a tree, of which one branch was said, and in which answers occur twice. Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.transcript_lines import first_of, object_of, part_of, text_of
from clawgit.capture.transcripts.transcript_source import Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


@dataclass(frozen=True, slots=True)
class Entry:
    """A message as OpenClaw keeps it, with the id and the time of its line."""

    message: dict[str, Any]
    entry_id: str
    timestamp: object


def entry_of(said: dict[str, Any]) -> Entry | None:
    """Return the message of a line: of a session's file, or of the `events.jsonl` of a bundle."""
    if said.get("type") == "message":
        return _entry(said.get("message"), said.get("id"), said.get("timestamp"))
    if is_event(said):
        return _entry(part_of(said, "data", "message"), said.get("entryId"), said.get("ts"))
    return None


def is_event(said: dict[str, Any]) -> bool:
    """Say whether a line is one of a bundle that repeats a session's."""
    return said.get("traceSchema") == "openclaw-trajectory" and said.get("source") == "transcript"


def _entry(message: object, entry_id: object, timestamp: object) -> Entry | None:
    return Entry(message, str(entry_id or ""), timestamp) if isinstance(message, dict) and message else None


def own_id_of(message: dict[str, Any]) -> tuple[str, str] | None:
    """Return the channel of a message and its id there, where OpenClaw noted both."""
    transport = part_of(message, "__openclaw", "transport")
    channel, own = first_of(transport, "channel"), first_of(transport, "messageId")
    return (channel, own) if channel and own else None


def openclaw_known(lines: Iterable[bytes]) -> Known:
    """Return what a transcript as a whole tells: its session and keys, and which of its messages do not count."""
    tree, messages = _Tree(), list[Entry]()
    session, keys, has_more = "", dict[str, None](), False
    for said in filter(None, map(object_of, lines)):
        tree.note(said)
        session = session or first_of(said, *(("id",) if said.get("type") == "session" else ("sessionId",)))
        keys |= dict.fromkeys(filter(None, [first_of(said, "sessionKey")]))
        has_more = has_more or (said.get("type") == "session" and said.get("hasMore") is True)
        entry = entry_of(said)
        messages += [entry] if entry is not None else []
    off = tree.abandoned()
    said_there = [each for each in messages if each.entry_id not in off]
    left_out = dict.fromkeys(off, ABANDONED) | dict.fromkeys(_repeated(said_there), REPEATED)
    return Known(
        session=session,
        keys=tuple(keys),
        ids=frozenset(filter(None, map(_id_of, messages))),
        left_out=left_out,
        places=dict(_places(said_there)),
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
            own_id, sender = (
                own_id_of(each.message),
                first_of(part_of(each.message, "__openclaw"), "senderId"),
            )
            place = (own_id[0], sender) if own_id and sender else None
        if place is not None:
            yield each.entry_id, place


def _repeated(messages: Iterable[Entry]) -> Iterator[str]:
    """Yield the ids of answers that repeat what the agent said lately; their turn may be over by then."""
    turns = deque([""], maxlen=LATELY)
    for each in messages:
        role, text = each.message.get("role"), _plain(each.message)
        if role == "user":
            turns.append("")
        elif role == "assistant" and _is_mirror(each.message) and _is_in(each.message, text, turns):
            yield each.entry_id
        elif role == "assistant":
            turns[-1] = f"{turns[-1]} {text}".strip()


def _is_mirror(message: dict[str, Any]) -> bool:
    marked = isinstance(message.get("openclawDeliveryMirror"), dict)
    return marked or (message.get("provider") == "openclaw" and message.get("model") in _MIRRORS)


def _is_in(message: dict[str, Any], text: str, turns: Iterable[str]) -> bool:
    """Say whether an answer is there already; of the last of a turn OpenClaw says so, however it was laid out."""
    is_last = str(part_of(message, "openclawDeliveryMirror").get("kind")).startswith("channel-final")
    return any(answers and (is_last or text in answers) for answers in turns)


def _plain(message: dict[str, Any]) -> str:
    return " ".join(text_of(message.get("content")).split())


@dataclass(slots=True)
class _Tree:
    """The tree of a session's lines, read as OpenClaw reads it: a `leaf` line says where the talk goes on."""

    parents: dict[str, str | None] = field(default_factory=dict)
    # With the line before, should a parent be missing.
    messages: dict[str, str | None] = field(default_factory=dict)
    leaf: str | None = None
    append: str | None = None
    has_parents: bool = False

    def note(self, said: dict[str, Any]) -> None:
        """Take a line into the tree."""
        name = said.get("id")
        if not isinstance(name, str) or not name or is_event(said):
            return
        if said.get("type") == "leaf":
            self._go_to(name, said)
        elif said.get("type") in _TREE:
            self._add(name, said)
        elif "parentId" in said:
            self.parents[name] = self._known(said["parentId"])
            self.append = name

    def abandoned(self) -> set[str]:
        """Return the messages that are not on the branch that was said last."""
        active, here = set[str](), self.leaf
        while here is not None and here not in active:
            active.add(here)
            here = self.parents.get(here)
        return {each for each in self.messages if each not in active} if self.has_parents else set()

    def _go_to(self, name: str, said: dict[str, Any]) -> None:
        target = said.get("targetId")
        if target is not None and target not in self.parents:
            return  # it points to nothing that is there
        self.parents[name] = self.leaf = target
        self.append = said.get("appendParentId", target)

    def _add(self, name: str, said: dict[str, Any]) -> None:
        is_aside = said.get("appendMode") == "side"
        parent = said.get("parentId", self.leaf)
        goes_on = "parentId" not in said or (parent == self.append and not is_aside)
        self.has_parents = self.has_parents or "parentId" in said
        self.parents[name] = self.leaf if goes_on else self._known(parent)
        self.append = name
        if not is_aside:
            if said.get("type") == "message":
                self.messages[name] = None
            self.leaf = name

    def _known(self, parent: object) -> str | None:
        """Return a parent; where it is missing, the line is damaged that had it, and what was said goes on."""
        return parent if parent is None or (isinstance(parent, str) and parent in self.parents) else self.leaf
