"""The detector with a model behind a real service: what of its answer counts, and what rules make of the rest."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.agents.conflict_detector import ConflictDetector
from clawgit.agents.models.choose_model import model_named
from clawgit.agents.models.model import Asker
from clawgit.agents.run_agent import Means
from clawgit.http_client import Patience
from clawgit.memory.conflict_log import Outcome, read_conflicts
from clawgit.workspace.records.records import RECORDS
from clawgit.workspace.settings.settings import Settings

LISBON, PORTO = "User lives in Lisbon.", "User lives in Porto."
FINDING = {"a": "e:1", "b": "e:2", "a_says": "Porto", "b_says": "Lisbon"}


class Judged:
    """A room in which a scripted model judges what changed."""

    def __init__(self, room, scripted) -> None:
        self.room, self.scripted = room, scripted

    def says(
        self, *statements: str, after: int = 0, actor: str = "operator", path: str = "MEMORY.md"
    ) -> None:
        self.room.now += timedelta(days=after)
        old = self.room.read(path) if (self.room.root / path).exists() else ""
        self.room.change({path: old + "".join(f"- {each} #knowledge\n" for each in statements)}, actor=actor)

    def run(self):
        settings = Settings(model="openai:m", model_url=self.scripted.url)

        def asker(purpose: str) -> Asker:
            model = model_named(settings, {}, self.room.root, patience=Patience(60, tries=2, pause=0.01))
            records = self.room.history.state / RECORDS
            return Asker(model, records, 1_000_000, lambda: self.room.now, purpose)

        self.room.now += timedelta(hours=1)
        return [
            report.note
            for report in ConflictDetector.run_round(
                self.room.history, self.room.now, Means(askers=lambda: asker)
            )
        ]

    @property
    def conflicts(self):
        return read_conflicts((self.room.root / "CONFLICTS.md").read_bytes())


@pytest.fixture
def judged(room, scripted) -> Judged:
    return Judged(room, scripted)


def of_pairs(judged: Judged, **changed: str):
    """Answer with the finding, its two ids as the question names the statements."""
    asked = FINDING | changed
    judged.scripted.says({"conflicts": [asked]}, tokens=321)


def test_a_conflict_that_rules_cannot_see_is_logged_and_decided_by_the_rules(judged) -> None:
    judged.says(LISBON)
    judged.says(PORTO, after=45)
    of_pairs(judged, a_says="Lisbon", b_says="Porto")

    (note,) = judged.run()

    (conflict,) = judged.conflicts
    assert (conflict.loser.statement, note.tokens) == (LISBON, 321)
    assert conflict.differs in ("Lisbon / Porto", "Porto / Lisbon")
    assert "You compare what is remembered" in str(judged.scripted.bodies[0])


@pytest.mark.parametrize(
    ("finding", "why_not"),
    [
        ({"a": "e:1", "b": "e:9"}, "which is no pair that it was given"),
        ({"a_says": "Madrid"}, "is not in"),
        ({"a_says": "User", "b_says": "User"}, "is what both say"),
    ],
)
def test_a_finding_that_does_not_fit_counts_for_nothing(
    judged, finding: dict[str, str], why_not: str
) -> None:
    judged.says(LISBON, PORTO)
    of_pairs(judged, **({"a_says": "Lisbon", "b_says": "Porto"} | finding))

    (note,) = judged.run()

    assert judged.conflicts == []
    assert why_not in note.reason


def test_two_that_are_not_plainly_about_one_thing_wait_for_the_operator(judged) -> None:
    """A careless model: 45 days apart, so that rules would let the newer one win."""
    judged.says("User's bicycle stands in Lisbon.")
    judged.says("User's bicycle was stolen in Porto.", after=45)
    of_pairs(judged, a_says="Lisbon", b_says="Porto")

    judged.run()

    (conflict,) = judged.conflicts
    assert conflict.outcome is Outcome.OPEN
    assert "superseded" not in judged.room.read("MEMORY.md")


def test_the_model_may_say_that_both_hold(judged) -> None:
    judged.says("User called Peter on Monday.", "User called Peter on Tuesday.")
    judged.scripted.says({"conflicts": []})

    judged.run()

    assert judged.conflicts == []


def test_text_from_elsewhere_does_not_talk_the_rules_down(judged) -> None:
    """An entry of a host's speaks to the model, which then sees nothing: the operator is asked all the same."""
    judged.says("The port of the gate is 8443.")
    judged.says("The port of the gate is 9443.", actor="host", path="memory/learned.md")
    judged.scripted.says({"conflicts": []})

    judged.run()

    (conflict,) = judged.conflicts
    assert conflict.outcome is Outcome.OPEN


def test_without_a_usable_answer_rules_do_it_and_what_was_not_judged_is_asked_about_again(judged) -> None:
    to_lisbon = "The trip of the choir goes to Lisbon."
    judged.says("Lunch is at 12:30.", "Lunch is at 13:15.", to_lisbon, to_lisbon.replace("Lisbon", "Porto"))
    judged.scripted.says("no idea", "no idea")
    (note,) = judged.run()
    assert (len(judged.conflicts), "Rules did it" in note.reason) == (1, True)

    judged.says("The door is green.")
    asked = len(judged.scripted.bodies)
    of_pairs(judged, a_says="Lisbon", b_says="Porto")
    judged.run()

    assert len(judged.scripted.bodies) > asked
    assert {each.a.statement for each in judged.conflicts} >= {to_lisbon}
