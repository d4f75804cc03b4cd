"""A conversation as messages alone: imported by `chat import`, asked for by `memory search`."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from benchmarks.retrieval import shipped
from clawgit.capture.messages.message import chat_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.retrieval.conversations import Asked, Conversation

CHANNEL = "import"
_SESSION = re.compile(r"## Session (\d+) - (\d\d:\d\d)")


def imported(conversation: Conversation, root: Path) -> dict[str, list[str]]:
    """Make a workspace that holds the conversation as messages; return their lines by what cites them."""
    root.mkdir(parents=True)
    shipped.adopted(root)
    file = root.with_suffix(".jsonl")
    said = list(_messages(conversation))
    file.write_text("".join(json.dumps(message) + "\n" for message in said), "utf-8")
    shipped.said(root, {}, "chat", "import", str(file))
    return {cited(conversation.name, message["message_id"]): [message["text"]] for message in said}


def asked_of_messages(conversation: Conversation) -> list[Asked]:
    """Return the questions, answered by messages instead of lines."""
    return [
        replace(
            asked,
            gold=frozenset((cited(conversation.name, f"{path}:{line}"), 1) for path, line in asked.gold),
        )
        for asked in conversation.questions
    ]


def cited(conversation: str, message_id: str) -> str:
    """Return how a search cites a message."""
    return f"chat:{chat_id(CHANNEL, conversation, message_id)}"


def _messages(conversation: Conversation) -> Iterator[dict[str, str]]:
    for path, lines in conversation.files.items():
        session, begins = "", datetime.fromisoformat(path[-13:-3])
        for number, line in enumerate(lines, start=1):
            if found := _SESSION.match(line):
                session, begins = found[1], datetime.fromisoformat(f"{path[-13:-3]}T{found[2]}")
            sender, colon, text = line.partition(": ")
            if colon:
                yield {
                    "role": "user",
                    "sender": sender,
                    "text": text,
                    "conversation": conversation.name,
                    "message_id": f"{path}:{number}",
                    "session": session,
                    "sent_at": (begins + timedelta(seconds=number)).isoformat(),
                }
