"""Conversations of LoCoMo as chat, and which of their turns somebody noted a fact of."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from clawgit.capture.messages.message import IncomingMessage

_TURN = re.compile(r"D\d+:\d+")
_SESSION = re.compile(r"session_\d+")


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation: its turns as the operator's messages, and the ids of those that a fact was noted of."""

    name: str
    turns: tuple[IncomingMessage, ...]
    noted: frozenset[str]


def read_talks(path: str) -> list[Talk]:
    """Return the conversations of a LoCoMo file."""
    return [_talk(said) for said in json.loads(Path(path).read_text("utf-8"))]


def again(talks: list[Talk], count: int, *, varied: bool) -> list[IncomingMessage]:
    """Return ``count`` messages: the turns over and over, each time a week later; ``varied``: with a number that differs."""
    turns = [turn for talk in talks for turn in talk.turns]
    found = []
    for number in range(count):
        turn, week = turns[number % len(turns)], number // len(turns)
        text = re.sub(r"([.!])(?=\s|$)", rf" in round {week}\1", turn.text) if varied else turn.text
        at = (turn.sent_at or datetime.now(UTC)) + timedelta(weeks=week)
        found.append(
            IncomingMessage(
                "user", text, "talk", "one", f"{number}", f"s{number // 20}", "a", at, by_operator=True
            )
        )
    return found


def _talk(said: dict[str, Any]) -> Talk:
    name = str(said["sample_id"])
    turns = [
        IncomingMessage(
            "user", turn["text"], "talk", name, turn["dia_id"], key, turn["speaker"], at, by_operator=True
        )
        for key, value in said["conversation"].items()
        if _SESSION.fullmatch(key)
        for number, turn in enumerate(value)
        for at in [_moment(said["conversation"][f"{key}_date_time"]) + timedelta(minutes=number)]
    ]
    facts = (fact for noted in said["observation"].values() for each in noted.values() for fact in each)
    return Talk(name, tuple(turns), frozenset(_TURN.findall(json.dumps([fact[1] for fact in facts]))))


def _moment(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
