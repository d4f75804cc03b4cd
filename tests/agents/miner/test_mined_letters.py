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


@pytest.mark.parametrize(
    ("signed", "kept"),
    [pytest.param("Lovelace", True, id="by him"), pytest.param("Theo", False, id="by another")],
)
def test_a_letter_is_the_operators_where_it_is_signed_with_his_name(said, room, signed, kept) -> None:
    """Mutants: USER.md is not asked for his name; every letter is his."""
    room.write("USER.md", "# USER\n\n- **Name:** Ada Lovelace\n")
    room.keep("operator")
    said.say(f"ada: I prefer tea over coffee.\nCheers,\n{signed}")

    mine(room.history, room.now)

    assert bool(statements(room)) == kept


def test_a_letter_of_somebody_else_is_his_where_he_signed_it(said, room) -> None:
    """Mutant: only the operator writes letters of his own."""
    said.say("bob: I live in Rome.\nCheers,\nBob", "eve: I live in Bonn.\nCheers,\nBob")

    mine(room.history, room.now)

    learned = room.read("memory/learned.md")
    assert "bob lives in Rome." in learned
    assert "Bonn" not in learned
