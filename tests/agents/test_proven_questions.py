"""A question that brought its correction first goes on to do so: no later job changes that."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from clawgit.agents.run_agent import MOST, Planned, run_agent
from clawgit.plan import Edit, Plan
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

QUERY = "when is the Apollo review"


@dataclass
class Writer:
    """An agent that writes some files."""

    files: dict[str, str]
    name: str = "memory-miner"
    trust: str = ""
    losses: None = None
    input_id: str = "message 1"
    tokens: int = 0

    def plan(self, tree) -> Planned:
        return Planned(Plan("mine: a line", tuple(Edit(p, t.encode()) for p, t in self.files.items())))

    def after(self, note) -> str:
        return ""


@pytest.fixture
def corrected(talk, remembering):
    talk.validated(
        "agent: The Apollo review is on Wednesday.", "ada: Actually, it's Thursday, not Wednesday."
    )
    with open_records(remembering.history.state / RECORDS, remembering.now) as records:
        records.keep_queries(f"x:{talk.corrections()[0].correction_id}", [QUERY])
        yield remembering, records


@pytest.mark.parametrize("mode", ["core", "enhanced"])
def test_a_plan_that_lets_something_else_come_first_is_refused(corrected, mode: str) -> None:
    """Mutants: no look at the questions; none in enhanced mode, where a plan has no vectors yet."""
    room, records = corrected
    room.history.settings = room.history.settings._replace(mode=mode)
    ledger = room.read("CORRECTIONS.md").replace("Apollo review is on Thursday at 10:00", "thing was changed")
    ledger = ledger.replace("The Apollo review is on Wednesday at 10:00.", "It was said.").replace("corrects: m:aaaaaa", "corrects: m:zzzzzz")  # fmt: skip

    report = run_agent(room.history, records, Writer({"CORRECTIONS.md": ledger}), room.now)

    assert report.note.outcome is RunOutcome.REFUSED
    assert "would not come first any more" in report.note.reason


def test_a_question_is_asked_however_many_were_kept_after_it(corrected) -> None:
    """Mutant: the last hundred questions alone are asked."""
    room, records = corrected
    records.keep_queries("x:zzzzzz", [f"what is the budget of firm {number}" for number in range(MOST + 1)])
    ledger = room.read("CORRECTIONS.md").replace("Apollo review is on Thursday at 10:00", "thing was changed")
    ledger = ledger.replace("The Apollo review is on Wednesday at 10:00.", "It was said.").replace("corrects: m:aaaaaa", "corrects: m:zzzzzz")  # fmt: skip

    report = run_agent(room.history, records, Writer({"CORRECTIONS.md": ledger}), room.now)

    assert "would not come first any more" in report.note.reason


def test_a_plan_that_does_no_harm_passes(corrected) -> None:
    room, records = corrected

    report = run_agent(room.history, records, Writer({"memory/learned.md": "- Bob likes tea.\n"}), room.now)

    assert report.note.outcome is RunOutcome.APPLIED


def test_a_question_that_failed_before_stands_in_nobodys_way(corrected) -> None:
    room, records = corrected
    records.keep_queries("x:gone00", ["what was that about"])

    report = run_agent(room.history, records, Writer({"memory/learned.md": "- Bob likes tea.\n"}), room.now)

    assert report.note.outcome is RunOutcome.APPLIED


def test_no_agent_sets_a_corrected_entry_back(corrected) -> None:
    """RV6: the miner infers the old value again. Mutant: no look at what the entries say."""
    room, records = corrected
    memory = room.read("MEMORY.md")
    back = memory.replace("The Apollo review is on Thursday at", "The Apollo review is on Wednesday at", 1)

    report = run_agent(room.history, records, Writer({"MEMORY.md": back}), room.now)

    assert report.note.outcome is RunOutcome.REFUSED
    assert "m:aaaaaa would not say any more" in report.note.reason
    assert room.read("MEMORY.md") == memory


def test_the_old_value_inferred_again_elsewhere_stands_behind_the_correction(corrected) -> None:
    """RV6: what the host or the outside world says is remembered, and marked."""
    room, records = corrected
    again = {"memory/learned.md": "- The Apollo review is on Wednesday at 10:00.\n"}

    report = run_agent(room.history, records, Writer(again), room.now)

    first = search(room.history, Query(QUERY), room.now).results[0]
    assert report.note.outcome is RunOutcome.APPLIED
    assert first.entries[0].startswith("x:")
    assert "memory/learned.md" in [old.path for old in first.instead_of]
