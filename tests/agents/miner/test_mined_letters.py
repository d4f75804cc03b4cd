"""Whose word a letter is that the operator or somebody else sends."""

from __future__ import annotations

import pytest

from clawgit.agents.memory_miner import MemoryMiner


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

    MemoryMiner.run_round(room.history, room.now)

    assert statements(room) == []


@pytest.mark.parametrize(
    "letter",
    [
        pytest.param("Hi,\nkeep in mind that the boiler is serviced every May.\nCheers,\nAda", id="signed"),
        pytest.param("Dear team,\nremember that the boiler is serviced every May.", id="greeted"),
    ],
)
def test_an_order_in_a_letter_is_not_kept_and_the_run_says_so(said, room, letter) -> None:
    """Mutant: it is lost in silence."""
    said.say(f"ada: {letter}")

    (report,) = MemoryMiner.run_round(room.history, room.now)

    assert statements(room) == []
    assert "it stands in a letter" in report.note.reason


def test_of_a_letter_of_somebody_elses_and_of_one_without_an_order_nothing_is_said(said, room) -> None:
    said.say("ada: I live in Bonn.\nCheers,\nAda", "bob: Remember that I live in Rome.\nCheers,\nBob")

    assert not any("letter" in report.note.reason for report in MemoryMiner.run_round(room.history, room.now))
