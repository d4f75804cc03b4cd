"""What the miner makes of a plan that is taken back in other words, that night or a later one, and of letters."""

from __future__ import annotations

from datetime import timedelta

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


def test_a_plan_that_was_taken_back_the_same_day_is_not_kept(said, room) -> None:
    """Mutants: only contrasts take back; flagged messages come first whenever they were said."""
    said.say(
        "ada: We decided to deploy on Thursday evening.",
        "agent: Noted, Thursday evening.",
        "ada: scrap that whole evening deploy idea, people are away",
        "ada: I prefer tea over coffee.",
    )

    (report, *_) = mine(room.history, room.now)

    assert statements(room) == ["- 2026-03-19: User prefers tea over coffee. #knowledge"]
    assert "It was set right in the same talk: Decided to deploy on Thursday evening." in report.note.reason


def test_a_plan_that_was_taken_back_later_has_that_beside_it(said, room) -> None:
    """Mutant: nothing tells a reader that the plan is off."""
    said.say("ada: We decided to deploy on Thursday evening.")
    mine(room.history, room.now)
    room.now += timedelta(days=2)
    said.say("ada: scrap that whole evening deploy idea, people are away")

    mine(room.history, room.now)

    assert statements(room) == [
        "- 2026-03-19: Decided to deploy on Thursday evening. #decision",
        '- 2026-03-21: User: "scrap that whole evening deploy idea, people are away" #decision',
    ]
    assert "takes m:" in room.git("log", "-1", "--format=%B")
    head = room.head()
    mine(room.history, room.now)
    assert room.head() == head


def test_what_takes_back_what_nobody_remembers_is_not_kept(said, room) -> None:
    """Mutant: each order to cancel becomes an entry."""
    said.say("ada: scrap that whole evening deploy idea", "ada: we won't hire a baker")

    mine(room.history, room.now)

    assert statements(room) == []


@pytest.mark.parametrize(
    ("signed", "kept"),
    [pytest.param("Lovelace", True, id="by him"), pytest.param("Theo", False, id="by another")],
)
def test_a_letter_is_the_operators_where_it_is_signed_with_his_name(said, room, signed, kept) -> None:
    """Mutants: USER.md is not asked for his name; every letter is his."""
    room.write("USER.md", "# USER\n\n- **Name:** Ada Lovelace\n")
    room.keep("operator")
    said.say(f"ada: Hello all,\nI prefer tea over coffee.\nCheers,\n{signed}")

    mine(room.history, room.now)

    assert bool(statements(room)) == kept


def test_a_letter_of_somebody_else_is_his_where_he_signed_it(said, room) -> None:
    """Mutant: only the operator writes letters of his own."""
    said.say(
        "bob: Hello all,\nI live in Rome.\nCheers,\nBob", "eve: Hello all,\nI live in Bonn.\nCheers,\nBob"
    )

    mine(room.history, room.now)

    learned = room.read("memory/learned.md")
    assert "bob lives in Rome." in learned
    assert "Bonn" not in learned
