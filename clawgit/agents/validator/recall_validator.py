"""The recall validator: what one message of the operator's corrects, asks or notes; a model reads it, or rules do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clawgit.agents.added_entry import with_added
from clawgit.agents.agent import Item, Planned
from clawgit.agents.authorised_edits import Authority, EvidenceEdit, Outcome, authorised, is_his
from clawgit.agents.correction_plans import TIME, day_entries, plan_of, remembered
from clawgit.agents.external_handler import call_handler, handler_of, why_not_run
from clawgit.agents.validator.dealt_with import DealtWith, dealt_with
from clawgit.agents.validator.model_corrections import Answered
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.corrections.verdicts import HIGH, Verdict
from clawgit.memory.corrections.write_correction import open_item, shortened, write_down
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Evidence
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.judge_message import judge
from clawgit.understanding.evidence.check_edit import Proposal
from clawgit.understanding.facts.first_person import as_remembered
from clawgit.understanding.facts.keepable_sentences import is_forbidden, standing_order_in
from clawgit.understanding.facts.same_statement import Relation, Statements
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from clawgit.agents.correction_plans import Prover
    from clawgit.agents.validator.heard_messages import Signal
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.verdicts import Held
    from clawgit.memory.corrections.write_correction import Remembered, WrittenDown
    from clawgit.workspace.records.records import RunNote

NAME = "recall-validator"
NOT_HIS = "These are not the operator's own words, so they correct nothing."
_OUTCOMES = {
    Status.APPLIED: RunOutcome.APPLIED,
    Status.OPEN: RunOutcome.ASKS,
    Status.LOGGED: RunOutcome.NOTED,
}
_ORDER = (RunOutcome.APPLIED, RunOutcome.ASKS, RunOutcome.NOTED)


@dataclass
class RecallValidator:
    """The agent for one signal; ``answer`` is what a model made of it.

    After planning, ``made`` tells what came of it: each correction as it is written down.
    """

    signal: Signal
    prover: Prover
    store: MessageStore
    answer: Answered = field(default_factory=Answered)
    name: str = NAME
    trust: str = OPERATOR
    made: tuple[WrittenDown, ...] = ()
    is_planned: bool = False

    @property
    def input_id(self) -> str:
        """Return the message's id: the same message is dealt with once."""
        return self.signal.evidence_id

    @property
    def is_his(self) -> bool:
        """Say whether the message is the operator's own, and says something in his own words."""
        return is_his(self.signal.message) and bool(self.signal.told)

    def plan(self, tree: Tree) -> Planned:
        """Return what the message corrects, asks or notes; nothing leaves no trace in the ledger."""
        self.is_planned = True
        why_not = () if self.is_his else (NOT_HIS,)
        found = _Found(tree, remembered(tree), dealt_with(tree, self.input_id))
        if not why_not:
            self._judge(found)
        self.made = tuple(found.written)
        left_out = tuple(filter(None, (*why_not, self.answer.note, *found.left_out)))
        if not self.made:
            return Planned(left_out=left_out, tokens=self.answer.tokens)
        items = tuple(map(_item, self.made))
        outcome = next(each for each in _ORDER if any(item.outcome is each for item in items))
        plan = plan_of(self.made, (Evidence(self.input_id, self.signal.told),))
        return Planned(plan, left_out, self.answer.tokens, items, outcome)

    def _judge(self, found: _Found) -> None:
        """Take what the model proposes, each edit by itself; what it left or the check refused, rules read."""
        memory = found.memory
        edits = sorted(self.answer.edits, key=lambda edit: not self._outcome(edit, memory).is_right)
        refused = [edit for edit in edits if not self._try(edit, found)]
        is_settled = self.answer.is_settled and not refused
        if is_settled and found.written:
            return
        entries = memory.entries()
        verdict = judge(found.dealt_with.rest(self.signal.exchange(), entries), entries)
        for held, statement in verdict.wrong:
            if not found.has(held.parts.statement):
                self._try(EvidenceEdit(_named(held), statement, self.signal.message.chat_id), found)
        if is_settled or verdict.wrong or found.written:
            return
        if verdict.asks is not None:
            if not found.dealt_with.has(verdict.asks[0]):
                found.add(open_item(self._note(), *verdict.asks, found.memory, self.input_id))
        elif verdict.correct and not found.dealt_with.known:
            if standing_order_in(verdict.correct) or is_forbidden(verdict.correct):
                found.add(write_down(verdict, self._note(), found.memory, self.input_id))
            else:
                self._remember(verdict.correct, found)

    def _try(self, edit: EvidenceEdit, found: _Found) -> bool:
        """Set an entry right, or ask, as far as the message carries it; say whether either is done, once for an entry."""
        outcome = self._outcome(edit, found.memory)
        if outcome.written is not None and not found.has(outcome.written.correction.said):
            found.add(self.prover.proven(outcome.written))
            return True
        if outcome.objection is not None:
            found.left_out.append(outcome.objection.says)
        return outcome.written is not None or outcome.known is not None

    def _remember(self, statement: str, found: _Found) -> None:
        """Make what he says an entry, where none speaks of it; what a dated note says instead is corrected by that."""
        authority = Authority(self.prover.history, self.store, self.prover.now)
        objection = authority.objection(Proposal("", statement, ""), self.signal.message)
        if objection is not None:
            found.left_out.append(objection.says)
            return
        right = as_remembered(statement)
        entries = found.memory.entries()
        known = Statements(held.parts.statement for held in entries).like(right, by_overlap=False)
        if known and known[0][1] is Relation.SAME:
            found.left_out.append(f"{_named(entries[known[0][0]])} says so already.")
            return
        noted = judge(self.signal.exchange(), day_entries(found.tree))
        said = noted.wrong[0][0].parts.statement if noted.wrong else ""
        held, data = with_added(found.tree, right, self.prover.now.date(), self.input_id)
        memory = replace(found.memory, now={**found.memory.now, held.path: data})
        verdict = Verdict(Status.APPLIED, said, right, right=(held,))
        found.add(self.prover.proven(write_down(verdict, self._note(), memory, self.input_id)))

    def _outcome(self, edit: EvidenceEdit, memory: Remembered) -> Outcome:
        authority = Authority(self.prover.history, self.store, self.prover.now)
        return authorised(edit, memory, authority, self.input_id)

    def _note(self) -> Correction:
        at = self.signal.message.sent_at.astimezone(self.prover.now.tzinfo).strftime(TIME)
        told, sure = shortened(folded(self.signal.told)), self.signal.confidence
        return Correction("", at, told, sure, evidence=(self.input_id,))

    def _is_known(self) -> bool:
        return bool(dealt_with(self.prover.history.tip().tree, self.input_id).known)

    def after(self, note: RunNote) -> str:
        """Keep the questions of what was proven; tell the operator's program of what memory has nothing of."""
        for written in self.made if note.commit_id else ():
            self.prover.keep(written.correction, written.before)
        is_beside = note.outcome is RunOutcome.NOTHING and self.signal.confidence == HIGH
        if not (is_beside and self.is_planned and self.is_his) or self._is_known():
            return ""
        argv = handler_of(self.prover.history)
        if not argv:
            return why_not_run(self.prover.history)
        said = self.signal.exchange().before
        told = {"id": self.input_id, "text": self.signal.message.text, "said": said[0] if said else ""}
        return call_handler(argv, told, self.prover.history.root).told()


@dataclass
class _Found:
    """What came of a message so far, memory as it reads by then, and what was left out."""

    tree: Tree
    memory: Remembered
    dealt_with: DealtWith
    written: list[WrittenDown] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def has(self, statement: str) -> bool:
        """Say whether an entry of that statement was corrected, or asked about: a message changes one once."""
        return shortened(statement) in {each.correction.said for each in self.written}

    def add(self, written: WrittenDown) -> None:
        """Take one correction more."""
        self.memory = self.memory.having(written)
        self.written.append(written)
        self.left_out += written.notes


def _named(held: Held) -> str:
    return held.entry.entry_id or held.parts.statement


def _item(written: WrittenDown) -> Item:
    known = written.correction
    entry = next(iter((*known.corrects, *known.may_correct)), "")
    return Item(
        _OUTCOMES[known.status],
        f"x:{known.correction_id}",
        entry and f"m:{entry}",
        known.said,
        known.proposed or known.correct,
    )
