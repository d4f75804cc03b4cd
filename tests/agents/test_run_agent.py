"""A run makes at most one change for one input, and is on record whatever came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from clawgit.agents.models.model import ModelError
from clawgit.agents.run_agent import Agent, Planned, run_agent
from clawgit.errors import ClawgitError
from clawgit.history.authorship.intent import Intent
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.plan import Edit, Evidence, Plan
from clawgit.workspace.records.records import RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Noter:
    """An agent that adds a line for its input, or does what the test wants instead."""

    input_id: str = "message 1"
    name: str = "memory-miner"
    trust: str = ""
    losses: None = None
    raises: BaseException | None = None
    text: str = "- Ada drinks tea.\n"
    left_out: tuple[str, ...] = ("Message 1 says nothing new.",)
    tokens: int = 7
    asked: list[str | None] = field(default_factory=list)

    def after(self, note) -> str:
        return ""

    def plan(self, tree) -> Planned:
        self.asked.append(tree.tree_id)
        if self.raises is not None:
            raise self.raises
        old = tree.read("memory/learned.md") or b""
        if not self.text:
            return Planned(left_out=self.left_out)
        edit = Edit("memory/learned.md", old + self.text.encode())
        return Planned(Plan("mine: one line", (edit,), evidence=(Evidence("chat:1", "I drink tea."),)))


@pytest.fixture
def records(room, now):
    with open_records(room.history.state / "records.db", now) as opened:
        yield opened


def test_a_run_is_one_change_with_its_run_and_evidence(room, records, now) -> None:
    report = run_agent(room.history, records, Noter(), now, slot="2026-03-19T06:00")

    said = room.git("log", "-1", "--format=%(trailers:unfold)")
    assert f"Clawgit-Run: {report.note.run_id}" in said
    assert "Clawgit-Slot: 2026-03-19T06:00" in said
    assert "Clawgit-Tokens: 7" in said
    assert 'Clawgit-Evidence: chat:1 "I drink tea."' in said
    assert report.note.commit_id == room.head()
    assert (report.note.outcome, report.note.edits, report.note.tokens) == (RunOutcome.APPLIED, 1, 7)


def test_the_same_input_makes_no_second_change(room, records, now) -> None:
    """Mutant: the op does not follow from the input."""
    run_agent(room.history, records, Noter(), now)
    head = room.head()

    again = run_agent(room.history, records, Noter(), now)

    assert room.head() == head
    assert again.note.outcome is RunOutcome.NOTHING
    assert "before" in again.note.reason


def test_other_input_is_another_run(room, records, now) -> None:
    first = run_agent(room.history, records, Noter(), now)
    second = run_agent(room.history, records, Noter("message 2", text="- And coffee.\n"), now)

    assert first.note.run_id != second.note.run_id
    assert [note.run_id for note in records.runs(limit=5)] == [second.note.run_id, first.note.run_id]


def test_a_run_can_be_undone_by_its_id_and_does_not_come_back(room, records, now) -> None:
    before = room.read("memory/learned.md")
    run_id = run_agent(room.history, records, Noter(), now).note.run_id

    undo(room.history, find_undoing(room.history, run_id), "", Intent("op-undo", "operator", now))
    run_agent(room.history, records, Noter(), now)

    assert room.read("memory/learned.md") == before


@pytest.mark.parametrize(
    ("agent", "outcome", "reason"),
    [
        pytest.param(Noter(input_id=""), RunOutcome.NOTHING, "nothing to work on", id="no input"),
        pytest.param(Noter(text=""), RunOutcome.NOTHING, "nothing new", id="nothing to change"),
        pytest.param(
            Noter(text="", left_out=()), RunOutcome.NOTHING, "nothing to change", id="no word about it"
        ),
        pytest.param(Noter(raises=ClawgitError("No.")), RunOutcome.REFUSED, "No.", id="the agent refuses"),
        pytest.param(Noter(text="<<<<<<< a\n=======\n>>>>>>> b\n"), RunOutcome.REFUSED, "merge", id="a guard refuses"),
    ],
)  # fmt: skip
def test_a_run_that_changes_nothing_is_on_record(room, records, now, agent, outcome, reason: str) -> None:
    head = room.head()

    run_agent(room.history, records, agent, now)

    (noted,) = records.runs(limit=5)
    assert noted.outcome is outcome
    assert reason in noted.reason
    assert room.head() == head


@dataclass
class SoulWriter(Noter):
    """An agent that takes a principle out of the soul."""

    def plan(self, tree) -> Planned:
        lines = (tree.read("SOUL.md") or b"").splitlines(keepends=True)
        left = [line for line in lines if not line.startswith(b"- Have a view")]
        return Planned(Plan("soul: less", (Edit("SOUL.md", b"".join(left)),)))


def test_a_run_whose_change_waits_for_the_operator_is_proposed(room, records, now) -> None:
    report = run_agent(room.history, records, SoulWriter(), now)

    assert report.note.outcome is RunOutcome.PROPOSED
    assert "proposal" in report.note.reason
    assert report.settled
    assert room.git("for-each-ref", "refs/clawgit/proposals")


def test_a_bug_is_on_record_as_failed_and_raised(room, records, now) -> None:
    with pytest.raises(ZeroDivisionError):
        run_agent(room.history, records, Noter(raises=ZeroDivisionError("x")), now)

    (noted,) = records.runs(limit=5, agent="memory-miner")
    assert (noted.outcome, noted.reason) == (RunOutcome.FAILED, "ZeroDivisionError: x")


class NotingAgent(Agent):
    name = "memory-miner"
    input_id = "message 1"

    @classmethod
    def read(cls, history, records, now, means) -> Iterator[Agent]:
        yield cls()

    def plan(self, tree) -> Planned:
        return Noter().plan(tree)


def test_a_rehearsal_writes_and_records_nothing(room, records) -> None:
    head = room.head()

    (rehearsed,) = NotingAgent.rehearse_round(room.history, room.now)

    assert rehearsed.planned.plan is not None
    assert room.head() == head
    assert room.git("status", "--porcelain") == ""
    assert records.runs(limit=5) == []


def test_a_run_that_its_model_ends_is_on_record_with_what_it_used(room, records, now) -> None:
    """Mutant: what a refused run used is not kept."""
    head = room.head()

    report = run_agent(room.history, records, Noter(raises=ModelError("It said nonsense."), tokens=900), now)

    assert (report.note.outcome, report.note.tokens) == (RunOutcome.REFUSED, 900)
    assert records.runs(limit=1) == [report.note]
    assert room.head() == head
