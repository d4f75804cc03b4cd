"""The validator's round: every signal that waits, one run each; then what could not be proven before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.agents.correction_plans import Prover
from clawgit.agents.run_agent import Rehearsed, may_come_to_something, rehearse, run_agent, run_id_of
from clawgit.agents.validator.heard_messages import signal_of
from clawgit.agents.validator.model_corrections import ask_validator
from clawgit.agents.validator.recall_validator import NAME, RecallValidator
from clawgit.agents.validator.retry_proofs import reproofs
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from clawgit.agents.agent import Agent
    from clawgit.agents.models.ask_model import Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.recall.vector_search import Vectors
    from clawgit.workspace.records.records import Records


AT_ONCE = 1000


def validate(
    history: History,
    now: datetime,
    *,
    slot: str = "",
    vectors: Vectors | None = None,
    askers: Askers | None = None,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[RunReport]:
    """Deal with every message that waits for the validator, as they were said; stop where it may not write.

    The model that ``askers`` gives for a run reads each, else rules do. In enhanced mode a correction is known to come
    first once ``vectors`` were asked.
    """
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(store, Prover(history, now, vectors), slot, askers)
        reports = list(round_.signals(records, tell))
        if all(report.settled for report in reports):
            reports += round_.proofs(records)
        return reports


def rehearse_validation(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `validate` would do about each message by itself; nothing is written or recorded."""
    with open_messages(history, now) as store:
        round_ = _Round(store, Prover(history, now), askers=askers)
        return [
            Rehearsed(each.input_id, rehearse(history, each)) for each in map(round_.read, round_.waiting())
        ]


@dataclass(frozen=True, slots=True)
class _Round:
    store: MessageStore
    prover: Prover
    slot: str = ""
    askers: Askers | None = None

    def waiting(self) -> list[RecallValidator]:
        """Return the agents for what triage flagged, as it was said: what is set right twice ends as it was said last."""
        waiting = in_order(self.store.to_validate(AT_ONCE))
        return [RecallValidator(signal_of(self.store, each), self.prover, self.store) for each in waiting]

    def read(self, agent: RecallValidator) -> RecallValidator:
        """Return an agent with what the model made of its message, where there is one and it may come to something."""
        asker = None if self.askers is None else self.askers(run_id_of(agent))
        history = self.prover.history
        if asker is None or not agent.is_his or not may_come_to_something(history, agent):
            return agent
        soul = prompt_in_force(history, NAME)
        return replace(agent, answer=ask_validator(asker, soul, agent.signal, history, self.prover.now))

    def signals(self, records: Records, tell: Callable[[int, int], None]) -> Iterator[RunReport]:
        """Run the validator once for each message; one that could not be dealt with now stays in the queue."""
        waiting = self.waiting()
        for done, agent in enumerate(waiting):
            tell(done, len(waiting))
            report = self._run(records, self.read(agent))
            if report.settled:
                self.store.mark_validated([agent.signal.message.chat_id], report.note.run_id)
            yield report
            if not report.settled:
                return

    def proofs(self, records: Records) -> Iterator[RunReport]:
        """Try again to prove what was not proven when it was made."""
        for agent in reproofs(self.prover.history, self.prover):
            if agent.holds():
                yield self._run(records, agent)

    def _run(self, records: Records, agent: Agent) -> RunReport:
        return run_agent(self.prover.history, records, agent, self.prover.now, slot=self.slot)


def in_order(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Return messages as they were said."""
    return sorted(messages, key=lambda message: message.sent_at)
