"""Who sent a message, where a host wrote that into its text, and which senders a transcript has.

A text can be forged by whoever wrote it: a sender that it names is the operator by his own claim alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.transcript_lines import first_of, object_of

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def sender_in(text: str) -> str:
    """Return the sender whom a message's text names in front of what was said, empty where it names none."""
    blocks = METADATA.match(text)
    said = text[blocks.end() :] if blocks else text
    return _of_blocks(blocks[0] if blocks else "") or _of_envelope(said)


def _of_blocks(blocks: str) -> str:
    for title, data in _BLOCK.findall(blocks):
        facts: dict[str, Any] = object_of(data.encode("utf-8", "replace")) or {}
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


def senders_of(messages: Iterator[Any]) -> dict[str, int]:
    """Return how many messages each named sender has of those that would be claimed."""
    found: dict[str, int] = {}
    for heard in messages:
        if heard is not None and heard.by_operator and heard.sender:
            found[heard.sender] = found.get(heard.sender, 0) + 1
    return found
