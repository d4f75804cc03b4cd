"""What is told in each later turn of a conversation: the stable part, and at most 300 tokens of notes and of what was found."""

from __future__ import annotations

import pytest

from clawgit.agents.door.correction_plans import correct
from clawgit.context.assemble_context import ASK, DIGEST_TOKENS, UNKNOWN, assemble_context
from clawgit.context.assembly import TokenCounter
from clawgit.context.wanted_context import DIGEST, STABLE, Context, WantedContext
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent

NOTE = "memory/2026-03-19.md"
NOTES = "".join(f"- I put pallet {number} behind the northern harbour shed.\n" for number in range(200))
GATE = "- The harbour gate is painted green by Olga.\n"
QUERY = "who painted the harbour gate?"


@pytest.fixture
def talked(room):
    """Return a workspace with more notes of the day than a digest has room for, and one line of memory to be found."""
    room.change({"memory/2026-02-01.md": GATE, NOTE: NOTES}, actor="operator")
    return room


def digest(room, query: str = QUERY, **wanted) -> Context:
    return assemble_context(
        room.history, WantedContext(query, "agent:main:main", DIGEST, "openclaw", **wanted), room.now
    )


def test_a_digest_has_notes_and_what_was_found_within_its_tokens(talked) -> None:
    """Mutants: the notes leave nothing of the room; all of the recall part is told."""
    made = digest(talked)

    assert "painted green by Olga" in made.recalled
    assert "pallet" in made.recalled
    assert TokenCounter().count(made.recalled) <= DIGEST_TOKENS


def test_what_one_of_the_two_leaves_goes_to_the_other(talked) -> None:
    both = digest(talked).recalled.count("pallet")

    assert digest(talked, "").recalled.count("pallet") > both


def test_for_a_greeting_nothing_is_searched_in_any_turn_of_its_conversation(room) -> None:
    """Mutant: "Good morning." finds the heading of a morning, which is in the prompt from then on."""
    room.change({"memory/2026-02-01.md": "## Morning\n\n- Lotte is on leave.\n"}, actor="operator")

    assert "Lotte" in digest(room, "who is on leave?").recalled
    assert "Lotte" not in digest(room, "Good morning.").recalled


def test_the_stable_part_is_that_of_the_first_turn(talked) -> None:
    """Mutant: a provider's cache is lost with the second turn."""
    first = assemble_context(talked.history, WantedContext(QUERY, host="openclaw"), talked.now)

    assert digest(talked).stable == first.stable


@pytest.mark.rest
def test_the_stable_part_stays_that_of_the_first_turn_with_many_corrections(talked) -> None:
    """Mutant: what a digest may hold is taken from the corrections, too."""
    for number in range(12):
        statement = (
            f"Crane {number} is serviced on the first Monday of each month by the company from Bergen."
        )
        told = statement.replace("Monday", "Friday")
        correct(talked.history, statement, told, Intent(new_op(), "operator", talked.now))
    first = assemble_context(talked.history, WantedContext(QUERY, host="openclaw"), talked.now)

    assert first.stable.count("Friday") == 12
    assert digest(talked).stable == first.stable


def test_a_digest_begins_with_no_day_no_questions_and_does_not_say_what_is_unknown(talked) -> None:
    made = digest(talked, "what colour has the astronomical telescope?", questions=(("x:1", "1. Is it so?"),))

    assert (ASK in made.recalled, UNKNOWN in made.recalled, "Today is" in made.recalled) == (False,) * 3
    assert made.opening == ""


def test_a_digest_runs_no_program(talked) -> None:
    talked.history.settings = talked.history.settings._replace(
        crm_context_source="command crm", external_context_source="command other", external_context_budget=500
    )
    ran: list[object] = []

    def run(argv: object, _question: bytes) -> bytes:
        ran.append(argv)
        return b"words"

    assemble_context(talked.history, WantedContext(QUERY, part=DIGEST), talked.now, run=run)
    assert ran == []
    assemble_context(talked.history, WantedContext(QUERY), talked.now, run=run)
    assert len(ran) == 2


def test_in_a_group_a_digest_is_of_that_group_alone(talked) -> None:
    """Mutant: notes of private talks are told in a group's later turns."""
    made = assemble_context(
        talked.history, WantedContext(QUERY, "agent:main:telegram:group:7", DIGEST), talked.now
    )

    assert made.recalled == ""


def test_of_the_stable_part_nothing_is_searched_for(talked) -> None:
    """Mutant: a part that is asked for each turn pays for hits that nobody is told."""
    made = assemble_context(talked.history, WantedContext(QUERY, part=STABLE), talked.now)

    (recall,) = (slot for slot in made.slots if slot.name == "recall")
    assert recall.wanted == 0
