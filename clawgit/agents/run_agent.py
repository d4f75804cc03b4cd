"""One run of one agent: view, plan, guards, one change; and a record of it, whatever came of it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import Planned
from clawgit.agents.models.model import ModelError
from clawgit.agents.proven_questions import CORRECTING, Regressions
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import APPLIED, PROPOSED, REPEATED, Recorded, apply_plan
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.op_lookup import find_op
from clawgit.history.authorship.pause import paused_since
from clawgit.history.guards.check import GuardError
from clawgit.history.review.keep import Kept
from clawgit.plan import Plan
from clawgit.workspace.records.records import RunNote, RunOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.agents.agent import Agent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.records.records import Records

ID_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What an agent would do about one piece of its work."""

    input_id: str
    planned: Planned


@dataclass(frozen=True, slots=True)
class RunReport:
    """What became of a run: its record, what it planned last, and what was kept on the way.

    ``settled``: trying it again is of no use; else it was not its turn (paused, busy, an edit in the way), or a model
    gave nothing that could be used.
    """

    note: RunNote
    planned: Planned
    kept: Kept
    settled: bool = True


def run_agent(
    history: History, records: Records, agent: Agent, now: datetime, *, slot: str = ""
) -> RunReport:
    """Let ``agent`` make its one change, and record the run; the same input never makes a second change.

    What the agent or a guard refuses is an outcome, not an error.

    Raises:
        Exception: A bug in the agent, or a failing disk; the run is recorded as failed before it is raised.
    """
    note = _begun(agent, now, slot)
    if not agent.input_id:
        return _ended(records, note._replace(reason="There was nothing to work on."), Planned())
    asked = _Asked(agent, Regressions(history, records, now))
    intent = Intent(note.op, agent.name, now, note.run_id, slot, agent.trust, given=True)
    try:
        done = apply_plan(history, asked, intent)
    except ClawgitError as error:
        refused = note._replace(outcome=RunOutcome.REFUSED, reason=str(error))
        report = _ended(records, refused, asked.last)
        return replace(report, settled=_lies_in_quarantine(error))
    except BaseException as error:
        _ended(records, note._replace(outcome=RunOutcome.FAILED, reason=_told(error)), asked.last)
        raise
    note = _outcome(note, done, asked.last)
    reason = "; ".join(filter(None, (note.reason, agent.after(note))))
    note = note._replace(reason=reason or ("" if note.commit_id else "There was nothing to change."))
    return _ended(records, note, asked.last, done.kept)


@contextmanager
def noting_failure(records: Records, agent: Agent, now: datetime, slot: str) -> Iterator[None]:
    """Record a run as failed where it fails, or somebody interrupts it, before it is begun."""
    try:
        yield
    except BaseException as error:
        failed = _begun(agent, now, slot)._replace(outcome=RunOutcome.FAILED, reason=_told(error))
        _ended(records, failed, Planned())
        raise


def rehearse(history: History, agent: Agent) -> Planned:
    """Return what the agent would do now; nothing is written or recorded."""
    return agent.plan(history.tip().tree) if agent.input_id else Planned()


class _Asked:
    """The agent as a planner that remembers what it answered last."""

    def __init__(self, agent: Agent, regressions: Regressions) -> None:
        self._agent, self._regressions = agent, regressions
        self.last = Planned()

    def __call__(self, tree: Tree) -> Plan:
        try:
            self.last = self._agent.plan(tree)
        except ModelError as error:
            self.last = Planned(tokens=error.spent)
            raise
        plan, tokens = self.last.plan or Plan(""), self.last.tokens
        if self._agent.name != CORRECTING:
            self._regressions.refuse(plan, tree)
        if not tokens or not (plan.edits or plan.trailers):  # tokens alone are no reason for a commit
            return plan
        return plan._replace(trailers=(*plan.trailers, ("Clawgit-Tokens", str(tokens))))


def may_come_to_something(history: History, agent: Agent) -> bool:
    """Say whether a run of the agent would plan anything: it has input that nothing was made of, and is not paused."""
    op = _begun(agent, datetime.min.replace(tzinfo=UTC), "").op
    return bool(agent.input_id) and paused_since(history) is None and find_op(history, op) is None


def run_id_of(agent: Agent) -> str:
    """Return the id that a run of the agent over its input has."""
    return _begun(agent, datetime.min.replace(tzinfo=UTC), "").run_id


def _begun(agent: Agent, now: datetime, slot: str) -> RunNote:
    """Return the note of a run that has done nothing yet; op and id follow from the input."""
    digest = sha256(f"{agent.name}\0{agent.input_id}".encode("utf-8", "surrogatepass")).hexdigest()
    run_id = f"{agent.name}-{digest[:ID_LENGTH]}"
    return RunNote(run_id, agent.name, now, RunOutcome.NOTHING, slot=slot, op=f"run-{digest[:20]}")


def _outcome(note: RunNote, done: Recorded, planned: Planned) -> RunNote:
    note = note._replace(reason="; ".join(planned.left_out))
    if done.outcome == REPEATED:
        return note._replace(reason="This input was dealt with before.")
    if done.outcome == PROPOSED:
        reason = f"It needs the operator's approval: proposal {done.proposal}."
        return note._replace(outcome=RunOutcome.PROPOSED, reason=reason)
    if done.outcome != APPLIED:
        return note
    edits = len(planned.plan.edits) if planned.plan else 0
    said = (item.says for item in planned.items if item.correction)
    reason = "; ".join((*said, *planned.left_out))
    return note._replace(outcome=planned.outcome, commit_id=done.commit_id or "", edits=edits, reason=reason)


def _told(error: BaseException) -> str:
    return (
        "It was interrupted." if isinstance(error, KeyboardInterrupt) else f"{type(error).__name__}: {error}"
    )


def _lies_in_quarantine(error: ClawgitError) -> bool:
    return isinstance(error, GuardError) and bool(error.quarantine_id)


def _ended(records: Records, note: RunNote, planned: Planned, kept: Kept | None = None) -> RunReport:
    note = note._replace(tokens=planned.tokens)
    records.note_run(note)
    return RunReport(note, planned, kept or Kept())
