"""An edit rests on the operator's words where his own later message carries it; everything else is asked, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from clawgit.agents.door.authorised_edits import Authority, EvidenceEdit, authorised, turns_before
from clawgit.agents.door.correction_plans import plan_of
from clawgit.agents.door.linkable import remembered
from clawgit.agents.door.meant_entries import candidates
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.memory.corrections.correction_log import Status, read_corrections
from clawgit.plan import Edit, Evidence, Plan

if TYPE_CHECKING:
    from clawgit.agents.door.authorised_edits import EditOutcome
    from clawgit.capture.messages.message import ChatMessage

THURSDAY = "The Apollo review is on Thursday at 10:00."


@dataclass
class Desk:
    """A workspace in which somebody speaks, the minute after the one before, and edits are judged."""

    room: object
    minutes: int = 0

    def hear(self, text: str, *, role: str = "user", sender: str = "ada", earlier: int = 0, **told) -> str:
        room = self.room
        self.minutes += 1
        at = room.now + timedelta(minutes=self.minutes) - timedelta(days=earlier)
        later = room.now + timedelta(hours=1)
        heard = IncomingMessage(
            role, text, message_id=str(self.minutes), sent_at=at, sender=sender, by_operator=sender == "ada"
        )._replace(**told)
        with open_messages(room.history, later) as store:
            message = take_down(heard, rules_in_force(room.history, later, "operator"), later)
            assert not isinstance(message, str)
            store.add([message])
        return f"chat:{message.chat_id}"

    def message(self, cited: str) -> ChatMessage:
        with open_messages(self.room.history, self.room.now) as store:
            return store.get(cited.removeprefix("chat:"))

    def outcome(
        self, cited: str, statement: str = THURSDAY, entry: str = "m:aaaaaa", quote: str = "", **read
    ) -> EditOutcome:
        room = self.room
        with open_messages(room.history, room.now) as store:
            authority = Authority(room.history, store, room.now + timedelta(hours=1))
            memory = remembered(room.history.tip().tree)
            return authorised(EvidenceEdit(entry, statement, cited, quote, **read), memory, authority)

    def apply(self, outcome: EditOutcome, cited: str, actor: str = "recall-validator", **said) -> None:
        written = outcome.written
        intent = Intent(new_op(), actor, self.room.now + timedelta(hours=1), trust="operator", **said)
        apply_plan(self.room.history, lambda _: plan_of([written], (Evidence(cited),)), intent)


@pytest.fixture
def desk(remembering) -> Desk:
    return Desk(remembering)


def _trust(room) -> str | None:
    history = room.history
    return history.objects.commit(history.tip().commit_id).trailers.first("Clawgit-Trust")


def test_what_his_message_says_sets_the_entry_right(desk, remembering) -> None:
    told = "It is not on Wednesday any more. The Apollo review is on Thursday now. Can you tell Tim?"
    cited = desk.hear(told)
    outcome = desk.outcome(cited)

    assert outcome.is_right
    desk.apply(outcome, cited)

    (known,) = read_corrections(remembering.read("CORRECTIONS.md").encode())
    assert (known.status, known.correct, known.corrects) == (Status.APPLIED, THURSDAY, ("aaaaaa",))
    assert (known.trigger, known.evidence) == ("The Apollo review is on Thursday now.", (cited,))
    assert f"{THURSDAY} #event <!-- m:aaaaaa" in remembering.read("MEMORY.md")
    assert _trust(remembering) == "operator"


def test_a_reading_of_his_message_is_in_force_as_understood(desk, remembering) -> None:
    cited = desk.hear("Hi! We moved the Apollo review, it's Thursday now. Can you tell Tim?")
    desk.apply(desk.outcome(cited), cited)

    (known,) = read_corrections(remembering.read("CORRECTIONS.md").encode())
    assert (known.status, known.correct) == (Status.UNDERSTOOD, THURSDAY)
    assert known.trigger == "We moved the Apollo review, it's Thursday now."
    assert "Thursday" in remembering.read("MEMORY.md")
    assert _trust(remembering) == "understood"


@pytest.mark.parametrize(
    ("statement", "is_right"),
    [("The Apollo review is on Thursday.", True), ("Felix arrives by train on Thursday.", False)],
)
def test_a_confirmed_line_replaces_no_entry_about_something_else(
    desk, statement: str, is_right: bool
) -> None:
    """Seen: an entry about a deposit became an arrival, for a second reader had found the arrival in his message."""
    desk.hear("When does Felix come?", role="assistant", sender="")
    cited = desk.hear(f"{statement[:-1]}, in the evening")

    assert desk.outcome(cited, statement, is_confirmed=True).is_right is is_right


def test_what_is_not_said_is_asked_with_the_entry_and_the_line(desk, remembering) -> None:
    cited = desk.hear("Tim says the Apollo review is on Thursday.")
    outcome = desk.outcome(cited)

    assert not outcome.is_right
    desk.apply(outcome, cited)

    (asked,) = read_corrections(remembering.read("CORRECTIONS.md").encode())
    assert (asked.status, asked.correct, asked.corrects) == (Status.OPEN, "", ())
    assert (asked.may_correct, asked.proposed, asked.evidence) == (("aaaaaa",), THURSDAY, (cited,))
    assert asked.said == "The Apollo review is on Wednesday at 10:00."
    assert "Wednesday" in remembering.read("MEMORY.md")


def test_a_message_of_a_pronoun_is_about_the_entry_of_the_turn_before_it(desk, remembering) -> None:
    """Mutant: a search with `no, it's on Thursday` alone finds any entry with a day."""
    lines = (
        "- The demo is on Wednesday. <!-- m:dddddd -->\n- The retreat is on Wednesday. <!-- m:eeeeee -->\n"
    )
    remembering.change({"MEMORY.md": remembering.read("MEMORY.md") + lines}, actor="operator")
    desk.hear("The retreat is on Wednesday.", role="assistant")
    cited = desk.hear("no, it's on Thursday")

    wrong = desk.outcome(cited, "The demo is on Thursday.", "m:dddddd")
    right = desk.outcome(cited, "The retreat is on Thursday.", "m:eeeeee")

    assert not wrong.is_right
    assert wrong.status is Status.OPEN
    assert right.is_right


def test_a_value_of_one_entry_alone_tells_which_is_meant_whatever_the_turn_before_is_about(
    desk, remembering
) -> None:
    """Mutants: a value is no word of an entry; a value that two entries have is."""
    lines = "- The hall holds 80 guests. <!-- m:dddddd -->\n- The bus holds 50 people. <!-- m:eeeeee -->\n"
    both = "- The retreat is on Monday. <!-- m:ffffff -->\n- The picnic is on Monday. <!-- m:gggggg -->\n"
    remembering.change({"MEMORY.md": remembering.read("MEMORY.md") + lines + both}, actor="operator")
    desk.hear("The retreat and the bus are booked.", role="assistant")
    cited = desk.hear("it's 60 now, not 80. and on Tuesday, not Monday")

    assert desk.outcome(cited, "The hall holds 60 guests.", "m:dddddd").is_right
    assert not desk.outcome(cited, "The picnic is on Tuesday.", "m:gggggg").is_right


def test_a_reading_for_an_entry_that_the_message_is_not_about_is_asked(desk, remembering) -> None:
    """Mutant: whatever entry a reader names is the one that is meant."""
    lines = "- The Zeus budget is 500 euros. <!-- m:dddddd -->\n- The rent is 700 euros. <!-- m:eeeeee -->\n"
    remembering.change({"MEMORY.md": remembering.read("MEMORY.md") + lines}, actor="operator")
    cited = desk.hear("No, the Zeus budget is 600 euros.")

    wrong = desk.outcome(cited, "The rent is 600 euros.", "m:eeeeee")
    right = desk.outcome(cited, "The Zeus budget is 600 euros.", "m:dddddd")

    assert wrong.objection is not None
    assert wrong.written.correction.status is Status.OPEN
    assert right.is_right


def test_the_agents_turn_before_tells_which_entry_is_meant(desk, remembering) -> None:
    lines = "- The Zeus budget is 500 euros. <!-- m:dddddd -->\n- The rent is 700 euros. <!-- m:eeeeee -->\n"
    remembering.change({"MEMORY.md": remembering.read("MEMORY.md") + lines}, actor="operator")
    desk.hear("The rent of 700 euros is paid.", role="assistant", sender="agent")
    cited = desk.hear("it's 600 now")

    assert desk.outcome(cited, "The rent is 600 euros.", "m:eeeeee").is_right
    assert not desk.outcome(cited, "The Zeus budget is 600 euros.", "m:dddddd").is_right


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("later", "is_right"),
    [
        ("scratch that", False),
        ("oh sorry, I was joking", False),
        ("Vergiss das.", False),
        ("농담이야", False),
        ("算了，当我没说", False),
        ("never mind the rain", True),
    ],
)
def test_what_his_next_turn_takes_back_carries_nothing(desk, later: str, is_right: bool) -> None:
    cited = desk.hear("The Apollo review is on Thursday.")
    desk.hear("Noted.", role="assistant", sender="agent")
    desk.hear(later)

    assert desk.outcome(cited).is_right is is_right


def test_the_same_is_not_asked_twice(desk) -> None:
    cited = desk.hear("Tim says the Apollo review is on Thursday.")
    desk.apply(desk.outcome(cited), cited)

    again = desk.outcome(cited)

    assert again.written is None
    assert again.known is not None


def test_a_better_statement_of_the_same_message_answers_the_question(desk, remembering) -> None:
    cited = desk.hear("The Apollo review is on Thursday.")
    desk.apply(desk.outcome(cited, "The Apollo review is on Thursday at 10:00 by bike."), cited)

    outcome = desk.outcome(cited)
    desk.apply(outcome, cited)

    (known,) = read_corrections(remembering.read("CORRECTIONS.md").encode())
    assert (known.status, known.correct, known.proposed) == (Status.UNDERSTOOD, THURSDAY, "")


def test_a_message_changes_an_entry_once(desk, remembering) -> None:
    cited = desk.hear("The Apollo review is on Thursday.")
    desk.apply(desk.outcome(cited), cited)

    again = desk.outcome(cited, "The Apollo review is on Thursday.")

    assert again.written is None
    assert "already" in again.objection.says


def test_what_he_took_back_stays_taken_back(desk, remembering) -> None:
    cited = desk.hear("The Apollo review is on Thursday.")
    desk.apply(desk.outcome(cited), cited)
    undo(
        remembering.history,
        find_undoing(remembering.history, "HEAD"),
        "",
        Intent(new_op(), "operator", remembering.now + timedelta(hours=1)),
    )

    again = desk.outcome(cited)

    assert "Wednesday" in remembering.read("MEMORY.md")
    assert again.written is None
    assert "took that back" in again.objection.says


def test_a_message_from_before_the_entrys_words_is_asked(desk) -> None:
    cited = desk.hear("The Apollo review is on Thursday.", earlier=1)

    outcome = desk.outcome(cited)

    assert "after that message" in outcome.objection.says
    assert outcome.written.correction.status is Status.OPEN


def test_an_entry_is_as_old_as_the_message_it_rests_on(desk, remembering) -> None:
    first = desk.hear("The Apollo demo is on Wednesday.")
    text = remembering.read("MEMORY.md") + "- The Apollo demo is on Wednesday. <!-- m:eeeeee -->\n"
    plan = Plan("memory: x", (Edit("MEMORY.md", text.encode()),), evidence=(Evidence(first),))
    written_at = remembering.now + timedelta(minutes=30)
    apply_plan(
        remembering.history, lambda _: plan, Intent(new_op(), "memory-miner", written_at, trust="operator")
    )

    second = desk.hear("The Apollo demo is on Thursday.")

    assert desk.message(second).sent_at < written_at
    assert desk.outcome(second, "The Apollo demo is on Thursday.", "m:eeeeee").is_right


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("sender", "role", "says"),
    [
        pytest.param("bob", "user", "external", id="a stranger's"),
        pytest.param("ada", "assistant", "host", id="the agent's"),
    ],
)
def test_nobody_elses_message_carries_an_edit(desk, sender, role, says) -> None:
    cited = desk.hear("The Apollo review is on Thursday.", sender=sender, role=role)

    outcome = desk.outcome(cited)

    assert says in outcome.objection.says
    assert outcome.written is None


def test_a_value_that_only_the_agent_named_is_neither_made_nor_asked(desk) -> None:
    desk.hear("Shall I move the Apollo review to Thursday?", role="assistant", sender="agent")
    cited = desk.hear("yes")

    outcome = desk.outcome(cited)

    assert "'thursday'" in outcome.objection.says
    assert outcome.objection.quote == "yes"
    assert outcome.written is None


def test_a_line_that_nobody_could_answer_is_not_asked(desk) -> None:
    """Mutant: whatever fails the check in a way that could be asked is asked."""
    cited = desk.hear("It is on Thursday at 10:00.", earlier=90)

    whole = desk.outcome(cited)
    fragment = desk.outcome(cited, "The Apollo review is on Thursday at 10:00,")

    assert whole.written.correction.proposed == THURSDAY
    assert fragment.objection.is_question
    assert fragment.written is None


@pytest.mark.parametrize("entry", ["m:zzzzzz", "", "The standup"])
def test_an_entry_that_is_not_there_is_not_asked_about(desk, entry) -> None:
    assert desk.outcome(desk.hear("It is on Thursday."), entry=entry).written is None


def test_the_turns_before_a_message_are_the_agents_the_latest_first(desk, remembering) -> None:
    for text in ("One.", "Two."):
        desk.hear(text, role="assistant", sender="agent")
    cited = desk.hear("Three.")

    with open_messages(remembering.history, remembering.now) as store:
        assert turns_before(store, desk.message(cited)) == ("Two.", "One.")


def test_candidates_are_found_by_his_words_and_by_the_agents(desk, remembering) -> None:
    by_his = candidates(remembering.history, "the standup moved", (), remembering.now)
    by_agents = candidates(
        remembering.history, "no, Thursday", ("The Apollo review is on Wednesday.",), remembering.now
    )

    assert [(each.entry_id, each.path, each.line) for each in by_his][:1] == [("bbbbbb", "MEMORY.md", 4)]
    assert by_agents[0].entry_id == "aaaaaa"
    assert by_agents[0].statement == "The Apollo review is on Wednesday at 10:00."


def test_a_message_that_is_not_to_be_remembered_carries_no_edit(desk) -> None:
    """Mutant: the check ignores the veto."""
    cited = desk.hear("Don't remember this: the Apollo review is on Thursday at 10:00.")

    outcome = desk.outcome(cited)

    assert outcome.written is None
    assert "not be remembered" in outcome.objection.says
