"""The recall validator: one message of the operator's that corrects the agent becomes one correction, or none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.agents.agent import Planned
from clawgit.agents.correction_plans import TIME, plan_of, remembered
from clawgit.agents.external_handler import call_handler, handler_of
from clawgit.capture.message_store import Asked
from clawgit.capture.messages import OPERATOR
from clawgit.capture.triage.own_words import own_words
from clawgit.history.ledgers import standing_corrections
from clawgit.memory.correcting import shortened, write_down
from clawgit.memory.corrections import Correction, Status
from clawgit.memory.same_subject import ALIKE
from clawgit.memory.validation import Exchange, Verdict, judge
from clawgit.plan import Evidence
from clawgit.text.control import folded
from clawgit.text.similarity import likeness
from clawgit.workspace.records import RunOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clawgit.agents.correction_plans import Prover
    from clawgit.capture.message_store import MessageStore
    from clawgit.capture.messages import ChatMessage
    from clawgit.history.trees import Tree
    from clawgit.memory.correcting import WrittenDown
    from clawgit.recall.proof import Proof
    from clawgit.workspace.records import RunNote

NAME = "recall-validator"
LOOKED_BACK = (60, 5000)  # messages of one conversation
ANSWERS = 4  # of the agent's among them
NOT_HIS = "These are not the operator's own words, so they correct nothing."


@dataclass(frozen=True, slots=True)
class Signal:
    """A message that triage flagged, and what the agent said before it, the latest first."""

    message: ChatMessage
    before: tuple[ChatMessage, ...] = ()

    @property
    def evidence_id(self) -> str:
        """Return the id by which the message is cited."""
        return f"chat:{self.message.chat_id}"

    def exchange(self, since: Mapping[str, str]) -> Exchange:
        """Return what was said, each side in its own words: what either quotes says nothing."""
        told = own_words(self.message.text)
        before = tuple(own_words(each.text) for each in self.before)
        return Exchange(told, self.message.signal.validator or "", before, since)

    def evidence(self, said: str) -> tuple[Evidence, ...]:
        """Return the message and the one that it sets right."""
        of = next((each for each in self.before if said and said in folded(each.text)), None)
        answered = [of or self.before[0]] if self.before else []
        told = Evidence(self.evidence_id, own_words(self.message.text))
        quote = said if of is not None else ""
        return (told, *(Evidence(f"chat:{each.chat_id}", quote or each.text) for each in answered))


def signal_of(store: MessageStore, message: ChatMessage) -> Signal:
    """Return a message with what the agent said before it in the same session."""
    until = message.sent_at + timedelta(milliseconds=1)
    for limit in LOOKED_BACK:  # more where many have one time
        asked = Asked(
            message.channel, message.conversation, message.session or None, until=until, limit=limit
        )
        found = store.log(asked)
        at = next((at for at, each in enumerate(found) if each.chat_id == message.chat_id), None)
        if at is not None:
            answers = [each for each in reversed(found[:at]) if each.role == "assistant"]
            return Signal(message, tuple(answers[:ANSWERS]))
    return Signal(message)


@dataclass
class RecallValidator:
    """The agent for one signal; ``now`` is in the workspace's zone.

    After planning, ``written`` and ``proof`` tell what came of it, and ``verdict`` what it was taken for.
    """

    signal: Signal
    prover: Prover
    now: datetime
    name: str = NAME
    trust: str = OPERATOR
    verdict: Verdict | None = None
    written: WrittenDown | None = None
    proof: Proof | None = None

    @property
    def input_id(self) -> str:
        """Return the message's id: the same message is dealt with once."""
        return self.signal.evidence_id

    def plan(self, tree: Tree) -> Planned:
        """Return the correction that the message makes, with the entries that it sets right."""
        message = self.signal.message
        if message.trust != OPERATOR or message.role != "user" or not message.is_operator:
            return Planned(left_out=(NOT_HIS,))
        memory = remembered(tree)
        at = message.sent_at.astimezone(self.now.tzinfo)
        exchange = self.signal.exchange(_set_right_until(tree, at.strftime(TIME)))
        verdict = judge(exchange, memory.entries())
        self.verdict = _unless_later(verdict, tree, at.strftime(TIME))
        note = Correction(
            "",
            at.strftime(TIME),
            shortened(folded(exchange.told)),
            message.signal.validator or "",
        )
        written = write_down(self.verdict, note, memory, self.signal.evidence_id, self.now.date())
        self.written, self.proof = self.prover.proven(written)
        why_not = () if self.proof is None or self.proof.holds else (self.proof.why_not,)
        return Planned(
            plan_of(self.written, self.signal.evidence(self.verdict.said)), (*written.notes, *why_not)
        )

    def after(self, note: RunNote) -> str:
        """Keep the queries of a correction that was proven; tell the operator's program of what is no memory."""
        if note.outcome is not RunOutcome.APPLIED or self.written is None or self.verdict is None:
            return ""
        if self.written.correction.re_embedded:
            self.prover.keep(self.prover.claim(self.written.correction, self.written.before))
        argv = handler_of(self.prover.history) if self.verdict.is_capability else ()
        if not argv:
            return ""
        message = self.signal.message
        told = {"id": self.input_id, "text": message.text, "said": self.verdict.said}
        return call_handler(argv, told, self.prover.history.root).told()


def _set_right_until(tree: Tree, at: str) -> dict[str, str]:
    """Return what the operator had set right by then, as it was and as it is: he speaks of the latter now."""
    known = sorted(standing_corrections(tree).values(), key=lambda each: each.at)
    return {
        each.said.casefold(): each.correct for each in known if each.holds and each.said and each.at <= at
    }


def _unless_later(verdict: Verdict, tree: Tree, at: str) -> Verdict:
    """Return the verdict, or that nothing is to be done where the operator set the same right again since."""
    about = {held.entry.entry_id for held in (*(held for held, _ in verdict.wrong), *verdict.right)}
    newer = next(
        (
            each
            for each in standing_corrections(tree).values()
            if each.holds
            and each.at > at
            and (about.intersection(each.corrects) or likeness(each.said, verdict.said) >= ALIKE)
        ),
        None,
    )
    if newer is None:
        return verdict
    return Verdict(
        Status.LOGGED, verdict.said, note=f"x:{newer.correction_id} set the same right later, and stays."
    )
