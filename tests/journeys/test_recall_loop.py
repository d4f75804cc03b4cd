"""Memory that is told, said again and written down again, turn after turn: it does not grow from its own echo."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.history.provenance.entries_at_tip import list_states

TURNS, A_SESSION = 20, 5
DEPLOY = "We deploy the API on Fridays at noon."
HERMES = "The build server is called Hermes."
NUTS = "Nora is allergic to hazelnuts."
LISBON = "The backups go to Lisbon every night."  # in a note alone
ASKED = (
    "when do we deploy the API?",
    "what is the build server called?",
    "what can't Nora eat?",
    "where do the backups go every night?",
)
AGENT = (
    "Decision: we deploy the API on Fridays at noon.",
    "Note: the build server is called Hermes.",
    "Important: Nora is allergic to hazelnuts, so none of these.",
    "Decision: the backups go to Lisbon every night.",
)
HIS = (
    "remember that we deploy the API on Fridays at noon",
    "Note: the build server is called Hermes.",
    "as I said, Nora is allergic to hazelnuts",
    "fine, thanks",
)


def entries(room) -> dict[str, int]:
    """Return every entry of memory with how often it was mentioned."""
    states = list_states(room.history, room.now.date())
    return {f"{state.path}: {state.entry.text}": state.mentions for state in states}


@pytest.mark.rest
def test_twenty_turns_of_host_note_and_operator_repeating_memory_add_nothing(room, clawgit) -> None:
    """Mutants: the agent's repetition is mined; a note of it counts; each turn of a session is a mention."""
    for line in (DEPLOY, HERMES, NUTS):
        clawgit("memory", "add", line, "--to", "MEMORY.md")
    room.append("memory/2026-03-18.md", f"- {LISBON}", actor="operator")
    before = entries(room)
    sessions = 0
    for turn in range(TURNS):
        sessions += turn % A_SESSION == 0
        session = f"agent:main:{sessions}"
        room.now += timedelta(minutes=5)
        here = ("--session", session, "--conversation", str(sessions))
        at = turn % len(ASKED)
        clawgit("chat", "add", ASKED[at], *here)
        told = clawgit("context", "--query", ASKED[at], "--session", session).out
        clawgit("chat", "add", AGENT[at], "--role", "assistant", *here, actor="host")
        room.append(f"memory/{room.now:%Y-%m-%d}.md", f"- {AGENT[at]}", actor="host")
        clawgit("chat", "add", HIS[at], *here)
        clawgit("run", "recall-validator")
        if turn % A_SESSION == A_SESSION - 1:
            clawgit("session", "end", "--conversation", str(sessions))
            room.now = room.now.replace(hour=6, minute=0) + timedelta(days=1)
            clawgit("run", "memory-miner")
            clawgit("run", "organizer")
            clawgit("run", "lessons-extractor")
        for line in (DEPLOY, HERMES, NUTS):
            assert told.casefold().count(line.casefold()) == 1
        if ASKED[at] == ASKED[-1]:
            assert told.count("Lisbon") == 1

    after = entries(room)

    assert after.keys() == before.keys()
    assert max(after.values()) > 0
    assert max(after.values()) <= max(before.values()) + sessions
    assert clawgit("pending", "--json").data == []
