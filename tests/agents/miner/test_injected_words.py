"""What was injected into a session and comes back from the agent: nothing is learned of it."""

from __future__ import annotations

import re

import pytest

from clawgit.history.provenance.entries_at_tip import list_states

SESSION = "agent:main:main"
BACK = (
    "Decision: we deploy the API on Fridays at noon.",
    "We decided to deploy the API on Fridays at noon.",
    "Note: the build server is called Hermes.",
    "Decision: the backups go to Lisbon every night.",
)


@pytest.fixture
def told(room, clawgit):
    """Return a workspace with memory of three kinds, and what a session of it is."""
    clawgit(
        "memory", "add", "We deploy the API on Fridays at noon.", "--tag", "decision", "--to", "MEMORY.md"
    )
    room.write("memory/2026-03-18.md", "- The build server is called Hermes.\n- Decided: the backups go to Lisbon every night.\n")  # fmt: skip
    room.keep("host")
    clawgit("run", "memory-miner")
    return clawgit


def memory(room) -> tuple[dict[str, str], list[tuple[str | None, int, int]]]:
    """Return every file of memory, and how sure each entry is."""
    files = {path: room.shown(path) for path in room.git("ls-files", "memory", "MEMORY.md").split("\n")}
    states = list_states(room.history, room.now.date())
    return files, [(state.entry.entry_id, state.confidence, state.mentions) for state in states]


def session(clawgit, number: int, *, said: str = "host") -> None:
    """Give the agent its context, and let it say again what is in it."""
    clawgit("context", "--query", "when do we deploy, and where do backups go", "--session", SESSION)
    for place, text in enumerate(BACK):
        words = ("--role", "assistant") if said == "host" else ()
        clawgit("chat", "add", text, *words, "--session", SESSION, "--id", f"{number}-{place}", actor=said)


@pytest.mark.rest
def test_thirty_sessions_of_an_agent_that_repeats_its_memory_change_nothing(told, room) -> None:
    """Mutants: no receipt is asked; only the same words count, without what stands around them."""
    before = memory(room)

    for number in range(30):
        session(told, number)
    told("run", "memory-miner")

    assert memory(room) == before


def test_what_was_not_injected_is_learned_as_ever(told, room) -> None:
    session(told, 1)
    told("chat", "add", "Decision: the logs are kept for ninety days.", "--role", "assistant", "--session", SESSION, "--id", "n", actor="host")  # fmt: skip

    told("run", "memory-miner")

    learned = room.shown("memory/learned.md")
    assert "ninety days" in learned
    assert not re.search("Hermes|Fridays", learned)


def test_the_same_words_with_another_value_are_no_repetition(told, room) -> None:
    session(told, 1)
    told("chat", "add", "Decision: the backups go to Porto every night.", "--role", "assistant", "--session", SESSION, "--id", "n", actor="host")  # fmt: skip

    told("run", "memory-miner")

    assert "Porto" in room.shown("memory/learned.md")


@pytest.mark.rest
def test_what_the_operator_says_himself_counts_though_it_was_injected(told, room) -> None:
    session(told, 1)
    before = memory(room)
    told("chat", "add", "Decision: we deploy the API on Fridays at noon.", "--session", SESSION, "--id", "o", actor="operator")  # fmt: skip

    told("run", "memory-miner")

    assert memory(room) != before
