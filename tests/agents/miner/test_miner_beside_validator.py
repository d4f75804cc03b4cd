"""The miner beside the recall validator: what a message sets right is the ledger's, what else it says is memory's."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.agents.memory_miner import MemoryMiner, held_back
from clawgit.agents.recall_validator import RecallValidator
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages


@pytest.fixture
def said(room, tell):
    """Return a conversation in a new workspace."""
    return tell(room)


def statements(room, path: str = "MEMORY.md") -> list[str]:
    lines = (line.partition(" <!-- m:")[0] for line in room.read(path).split("\n"))
    return [line.partition(": ")[2] for line in lines if line.startswith("- ")]


TEA = 'User: "I prefer tea over coffee." #knowledge'


@pytest.mark.rest
@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("No, that is 30 days. All of them from now on, the clients complained.", ["Invoices are due in 14 days."]),
        ("That's outdated: invoices are due in 30 days. I prefer tea over coffee.", ["Invoices are due in 14 days.", TEA]),
    ],
)  # fmt: skip
def test_what_is_asked_or_points_at_it_is_no_second_truth(said, room, message: str, kept: list[str]) -> None:
    """Mutants: only words in common are looked at; nothing of such a message is kept."""
    room.change(
        {"MEMORY.md": "- 2026-01-02: Invoices are due in 14 days. <!-- m:aaaaaa -->\n"}, actor="operator"
    )
    said.validated("agent: The invoice is due in 14 days.", f"ada: {message}")
    room.change(
        {"MEMORY.md": "- 2026-01-02: Invoices are due in 14 days. <!-- m:aaaaaa -->\n"}, actor="operator"
    )
    MemoryMiner.run_round(room.history, room.now)

    assert statements(room) == kept


@pytest.mark.rest
def test_an_order_in_a_message_that_is_asked_about_is_named_by_the_run(said, room) -> None:
    """Mutant: it is left in silence."""
    room.change({"MEMORY.md": "- Invoices are due in 14 days. <!-- m:aaaaaa -->\n"}, actor="operator")
    said.validated(
        "agent: Ok.",
        "ada: Actually invoices are due in 30 days. Remember that all invoices come due.",
    )

    (report, *_) = MemoryMiner.run_round(room.history, room.now)

    assert "is in CORRECTIONS.md, so its order was not kept: Remember that all" in report.note.reason


def test_an_order_that_shares_a_word_with_what_its_message_corrects_is_kept(said, room) -> None:
    """Mutant: one word in common, and the order is dropped."""
    room.change({"MEMORY.md": "- Invoices are due in 14 days. <!-- m:aaaaaa -->\n"}, actor="operator")
    said.validated(
        "agent: Ok.",
        "ada: Actually invoices are due in 30 days. Remember that all invoices carry the VAT number.",
    )

    MemoryMiner.run_round(room.history, room.now)

    assert "All invoices carry the VAT number." in room.read("MEMORY.md")


@pytest.mark.rest
def test_a_correction_is_the_validators_alone_and_what_else_its_message_says_is_mined(
    talk, remembering
) -> None:
    """Mutants: what is set right is mined as well; what its message says besides is lost."""
    lines = (
        "agent: Your sister is called Mary.",
        "ada: No, my sister is called Maria, not Mary. I prefer tea over coffee.",
    )
    talk.validated(*lines)
    assert "Maria" in remembering.read("MEMORY.md")

    MemoryMiner.run_round(remembering.history, remembering.now)
    (remembering.history.state / "messages.db").unlink()  # nobody knows what was mined
    talk.number = 0
    talk.validated(*lines)
    MemoryMiner.run_round(remembering.history, remembering.now)

    assert remembering.read("MEMORY.md").count("Maria") == 1
    assert remembering.read("MEMORY.md").count(TEA) == 1


def test_nothing_comes_twice_when_the_validator_comes_again(said, room) -> None:
    said.validated("agent: How are you?", "ada: Actually, I work at a bakery in Bristol.")
    MemoryMiner.run_round(room.history, room.now)
    head = room.head()

    RecallValidator.run_round(room.history, room.now)
    MemoryMiner.run_round(room.history, room.now)

    assert room.head() == head


@pytest.mark.rest
@pytest.mark.parametrize(
    ("line", "signal"),
    [
        pytest.param("No, my sister is called Maria.", "high", id="for sure"),
        pytest.param("Actually, I live in Leeds.", "medium", id="maybe"),
    ],
)
def test_what_may_set_something_right_waits_for_the_validator_whoever_comes_first(
    said, room, line: str, signal: str
) -> None:
    """Mutants: only what is sure waits; nothing does."""
    said.say("ada: My sister is called Mary.", "ada: I live in York.")
    MemoryMiner.run_round(room.history, room.now)
    said.say("agent: Your sister is called Mary. You live in York.", f"ada: {line}")
    before = room.read("MEMORY.md")
    with open_messages(room.history, room.now) as store:
        assert [each.signal.validator for each in store.to_validate()] == [signal]

    assert MemoryMiner.run_round(room.history, room.now) != []  # what the agent said

    assert room.read("MEMORY.md") == before
    assert held_back(room.history, room.now) == 1
    RecallValidator.run_round(room.history, room.now)
    MemoryMiner.run_round(room.history, room.now)
    assert held_back(room.history, room.now) == 0
    told = line.rsplit(maxsplit=1)[-1].rstrip(".")
    assert sum(told in statement for statement in statements(room)) == 1


def test_nothing_waits_for_a_validator_that_never_comes(said, room) -> None:
    """Mutants: it waits for ever; it waits for hours only, so that a nightly miner would come first."""
    said.say("agent: How are you?", "ada: Actually, I work at a bakery in Bristol.")
    MemoryMiner.run_round(room.history, room.now + timedelta(hours=23))
    assert statements(room) == []

    MemoryMiner.run_round(room.history, room.now + timedelta(hours=25))

    assert statements(room) == ['User: "Actually, I work at a bakery in Bristol." #knowledge']
    assert held_back(room.history, room.now + timedelta(hours=25)) == 0


def test_a_message_that_is_claimed_late_waits_for_the_validator_from_then_on(said, room) -> None:
    """Mutant: it has waited as long as it was somebody else's."""
    heard = IncomingMessage(
        "user", "Actually, I live in Leeds.", sender="ada", message_id="1", sent_at=room.now
    )
    said.hear(heard)
    room.now += timedelta(days=3)
    with open_messages(room.history, room.now) as store:
        mine_now = take_down(
            heard._replace(by_operator=True), rules_in_force(room.history, room.now, "operator"), room.now
        )
        assert [each.outcome for each in store.add([mine_now], claim=True)] == ["claimed"]

    MemoryMiner.run_round(room.history, room.now)

    assert (statements(room), held_back(room.history, room.now)) == ([], 1)
