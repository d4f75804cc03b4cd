"""Two miners at once: what one of them made of a message is not made again by the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clawgit.agents.memory_miner import MemoryMiner
from clawgit.agents.run_agent import Means
from clawgit.history.authorship.intent import Intent
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from clawgit.agents.models.model import Asker


@pytest.fixture
def said(room, tell):
    """Return a conversation in a new workspace."""
    return tell(room)


def test_a_message_that_another_run_mined_meanwhile_is_not_mined_again(said, room) -> None:
    """Mutant: what history cites is looked up only when the share is read."""
    said.say("ada: I prefer tea over coffee.")

    def meanwhile(_: str) -> Asker | None:
        """Let another miner read more, and the operator take that back, before this one writes."""
        if room.git("rev-list", "--count", "HEAD") == start:
            said.say("ada: Note: the server port is 8080.")
            (report,) = MemoryMiner.run_round(room.history, room.now)
            taken_back = Intent("undo-1", "operator", room.now)
            undo(room.history, find_undoing(room.history, report.note.run_id), "", taken_back)
        return None

    start = room.git("rev-list", "--count", "HEAD")
    (late,) = MemoryMiner.run_round(room.history, room.now, Means(askers=lambda: meanwhile))

    assert late.note.outcome is RunOutcome.NOTHING
    assert "tea" not in room.read("MEMORY.md")
    assert MemoryMiner.run_round(room.history, room.now) == []
