"""Whose words an entry is: nobody else's read as the operator's."""

from __future__ import annotations

import pytest

from clawgit.agents.miner.mined_material import attributed
from clawgit.agents.miner.mining_round import mine
from clawgit.capture.messages.message import Heard
from clawgit.workspace.settings.settings import Settings

ROME = "The office is in Rome."


@pytest.mark.parametrize(
    ("who", "statement", "kept"),
    [
        pytest.param("User", ROME, ROME, id="the operator's"),
        pytest.param("Agent", ROME, ROME, id="the agent's own"),
        pytest.param("Agent", "User likes Rome.", "Agent says: User likes Rome.", id="of the operator"),
        pytest.param(
            "Agent", "用户喜欢罗马。", "Agent says: 用户喜欢罗马。", id="of the operator, in Chinese"
        ),
        pytest.param(
            "Agent", "User's car is red.", "Agent says: User's car is red.", id="of what is the operator's"
        ),
        pytest.param("Agent", "It has 5 users.", "It has 5 users.", id="of users"),
        pytest.param("bob", ROME, f"bob says: {ROME}", id="somebody's"),
        pytest.param("bob", "Bob's office is in Rome.", "Bob's office is in Rome.", id="with his name"),
        pytest.param("bob", 'bob: "I like Rome."', 'bob: "I like Rome."', id="quoted"),
        pytest.param("Al", "Alice is in Rome.", "Al says: Alice is in Rome.", id="a longer name"),
        pytest.param("Somebody", "User likes Rome.", "Somebody says: User likes Rome.", id="nobody known"),
    ],
)
def test_a_statement_begins_with_whose_it_is(who: str, statement: str, kept: str) -> None:
    """Mutants: any name that begins so is his; the agent's words about the operator stand as the operator's."""
    assert attributed(statement, who) == kept


def test_each_trust_has_a_change_of_its_own(room, tell) -> None:
    """Mutant: one share for all but the operator, so that the agent's own decision rests on what a stranger said."""
    tell(room).say(
        "bob: I live in Rome.", "agent: Decision: the launch is on May 4.", "ada: I prefer tea over coffee."
    )
    room.change({"memory/2026-03-18.md": "- Decision: the offices move to Leeds.\n"}, actor="host")

    reports = mine(room.history, room.now)

    assert [report.note.outcome.value for report in reports] == ["applied"] * 3
    told = room.git("log", "-3", "--format=%s %(trailers:key=Clawgit-Trust,valueonly,separator=)").split("\n")
    assert told == [
        "mine: 2026-03-19: bob lives in Rome. #knowledge external",
        "mine: 2 memories, 2026-03-18: The offices move to Leeds. #decision host",
        "mine: 2026-03-19: User prefers tea over coffee. #knowledge operator",
    ]


def test_what_the_operator_forwards_does_not_get_his_name(room, tell) -> None:
    """Mutants: whoever sent a message said it; only the messages that wait tell who the operator is."""
    talk = tell(room)
    talk.hear(Heard("user", "Hello there.", sender="ada", message_id="1", by_operator=True))
    mine(room.history, room.now)
    talk.hear(Heard("user", "I live in Rome.", sender="Ada", channel="mail", message_id="2", external=True))
    talk.hear(Heard("user", "I live in Oslo.", sender="bob", message_id="3", external=True))

    mine(room.history, room.now)

    learned = room.read("memory/learned.md")
    assert "- 2026-03-19: Somebody lives in Rome. #knowledge" in learned
    assert "- 2026-03-19: bob lives in Oslo. #knowledge" in learned


def test_an_operator_by_id_does_not_get_his_name_either(room, tell) -> None:
    """Mutant: operator_ids is not looked at."""
    room.history.settings = Settings(operator_ids=("mail:ada",))
    tell(room).hear(Heard("user", "I live in Rome.", sender="ada", message_id="2", external=True))

    mine(room.history, room.now)

    assert "Somebody lives in Rome." in room.read("memory/learned.md")
