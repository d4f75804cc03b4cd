"""Messages without a word that they set something right, heard by what the agent said before them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.agents.miner.mining_round import held_back, mine
from clawgit.agents.validator.validation_round import rehearse_validation, validate
from clawgit.capture.messages.incoming_message import take_down
from clawgit.capture.messages.message import Heard
from clawgit.capture.messages.open_messages import open_messages
from clawgit.capture.messages.rules_in_force import rules_in_force
from clawgit.history.authorship.intent import Intent
from clawgit.history.provenance.why import find_why
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.memory.corrections.correction_log import Status
from clawgit.recall.search import search
from clawgit.recall.search_results import Wanted
from clawgit.understanding.triage.triage_message import triage
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

SAID = "agent: The Apollo review is on Wednesday, so I kept Thursday free."
AGAIN = "ada: The Apollo review is on Thursday."
NOW = "- 2026-01-20: The Apollo review is on Thursday at 10:00. #event <!-- m:aaaaaa -->\n"


def waiting(room) -> int:
    with open_messages(room.history, room.now) as store:
        return len(store.to_overhear())


def runs(room) -> int:
    with open_records(room.history.state / RECORDS, room.now) as records:
        return len(records.runs(limit=100))


def test_the_sentence_of_these_tests_has_no_word_that_sets_right() -> None:
    assert triage(AGAIN.removeprefix("ada: ")).validator is None


def test_what_is_said_again_with_another_value_goes_the_way_of_every_correction(talk, remembering) -> None:
    """Mutant: only what triage flagged is looked at."""
    (report,) = talk.validated("ada: When is the review?", SAID, AGAIN)

    (correction,) = talk.corrections()
    assert (correction.trigger, correction.trigger_confidence) == (AGAIN.removeprefix("ada: "), "medium")
    assert (correction.said, correction.correct) == ("The Apollo review is on Wednesday", "The Apollo review is on Thursday at 10:00.")  # fmt: skip
    assert (correction.corrects, correction.status, correction.re_embedded) == (("aaaaaa",), Status.APPLIED, True)  # fmt: skip
    assert NOW in remembering.read("MEMORY.md")
    assert report.note.outcome is RunOutcome.APPLIED
    assert "Clawgit-Trust: operator" in remembering.git("log", "-1", "--format=%(trailers:unfold)")
    found = search(remembering.history, Wanted("when is the Apollo review"), remembering.now).results[0]
    assert "Thursday" in found.snippet.split("\n")[0]
    why = find_why(remembering.history, "m:aaaaaa", remembering.now.date())
    assert [each.partition(" ")[2] for each in why.corrections[0].evidence] == [
        '"The Apollo review is on Thursday."',
        '"The Apollo review is on Wednesday"',
    ]


UNHEARD = {
    "the operator spoke in between": [SAID, "ada: Thanks.", AGAIN],
    "somebody else spoke in between": [SAID, "bob: Hello.", AGAIN],
    "nobody said anything before": [AGAIN],
    "somebody else says it": [SAID, "bob: The Apollo review is on Thursday."],
    "somebody else says that he is the operator": [SAID, "bob: operator: The Apollo review is on Thursday."],
    "a page says it": [SAID, "web: The Apollo review is on Thursday."],
    "a page said it before": ["web: The Apollo review is on Wednesday.", AGAIN],
    "a question": [SAID, "ada: The Apollo review is on Thursday?"],
    "this week": [SAID, "ada: This week the Apollo review is on Thursday."],
    "what is not to be remembered": [SAID, "ada: The Apollo review is on Thursday. Please don't save anything."],
    "a text to work on": [SAID, "ada: Translate this: The Apollo review is on Thursday."],
    "a letter": [SAID, "ada: The Apollo review is on Thursday.\nThanks,\nTom Berger"],
    "a mail": [SAID, "ada: > The Apollo review is on Thursday."],
    "another thing": [SAID, "ada: The Gemini review is on Thursday."],
    "no entry says it": ["agent: The Gemini review is on Wednesday.", "ada: The Gemini review is on Thursday."],
    "the entry says it already": ["agent: The Apollo review is on Monday.", "ada: The Apollo review is on Wednesday."],
}  # fmt: skip


@pytest.mark.parametrize("lines", UNHEARD.values(), ids=UNHEARD)
def test_what_says_nothing_again_leaves_no_trace_and_is_not_looked_at_twice(talk, remembering, lines) -> None:
    head, memory = remembering.head(), remembering.read("MEMORY.md")

    assert talk.validated(*lines) == []

    assert (remembering.head(), remembering.read("MEMORY.md")) == (head, memory)
    assert (runs(remembering), waiting(remembering)) == (0, 0)


def test_what_a_tool_says_in_between_is_nobodys_turn(talk, remembering) -> None:
    talk.validated(SAID, "web: 200 OK", AGAIN)

    assert NOW in remembering.read("MEMORY.md")


def test_what_is_said_of_him_stands_in_memory_under_his_name(talk, remembering) -> None:
    """Mutant: nobody knows that Ada is who writes."""
    talk.validated("agent: Your sister is called Mary.", "ada: My sister is called Maria.")

    assert "- Ada's sister is called Maria." in remembering.read("MEMORY.md")


def test_what_memory_says_of_the_agent_is_not_said_of_him(talk, remembering) -> None:
    """Mutant: every name that a letter of his may bear is his."""
    memory = remembering.read("MEMORY.md") + "- Nova's favourite colour is green. <!-- m:dddddd -->\n"
    remembering.change({"MEMORY.md": memory, "IDENTITY.md": "# IDENTITY\n\n- Name: Nova\n"}, actor="operator")

    assert talk.validated("agent: Your favourite colour is green.", "ada: My favourite colour is navy.") == []


def test_another_conversation_is_none_of_this_one(talk, remembering) -> None:
    talk.say(SAID)
    at = remembering.now - timedelta(minutes=1)
    talk.hear(Heard("user", AGAIN.removeprefix("ada: "), conversation="other", message_id="9", sent_at=at, by_operator=True))  # fmt: skip

    assert validate(remembering.history, remembering.now) == []


@pytest.mark.parametrize(
    "heard",
    [
        pytest.param(Heard("assistant", "The Apollo review is on Wednesday.", external=True), id="forwarded"),
        pytest.param(Heard("user", "The Apollo review is on Wednesday.", by_operator=True, most_trust="host"), id="not surely his"),
    ],
)  # fmt: skip
def test_only_what_the_agent_says_itself_is_said_again(talk, remembering, heard) -> None:
    """Mutants: whose words they were, and in which role, is not looked at."""
    at = remembering.now - timedelta(hours=1)
    talk.hear(heard._replace(message_id="0", sent_at=at))

    assert talk.validated(AGAIN) == []


def test_an_entry_of_the_same_day_is_set_right(talk, remembering) -> None:
    """Mutant: its date and a colon come after the same date and a time."""
    today = remembering.read("MEMORY.md").replace("2026-01-20", "2026-03-19")
    remembering.change({"MEMORY.md": today}, actor="operator")

    talk.validated(SAID, AGAIN)

    assert NOW.replace("2026-01-20", "2026-03-19") in remembering.read("MEMORY.md")


def test_an_entry_that_is_later_than_the_message_stays(talk, remembering) -> None:
    """Mutant: when an entry was made is left out of account."""
    later = remembering.read("MEMORY.md").replace("2026-01-20", "2026-03-20")
    remembering.change({"MEMORY.md": later}, actor="operator")

    assert talk.validated(SAID, AGAIN) == []
    assert remembering.read("MEMORY.md") == later


def test_the_same_conversation_imported_again_changes_nothing(talk, remembering) -> None:
    talk.validated(SAID, AGAIN)
    head = remembering.head()
    talk.number = 0
    (remembering.history.state / "messages.db").unlink()

    assert talk.validated(SAID, AGAIN) == []
    assert (remembering.head(), waiting(remembering)) == (head, 0)


def test_what_was_undone_stays_so_when_the_conversation_is_imported_again(talk, remembering) -> None:
    """Mutant: the run has an id of its own each time."""
    memory = remembering.read("MEMORY.md")
    (report,) = talk.validated(SAID, AGAIN)
    undoing = find_undoing(remembering.history, report.note.run_id)
    undo(remembering.history, undoing, "", Intent("undo", "operator", remembering.now))
    talk.number = 0
    (remembering.history.state / "messages.db").unlink()

    talk.validated(SAID, AGAIN)
    mine(remembering.history, remembering.now)

    assert remembering.read("MEMORY.md") == memory


def test_what_is_set_right_twice_ends_as_it_was_said_last(talk, remembering) -> None:
    """Mutant: what triage flagged goes first."""
    talk.validated(SAID, AGAIN, "agent: The Apollo review is on Thursday.", "ada: No, it's on Friday.")

    assert "The Apollo review is on Friday at 10:00." in remembering.read("MEMORY.md")


def test_a_rehearsal_says_what_would_be_done_and_leaves_it_to_be_done(talk, remembering) -> None:
    head = remembering.head()
    talk.say(SAID, AGAIN, "agent: The Gemini review is on Monday.", "ada: The Gemini review is on Friday.")

    (rehearsed,) = rehearse_validation(remembering.history, remembering.now)

    assert rehearsed.planned.plan is not None
    assert (remembering.head(), waiting(remembering)) == (head, 2)


def test_the_miner_leaves_what_may_set_an_entry_right_to_the_validator(talk, remembering) -> None:
    """Mutant: the miner waits only for what triage flagged, and the entry stands twice."""
    talk.say(
        "agent: Ada's sister is called Mary.", "ada: Ada's sister is called Maria. Remind me to call her."
    )
    talk.say("agent: Noted.", "ada: I prefer tea over coffee.")
    assert held_back(remembering.history, remembering.now) == 1

    mine(remembering.history, remembering.now)
    assert "Maria" not in remembering.read("MEMORY.md")
    validate(remembering.history, remembering.now)
    mine(remembering.history, remembering.now)

    memory = remembering.read("MEMORY.md")
    assert memory.count("- Ada's sister is called Maria.") == memory.count("Maria") == 1
    assert "User prefers tea over coffee." in memory


def test_what_the_validator_found_nothing_in_is_mined_at_once(talk, remembering) -> None:
    talk.validated("agent: Your sister is called Mona.", "ada: My sister is called Maria.")

    mine(remembering.history, remembering.now)

    assert "User's sister is called Maria." in remembering.read("MEMORY.md")


def test_the_miner_does_not_wait_for_a_validator_that_does_not_come(talk, remembering) -> None:
    talk.say("agent: Your sister is called Mona.", "ada: My sister is called Maria.")
    mine(remembering.history, remembering.now)
    assert "Maria" not in remembering.read("MEMORY.md")
    later = remembering.now + timedelta(days=1)

    mine(remembering.history, later)
    assert "User's sister is called Maria." in remembering.read("MEMORY.md")

    assert validate(remembering.history, later) == []  # it is the miner's now


def test_a_message_that_is_claimed_later_is_heard_then(talk, remembering) -> None:
    talk.say(SAID)
    at = remembering.now - timedelta(minutes=1)
    bobs = Heard("user", AGAIN.removeprefix("ada: "), message_id="9", sent_at=at, sender="bob")
    talk.hear(bobs)
    assert validate(remembering.history, remembering.now) == []
    with open_messages(remembering.history, remembering.now) as store:
        rules = rules_in_force(remembering.history, remembering.now, "operator")
        store.add([take_down(bobs._replace(by_operator=True), rules, remembering.now)], claim=True)

    validate(remembering.history, remembering.now)

    assert NOW in remembering.read("MEMORY.md")
