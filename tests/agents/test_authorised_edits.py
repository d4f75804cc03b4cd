"""An edit rests on the operator's words where his own later message carries it; everything else is asked, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from clawgit.agents.door.authorised_edits import Authority, EvidenceEdit, authorised, turns_before
from clawgit.agents.door.candidate_entries import candidates
from clawgit.agents.door.correction_plans import plan_of, remembered
from clawgit.capture.messages.incoming_message import take_down
from clawgit.capture.messages.message import Heard
from clawgit.capture.messages.open_messages import open_messages
from clawgit.capture.messages.rules_in_force import rules_in_force
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.memory.corrections.correction_log import Status, read_corrections
from clawgit.plan import Edit, Evidence, Plan

if TYPE_CHECKING:
    from clawgit.agents.door.authorised_edits import Outcome
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
        heard = Heard(
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
        self, cited: str, statement: str = THURSDAY, entry: str = "m:aaaaaa", quote: str = ""
    ) -> Outcome:
        room = self.room
        with open_messages(room.history, room.now) as store:
            authority = Authority(room.history, store, room.now + timedelta(hours=1))
            memory = remembered(room.history.tip().tree)
            return authorised(EvidenceEdit(entry, statement, cited, quote), memory, authority)

    def apply(self, outcome: Outcome, cited: str, actor: str = "recall-validator", **said) -> None:
        written = outcome.written
        intent = Intent(new_op(), actor, self.room.now + timedelta(hours=1), trust="operator", **said)
        apply_plan(self.room.history, lambda _: plan_of([written], (Evidence(cited),)), intent)


@pytest.fixture
def desk(remembering) -> Desk:
    return Desk(remembering)


def test_what_his_message_says_sets_the_entry_right(desk, remembering) -> None:
    cited = desk.hear("The Apollo review is on Thursday now.")
    outcome = desk.outcome(cited)

    assert outcome.is_right
    desk.apply(outcome, cited)

    (known,) = read_corrections(remembering.read("CORRECTIONS.md").encode())
    assert (known.status, known.correct, known.corrects) == (Status.APPLIED, THURSDAY, ("aaaaaa",))
    assert (known.trigger, known.evidence) == ("The Apollo review is on Thursday now.", (cited,))
    assert f"{THURSDAY} #event <!-- m:aaaaaa understood -->" in remembering.read("MEMORY.md")


def test_what_is_not_said_is_asked_with_the_entry_and_the_line(desk, remembering) -> None:
    cited = desk.hear("Maybe the Apollo review is on Thursday.")
    outcome = desk.outcome(cited)

    assert not outcome.is_right
    desk.apply(outcome, cited)

    (asked,) = read_corrections(remembering.read("CORRECTIONS.md").encode())
    assert (asked.status, asked.correct, asked.corrects) == (Status.OPEN, "", ())
    assert (asked.may_correct, asked.proposed, asked.evidence) == (("aaaaaa",), THURSDAY, (cited,))
    assert asked.said == "The Apollo review is on Wednesday at 10:00."
    assert "Wednesday" in remembering.read("MEMORY.md")


@pytest.mark.parametrize("who", ["Ada's sister", "Ben"])
def test_what_he_says_of_himself_is_asked_of_an_entry_about_another(desk, remembering, who: str) -> None:
    lines = f"- {who} lives in Porto. <!-- m:dddddd -->\n- Ada works at Acme. <!-- m:eeeeee -->\n"
    remembering.change({"MEMORY.md": remembering.read("MEMORY.md") + lines}, actor="operator")

    outcome = desk.outcome(desk.hear("No, I live in Lisbon."), f"{who} lives in Lisbon.", "m:dddddd")

    assert not outcome.is_right
    assert outcome.objection.is_question
    assert outcome.written.correction.status is Status.OPEN


def test_the_same_is_not_asked_twice(desk) -> None:
    cited = desk.hear("Maybe the Apollo review is on Thursday.")
    desk.apply(desk.outcome(cited), cited)

    again = desk.outcome(cited)

    assert again.written is None
    assert again.known is not None


def test_a_better_statement_of_the_same_message_answers_the_question(desk, remembering) -> None:
    cited = desk.hear("The Apollo review is on Thursday.")
    desk.apply(desk.outcome(cited, "The Apollo review is on Friday at 10:00."), cited)

    outcome = desk.outcome(cited)
    desk.apply(outcome, cited)

    (known,) = read_corrections(remembering.read("CORRECTIONS.md").encode())
    assert (known.status, known.correct, known.proposed) == (Status.APPLIED, THURSDAY, "")


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


def test_a_value_that_only_the_agent_named_is_asked(desk) -> None:
    desk.hear("Shall I move the Apollo review to Thursday?", role="assistant", sender="agent")
    cited = desk.hear("yes")

    outcome = desk.outcome(cited)

    assert "only in what the agent said" in outcome.objection.says
    assert outcome.written.correction.trigger == "yes"


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
