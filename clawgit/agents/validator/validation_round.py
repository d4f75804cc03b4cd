"""The validator's round: every signal that waits, one run each; then what could not be proven before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.agents.correction_plans import Prover
from clawgit.agents.operator_names import names_of
from clawgit.agents.run_agent import Rehearsed, rehearse, run_agent
from clawgit.agents.validator.recall_validator import RecallValidator, signal_of
from clawgit.agents.validator.retry_proofs import Reproof, unproven
from clawgit.capture.messages.open_messages import open_messages
from clawgit.understanding.facts.first_person import USER
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.agents.agent import Agent
    from clawgit.agents.operator_names import Names
    from clawgit.agents.run_agent import RunReport
    from clawgit.agents.validator.recall_validator import Signal
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.recall.vector_search import Vectors
    from clawgit.workspace.records.records import Records

AT_ONCE = 1000


def validate(
    history: History, now: datetime, *, slot: str = "", vectors: Vectors | None = None
) -> list[RunReport]:
    """Deal with every message that waits for the validator, as they were said; stop where it may not write.

    In enhanced mode a correction is known to come first once ``vectors`` were asked.
    """
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(records, store, Prover(history, now, vectors), slot)
        reports = list(round_.signals())
        if all(report.settled for report in reports):
            reports += round_.proofs()
        return reports


def rehearse_validation(history: History, now: datetime) -> list[Rehearsed]:
    """Return what `validate` would do about each message by itself; nothing is written or recorded."""
    prover = Prover(history, now)
    with open_messages(history, now) as store:
        waiting = _waiting(store, names_of(history, store))
        agents = [RecallValidator(signal, prover, now) for signal in waiting]
    return [Rehearsed(agent.input_id, rehearse(history, agent)) for agent in agents]


@dataclass(frozen=True, slots=True)
class _Round:
    records: Records
    store: MessageStore
    prover: Prover
    slot: str

    def signals(self) -> Iterator[RunReport]:
        """Run the validator once for each message; one that could not be dealt with now stays in the queue."""
        names = names_of(self.prover.history, self.store)
        for signal in _waiting(self.store, names):
            report = self._run(RecallValidator(signal, self.prover, self.prover.now))
            if report.settled:
                self.store.mark_validated([signal.message.chat_id], report.note.run_id)
            yield report
            if not report.settled:
                return

    def proofs(self) -> Iterator[RunReport]:
        """Try again to prove what was not proven when it was made."""
        history = self.prover.history
        for correction in unproven(history, history.tip().tree):
            agent = Reproof(correction, self.prover)
            if agent.holds():
                yield self._run(agent)

    def _run(self, agent: Agent) -> RunReport:
        return run_agent(self.prover.history, self.records, agent, self.prover.now, slot=self.slot)


def _waiting(store: MessageStore, names: Names) -> Iterator[Signal]:
    """Yield what triage flagged, as it was said."""
    for message in in_order(store.to_validate(AT_ONCE)):
        yield signal_of(store, message, names.in_letters_of(USER))


def in_order(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Return messages as they were said: what is set right twice ends as it was said last."""
    return sorted(messages, key=lambda message: message.sent_at)
