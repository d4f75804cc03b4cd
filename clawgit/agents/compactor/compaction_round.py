"""The compactor's round: chronicles, then the archive, then hygiene; each piece of work is one change or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.agents.compactor.daily_archive import Archiver, Chronicler, aged_notes, in_batches, untold
from clawgit.agents.compactor.memory_hygiene import Clearing, CorrectionArchive, OldWordings
from clawgit.agents.compactor.model_chronicle import with_stories
from clawgit.agents.run_agent import (
    Rehearsed,
    may_come_to_something,
    noting_failure,
    rehearse,
    run_agent,
    run_id_of,
)
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from clawgit.agents.agent import Agent
    from clawgit.agents.models.ask_model import Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.history.git.repository import History


def compact_memory(
    history: History, now: datetime, *, slot: str = "", askers: Askers | None = None
) -> list[RunReport]:
    """Do the week's compaction: each piece of work that there is becomes one change; stop where it may not write.

    The model that ``askers`` gives for a run tells the newest weeks of a chronicle, rules the others.
    """
    round_ = _Round(history, now, askers)
    reports: list[RunReport] = []
    with open_records(history.state / RECORDS, now) as records:
        for make in round_.pieces():
            for agent in make():
                with noting_failure(records, agent, now, slot):
                    ready = round_.asked(agent)
                reports.append(run_agent(history, records, ready, now, slot=slot))
                if not reports[-1].settled:
                    return reports
        if not reports:
            reports.append(run_agent(history, records, Archiver(history, (), now), now, slot=slot))
    return reports


def rehearse_compaction(history: History, now: datetime) -> list[Rehearsed]:
    """Return what `compact_memory` would do by rules; nothing is written or recorded.

    What moves only after it was told of is shown once it was.
    """
    round_ = _Round(history, now, None)
    agents = (agent for make in round_.pieces() for agent in make())
    return [Rehearsed(agent.input_id, rehearse(history, agent)) for agent in agents]


def has_work(history: History, now: datetime) -> bool:
    """Say whether there is anything to compact."""
    return any(agent.input_id for make in _Round(history, now, None).pieces() for agent in make())


@dataclass(frozen=True, slots=True)
class _Round:
    history: History
    now: datetime
    askers: Askers | None

    def pieces(self) -> tuple[Callable[[], Iterator[Agent]], ...]:
        """Return what makes the agents of each piece of work, asked when it is its turn: one builds on another."""
        return (self._chronicles, self._archive, self._hygiene)

    def _chronicles(self) -> Iterator[Agent]:
        aged = aged_notes(self.history, self.now)
        new = untold(self.history.tip().tree, aged)
        if new:
            yield Chronicler(self.history, new, self.now)

    def _archive(self) -> Iterator[Agent]:
        tree = self.history.tip().tree
        most = self.history.settings.max_commit_bytes // 2
        for batch in in_batches(tree, aged_notes(self.history, self.now), most):
            yield Archiver(self.history, batch, self.now)

    def _hygiene(self) -> Iterator[Agent]:
        history, now = self.history, self.now
        for make in (
            lambda: Clearing(history, now, "weak"),
            lambda: Clearing(history, now, "twice"),
            lambda: OldWordings(history, now),
            lambda: CorrectionArchive(history, now),
        ):
            agent: Agent = make()  # each looks at what the one before it left
            if agent.input_id:
                yield agent

    def asked(self, agent: Agent) -> Agent:
        """Return a chronicler with what a model tells of its weeks, where there is one and it comes to something."""
        if self.askers is None or not isinstance(agent, Chronicler):
            return agent
        if not may_come_to_something(self.history, agent):
            return agent
        asker = self.askers(run_id_of(agent))
        return agent if asker is None else with_stories(agent, asker)
