"""What the readers of all formats share: what a transcript is, and what one of its lines gives. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from clawgit.capture.messages.message import Heard
from clawgit.capture.transcripts.host_prompts import is_scaffolding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

Format = Literal["openclaw", "claude-code", "codex", "jsonl"]

SPEAKERS = ("user", "assistant")  # a line can have anything in its place, also what no set takes as a member


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of a transcript gives: a message, a problem, or neither.

    ``left_out``: why a message of the host's does not count, where somebody may look for it. ``barred``: why the message is
    not the operator's, whatever he says of the whole transcript. ``by_text``: nothing but its text names its sender.
    """

    heard: Heard | None = None
    problem: str = ""
    left_out: str = ""
    barred: str = ""
    by_text: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What a transcript as a whole, and what is beside it, tells of its lines.

    ``keys`` are the session's names in its host, ``ids`` those of its lines and messages. ``left_out`` has a reason for lines (by id) that do not count,
    ``places`` the channel and conversation of others. ``barred`` says why no message is the operator's by his claim alone.
    ``tells_origin``: its lines say who typed them, so one that does not was not typed. ``has_more``: the host has older ones.
    """

    session: str = ""
    conversation: str = ""
    keys: tuple[str, ...] = ()
    ids: frozenset[str] = frozenset()
    left_out: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    barred: str = ""
    tells_origin: bool = False
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What a transcript's messages have in common where they do not say it themselves.

    ``sender`` and ``by_operator`` say who its user is, ``claimed`` whose messages alone are the operator's; in a ``group`` there are several, so they say nothing there.
    ``is_direct``: its session's key has that sender. ``by_file_name``: nothing but its file's name tells its conversation. ``owner_counts``: the operator brings it, so what
    the host says of its owner is believed. ``automatic``: of a session in which no person speaks unless a line proves it.
    """

    format: Format
    channel: str
    conversation: str
    session: str = ""
    sender: str = ""
    by_operator: bool = False
    claimed: str = ""
    is_direct: bool = False
    group: bool = False
    by_file_name: bool = False
    owner_counts: bool = False
    automatic: bool = False
    known: Known = field(default_factory=Known)


def heard_of(source: Source, role: str, text: str, message_id: str, sent_at: datetime | None) -> Heard | None:
    """Return a message of a host's transcript, None if nobody said it."""
    if not text.strip() or is_scaffolding(text):
        return None
    is_the_user = role == "user" and not source.group
    return Heard(
        role=role,
        text=text,
        channel=source.channel,
        conversation=source.conversation or "main",
        message_id=message_id,
        session=source.session,
        sender=source.sender if is_the_user else "",
        sent_at=sent_at,
        group=source.group,
        by_operator=source.by_operator and is_the_user,
    )
