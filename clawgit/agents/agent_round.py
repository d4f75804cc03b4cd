"""A round of an agent: read its input, let a model help where there is one, make one change, record the run."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, TypeVar

from clawgit.agents.agent import Agent
from clawgit.agents.models.model import ModelError
from clawgit.agents.run_agent import (
    Rehearsed,
    may_come_to_something,
    noting_failure,
    rehearse,
    run_agent,
    run_id_of,
)
from clawgit.history.transaction.taken_entry_ids import ids_beside
from clawgit.memory.entries.entries import Tag, entry_line
from clawgit.memory.entries.own_section import add_remembered
from clawgit.memory.entries.tiers import LESSONS
from clawgit.memory.provenance.stamps import stamp
from clawgit.plan import Edit
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from clawgit.agents.models.ask_model import Asker, Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.records.records import Records, RunNote


@dataclass(frozen=True, kw_only=True)
class RoundAgent(Agent):
    """An agent whose rules work alone; ``notes`` say what of a model's answer was refused, and why."""

    notes: tuple[str, ...] = ()
    tokens: int = 0

    @classmethod
    def read(cls, history: History, records: Records, now: datetime) -> Self:
        """Return the agent with its input."""
        raise NotImplementedError

    def ask(self, asker: Asker) -> Self:
        """Return the agent with the parts of a model's answer that passed their checks.

        Raises:
            ModelError: No usable answer; the rules do the work.
        """
        raise NotImplementedError

    def after(self, note: RunNote) -> str:
        """Add nothing to the record."""
        return ""

    def settle(self, records: Records, note: RunNote, now: datetime) -> None:
        """Move the agent's cursor after a run that changed something, or had nothing to change."""


A = TypeVar("A", bound=RoundAgent)


def run_round(
    kind: type[A], history: History, now: datetime, *, slot: str = "", askers: Askers | None = None
) -> list[RunReport]:
    """Run one round; a run that fails before it begins is recorded, too."""
    with open_records(history.state / RECORDS, now) as records:
        agent = kind.read(history, records, now)
        with noting_failure(records, agent, now, slot):
            if may_come_to_something(history, agent):
                agent = _asked(agent, askers)
        report = run_agent(history, records, agent, now, slot=slot)
        if report.note.outcome in (RunOutcome.APPLIED, RunOutcome.NOTHING):
            agent.settle(records, report.note, now)
        return [report]


def rehearse_round(
    kind: type[A], history: History, now: datetime, *, askers: Askers | None = None
) -> list[Rehearsed]:
    """Return what a round would do; nothing is written or recorded, but what a model answered."""
    with open_records(history.state / RECORDS, now) as records:
        agent = kind.read(history, records, now)
    return [Rehearsed(agent.name, rehearse(history, _asked(agent, askers)))] if agent.input_id else []


def _asked(agent: A, askers: Askers | None) -> A:
    asker = askers(run_id_of(agent)) if askers else None
    if asker is None:
        return agent
    try:
        return agent.ask(asker)
    except ModelError as error:
        return replace(agent, notes=(f"Rules did it: {error.message}",), tokens=error.spent)


def one_line_values(row: Mapping[str, str], *optional: str) -> dict[str, str]:
    """Return a row of a model's answer on one line each; absent ``optional`` values are empty."""
    return dict.fromkeys(optional, "") | {key: folded(value) for key, value in row.items()}


def refused(what: str) -> str:
    """Return the note for a part of a model's answer that is not used."""
    return f"Refused of the model's answer: {what}"


def added_value(text: str, known: str) -> str:
    """Return the first number, date or name of a text that is not in what is known, empty if all are."""
    for value in values_in(text):
        if not re.search(rf"(?<!\w){re.escape(value.text)}(?!\w)", known, re.IGNORECASE):
            return value.text
    return ""


class Lessons:
    """memory/lessons.md while a plan adds to it."""

    def __init__(self, tree: Tree) -> None:
        self.data = self._before = tree.read(LESSONS) or b""
        self.added: dict[str, str] = {}  # line: its evidence
        self._tree = tree

    def add(self, lesson: str, on: date, evidence: str) -> None:
        """Add a lesson.

        Raises:
            EntryError: It cannot be an entry; nothing was added.
        """
        line = entry_line(lesson, on=on, tag=Tag.SKILL)
        self.data = add_remembered(self.data, line)
        self.added[line] = evidence

    def edits(self) -> tuple[Edit, ...]:
        """Return the edit that adds them, none where the file has them already."""
        if self.data == self._before:
            return ()
        first, taken = next(iter(self.added.values())), ids_beside(self._tree, LESSONS)
        return (Edit(LESSONS, stamp(self._before, self.data, first, own=self.added, taken=taken)),)
