"""A correction of what was only said, not yet mined: the validator looks at once, the miner at its time."""

from __future__ import annotations

import pytest

from clawgit.agents.memory_miner import MemoryMiner
from clawgit.agents.recall_validator import RecallValidator
from clawgit.workspace.records.records import RunOutcome


@pytest.fixture
def said(room, tell):
    """Return a conversation in a new workspace."""
    return tell(room)


RENT = "ada: Don't forget: rent is due on the 1st."
LATER = "ada: No, rent is due on the 2nd, not the 1st."


def outcomes(reports) -> list[RunOutcome]:
    return [report.note.outcome for report in reports]


def test_it_is_made_once_the_statement_is_in_memory(said, room) -> None:
    """Mutant: what came to nothing is never read again, and memory says what was first said."""
    said.say(RENT, LATER)
    assert outcomes(RecallValidator.run_round(room.history, room.now)) == [RunOutcome.NOTHING]

    MemoryMiner.run_round(room.history, room.now)

    memory = room.read("MEMORY.md")
    assert "Rent is due on the 2nd" in memory
    assert "Rent is due on the 1st. #" not in memory
    assert [each.correct for each in said.corrections()] == ["Rent is due on the 2nd."]


def test_it_reads_the_same_as_where_the_miner_came_first(said, room) -> None:
    said.say(RENT)
    MemoryMiner.run_round(room.history, room.now)
    said.say(LATER)
    RecallValidator.run_round(room.history, room.now)

    assert "Rent is due on the 2nd" in room.read("MEMORY.md")


@pytest.mark.rest
def test_what_was_made_or_asked_then_is_not_made_again(said, room) -> None:
    said.say(RENT)
    MemoryMiner.run_round(room.history, room.now)
    said.say(LATER, "ada: I prefer tea over coffee.")
    RecallValidator.run_round(room.history, room.now)
    ledger = room.read("CORRECTIONS.md")

    MemoryMiner.run_round(room.history, room.now)

    assert room.read("CORRECTIONS.md") == ledger
    assert "tea over coffee" in room.read("MEMORY.md")


def test_a_night_in_which_nothing_is_kept_reads_nothing_again(said, room) -> None:
    said.say("ada: No, that is not what I meant.")
    RecallValidator.run_round(room.history, room.now)

    assert [each.note.agent for each in MemoryMiner.run_round(room.history, room.now)] == ["memory-miner"]


def test_what_the_next_message_sets_right_stands_beside_the_line(said, room) -> None:
    """Seen: 600 stood in memory as his word, bare. Mutants: only the agent's turn before counts; a message about anything is beside it."""
    said.say(
        "ada: Our rate limit for Zalando is 600 requests per minute",
        "ada: wait no, 600 is for the sandbox. production is 1200.",
        "ada: lunch is at 12",
    )
    RecallValidator.run_round(room.history, room.now)
    MemoryMiner.run_round(room.history, room.now)

    (link,) = said.links()
    assert "600 requests per minute" in link.said
    assert link.trigger == "wait no, 600 is for the sandbox. production is 1200."


@pytest.mark.parametrize(
    ("fact", "second"),
    [
        ("My dentist is on 3 June", "sorry, 13 June"),
        ("My cat Miso is 4", "she's 5"),
        ("My mum lives in Leeds", "York, sorry"),
        ("I'm allergic to walnuts", "no, hazelnuts"),
    ],
)
def test_a_bare_second_word_stands_beside_the_line_that_it_means(said, room, fact: str, second: str) -> None:
    """Seen: 3 June was learned, and "sorry, 13 June" was nowhere. Mutant: a message that names no line is about none."""
    said.say(f"ada: {fact}", f"ada: {second}", "ada: I am allergic to 3 things")
    RecallValidator.run_round(room.history, room.now)
    MemoryMiner.run_round(room.history, room.now)

    (link,) = said.links()
    assert fact in link.said
    assert link.trigger == second


@pytest.mark.parametrize("second", ["no, thanks", "sorry, typo", "no worries", "ok"])
def test_talk_behind_a_fact_stands_beside_no_line(said, room, second: str) -> None:
    said.say("ada: My mum lives in Leeds", f"ada: {second}")
    RecallValidator.run_round(room.history, room.now)
    MemoryMiner.run_round(room.history, room.now)

    assert said.links() == []


def test_a_value_behind_the_agents_question_is_its_answer_and_no_second_word(said, room) -> None:
    said.say("ada: My cat Miso is 4", "agent: How many toys does she have?", "ada: 5")
    RecallValidator.run_round(room.history, room.now)
    MemoryMiner.run_round(room.history, room.now)

    assert said.links() == []
