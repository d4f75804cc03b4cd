"""Whose word a letter is that the operator or somebody else sends."""

from __future__ import annotations

import pytest

from clawgit.agents.miner.mining_round import mine


@pytest.fixture
def said(room, tell):
    """Return a conversation in a new workspace."""
    return tell(room)


def statements(room) -> list[str]:
    return [
        line.partition(" <!-- m:")[0] for line in room.read("MEMORY.md").split("\n") if line.startswith("- ")
    ]


def test_a_letter_is_nobodys_word_whoever_signed_it(said, room) -> None:
    said.say("ada: I prefer tea over coffee.\nCheers,\nTheo", "ada: Dear Theo,\nI live in Bonn.")

    mine(room.history, room.now)

    assert statements(room) == []
