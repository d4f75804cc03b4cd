"""Conversations as they are kept, for the agents that read them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from clawgit.agents.recall_validator import RecallValidator
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.memory.corrections.correction_log import Status, read_corrections
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.run_agent import RunReport
    from clawgit.memory.corrections.correction_log import Correction

MEMORY = """\
# MEMORY

- 2026-01-20: The Apollo review is on Wednesday at 10:00. #event <!-- m:aaaaaa -->
- The standup is on Wednesday. <!-- m:bbbbbb -->
- Ada's sister is called Mary. <!-- m:cccccc -->
"""


class Talk:
    """A conversation with the agent, a minute from one message to the next."""

    def __init__(self, room) -> None:
        self.room = room
        self.number = 0

    def hear(self, *said: IncomingMessage) -> None:
        with open_messages(self.room.history, self.room.now) as store:
            kept = [
                take_down(each, rules_in_force(self.room.history, self.room.now, "operator"), self.room.now)
                for each in said
            ]
            store.add(kept)

    def say(self, *lines: str) -> None:
        """Keep lines such as `agent: …`, `ada: …` (who is the operator), `web: …` (a tool's), `bob: …`."""
        for line in lines:
            who, _, text = line.partition(": ")
            self.number += 1
            role = {"agent": "assistant", "web": "tool"}.get(who, "user")
            at = self.room.now - timedelta(hours=1) + timedelta(minutes=self.number)
            by_operator = who == "ada"
            self.hear(
                IncomingMessage(
                    role, text, message_id=str(self.number), sent_at=at, sender=who, by_operator=by_operator
                )
            )

    def validated(self, *lines: str) -> list[RunReport]:
        """Say something and let it be read; the run that links what was said is not told."""
        self.say(*lines)
        reports = RecallValidator.run_round(self.room.history, self.room.now)
        return [each for each in reports if each.note.outcome is not RunOutcome.LINKED]

    def corrections(self) -> list[Correction]:
        """Return the items of the ledger but links."""
        items = read_corrections(self.room.read("CORRECTIONS.md").encode())
        return [each for each in items if each.status is not Status.LINKED]

    def links(self) -> list[Correction]:
        """Return the links of the ledger."""
        items = read_corrections(self.room.read("CORRECTIONS.md").encode())
        return [each for each in items if each.status is Status.LINKED]


@pytest.fixture
def remembering(room):
    """Return a workspace that remembers three things, the operator's, since two hours ago."""
    room.change({"MEMORY.md": MEMORY}, actor="operator")
    room.now += timedelta(hours=2)
    return room


@pytest.fixture
def talk(remembering) -> Talk:
    return Talk(remembering)


@pytest.fixture
def tell() -> Callable[..., Talk]:
    return Talk
