"""Whose words an entry is: nobody else's read as the operator's."""

from __future__ import annotations

from clawgit.agents.memory_miner import MemoryMiner
from clawgit.capture.messages.message import IncomingMessage
from clawgit.workspace.settings.settings import Settings


def test_each_trust_has_a_change_of_its_own(room, tell) -> None:
    """Mutant: one share for all but the operator, so that the agent's own decision rests on what a stranger said."""
    tell(room).say(
        "bob: Decision: we meet in Rome.",
        "agent: Decision: the launch is on May 4.",
        "ada: I prefer tea over coffee.",
    )
    room.change({"memory/2026-03-18.md": "- Decision: the offices move to Leeds.\n"}, actor="host")

    reports = MemoryMiner.run_round(room.history, room.now)

    assert [report.note.outcome.value for report in reports] == ["applied"] * 3
    told = room.git("log", "-3", "--format=%s %(trailers:key=Clawgit-Trust,valueonly,separator=)").split("\n")
    assert told == [
        'mine: bob: "Decision: we meet in Rome." external',
        'mine: 2 memories, Agent: "Decision: the offices move to Leeds." host',
        'mine: User: "I prefer tea over coffee." operator',
    ]


def test_what_the_operator_forwards_does_not_get_his_name(room, tell) -> None:
    """Mutants: whoever sent a message said it; only the messages that wait tell who the operator is."""
    talk = tell(room)
    talk.hear(IncomingMessage("user", "Hello there.", sender="ada", message_id="1", by_operator=True))
    MemoryMiner.run_round(room.history, room.now)
    talk.hear(
        IncomingMessage(
            "user", "Decision: we meet in Rome.", sender="Ada", channel="mail", message_id="2", external=True
        )
    )
    talk.hear(
        IncomingMessage("user", "Decision: we meet in Oslo.", sender="bob", message_id="3", external=True)
    )

    MemoryMiner.run_round(room.history, room.now)

    learned = room.read("memory/learned.md")
    assert '- 2026-03-19: Somebody: "Decision: we meet in Rome." #decision' in learned
    assert '- 2026-03-19: bob: "Decision: we meet in Oslo." #decision' in learned


def test_an_operator_by_id_does_not_get_his_name_either(room, tell) -> None:
    """Mutant: operator_ids is not looked at."""
    room.history.settings = Settings(operator_ids=("mail:ada",))
    tell(room).hear(
        IncomingMessage("user", "Decision: we meet in Rome.", sender="ada", message_id="2", external=True)
    )

    MemoryMiner.run_round(room.history, room.now)

    assert 'Somebody: "Decision: we meet in Rome."' in room.read("memory/learned.md")
