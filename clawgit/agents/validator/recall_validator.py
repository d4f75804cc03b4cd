"""The recall validator: one message of the operator's that corrects the agent becomes one correction, or none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.agents.agent import Planned
from clawgit.agents.correction_plans import TIME, plan_of, remembered
from clawgit.agents.external_handler import call_handler, handler_of, why_not_run
from clawgit.capture.messages.message_store import Asked
from clawgit.history.provenance.trust_lookup import corrections_held
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.corrections.verdicts import Exchange, Verdict
from clawgit.memory.corrections.write_correction import shortened, write_down
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE, Evidence
from clawgit.text.comparing.similarity import likeness
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.multiple_corrections import judge_each
from clawgit.understanding.corrections.same_subject import ALIKE
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.quoting.letters import without_letter
from clawgit.understanding.quoting.pasted_texts import before_another
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.agents.correction_plans import Prover
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.write_correction import Remembered, WrittenDown
    from clawgit.workspace.records.records import RunNote

NAME = "recall-validator"
LOOKED_BACK = (60, 5000)  # messages of one conversation
ANSWERS = 4  # of the agent's among them
NOT_HIS = "These are not the operator's own words, so they correct nothing."


@dataclass(frozen=True, slots=True)
class Signal:
    """A message that triage flagged, and what the agent said before it, the latest first.

    A letter in it that bears none of the names that are ``ours`` is somebody else's.
    """

    message: ChatMessage
    before: tuple[ChatMessage, ...] = ()
    ours: frozenset[str] = frozenset()

    @property
    def evidence_id(self) -> str:
        """Return the id by which the message is cited."""
        return f"{MESSAGE}{self.message.chat_id}"

    @property
    def confidence(self) -> str:
        """Return how sure triage is that something is set right."""
        return self.message.signal.validator or ""

    @property
    def told(self) -> str:
        """Return what the sender says himself: no quoted mail, and no letter or chat that he pasted."""
        return before_another(without_letter(own_words(self.message.text), self.ours)).strip()

    def exchange(self, since: Mapping[str, str]) -> Exchange:
        """Return what was said, each side in its own words: what either quotes says nothing."""
        before = tuple(own_words(each.text) for each in self.before)
        return Exchange(self.told, self.confidence, before, since)

    def evidence(self, said: Iterable[str]) -> tuple[Evidence, ...]:
        """Return the message and those that it sets right."""
        told = Evidence(self.evidence_id, self.told)
        answered = dict(self._answered(each) for each in said) if self.before else {}
        return (told, *(Evidence(f"{MESSAGE}{chat_id}", quote) for chat_id, quote in answered.items()))

    def _answered(self, said: str) -> tuple[str, str]:
        """Return the message in which something was said, and these words; else the last one, and all of its words."""
        of = next((each for each in self.before if said and said in folded(each.text)), None)
        return (self.before[0].chat_id, self.before[0].text) if of is None else (of.chat_id, said)


def signal_of(store: MessageStore, message: ChatMessage, ours: frozenset[str]) -> Signal:
    """Return a message with what the agent said before it in the same session."""
    answers = [each for each in reversed(spoken_before(store, message)) if each.role == "assistant"]
    return Signal(message, tuple(answers[:ANSWERS]), ours)


def spoken_before(
    store: MessageStore, message: ChatMessage, looked_back: Sequence[int] = LOOKED_BACK
) -> list[ChatMessage]:
    """Return the latest messages of the same session before a message, in their order."""
    until = message.sent_at + timedelta(milliseconds=1)
    for limit in looked_back:  # more where many have one time
        asked = Asked(
            message.channel, message.conversation, message.session or None, until=until, limit=limit
        )
        found = store.log(asked)
        at = next((at for at, each in enumerate(found) if each.chat_id == message.chat_id), 0)
        if at:
            return found[:at]
    return []


@dataclass
class RecallValidator:
    """The agent for one signal; ``now`` is in the workspace's zone.

    After planning, ``made`` tells what came of it: what the message was taken for, and how that is written down.
    """

    signal: Signal
    prover: Prover
    now: datetime
    name: str = NAME
    trust: str = OPERATOR
    made: tuple[tuple[Verdict, WrittenDown], ...] = ()

    @property
    def input_id(self) -> str:
        """Return the message's id: the same message is dealt with once."""
        return self.signal.evidence_id

    def plan(self, tree: Tree) -> Planned:
        """Return the corrections that the message makes, with the entries that it sets right."""
        message = self.signal.message
        if (
            message.trust != OPERATOR
            or message.role != "user"
            or not message.is_operator
            or not self.signal.told
        ):
            return Planned(left_out=(NOT_HIS,))
        note = Correction("", self._at, shortened(folded(self.signal.told)), self.signal.confidence)
        memory = remembered(tree)
        made, left_out = [], []
        for verdict in self._verdicts(tree, memory):
            written, why_not = self._proven(write_down(verdict, note, memory, self.input_id))
            memory = memory.having(written)
            made.append((verdict, written))
            left_out += [*written.notes, *why_not]
        self.made = tuple(made)
        if not made:
            return Planned()
        evidence = self.signal.evidence(verdict.said for verdict, _ in made)
        return Planned(plan_of([written for _, written in made], evidence), tuple(left_out))

    def _verdicts(self, tree: Tree, memory: Remembered) -> list[Verdict]:
        held, at = self._held(tree), self._at
        exchange = self.signal.exchange(_set_right_until(held, at))
        return [_unless_later(each, held, at) for each in judge_each(exchange, memory.entries())]

    def _held(self, tree: Tree) -> list[Correction]:
        return list(corrections_held(self.prover.history, tree).values())

    @property
    def _at(self) -> str:
        return self.signal.message.sent_at.astimezone(self.now.tzinfo).strftime(TIME)

    def _proven(self, written: WrittenDown) -> tuple[WrittenDown, tuple[str, ...]]:
        proven, proof = self.prover.proven(written)
        return proven, () if proof is None or proof.holds else (proof.why_not,)

    def after(self, note: RunNote) -> str:
        """Keep the queries of what was proven; tell the operator's program of what is no memory."""
        if note.outcome is not RunOutcome.APPLIED:
            return ""
        for _, written in self.made:
            if written.correction.re_embedded:
                self.prover.keep(self.prover.claim(written.correction, written.before))
        capability = next((verdict for verdict, _ in self.made if verdict.is_capability), None)
        argv = handler_of(self.prover.history) if capability is not None else ()
        if capability is None or not argv:
            return "" if capability is None else why_not_run(self.prover.history)
        told = {"id": self.input_id, "text": self.signal.message.text, "said": capability.said}
        return call_handler(argv, told, self.prover.history.root).told()


def _set_right_until(held: Iterable[Correction], at: str) -> dict[str, str]:
    """Return what the operator had set right by then, as it was and as it is: he speaks of the latter now."""
    known = sorted(held, key=lambda each: each.at)
    return {
        each.said.casefold(): each.correct for each in known if each.holds and each.said and each.at <= at
    }


def _unless_later(verdict: Verdict, held: Iterable[Correction], at: str) -> Verdict:
    """Return the verdict, or that nothing is to be done where the operator set the same right again since."""
    about = {each.entry.entry_id for each in (*(each for each, _ in verdict.wrong), *verdict.right)}
    newer = next(
        (
            each
            for each in held
            if each.holds
            and each.at > at
            and (about.intersection(each.corrects) or _sets_the_same_right(each, verdict))
        ),
        None,
    )
    if newer is None:
        return verdict
    return Verdict(
        Status.LOGGED, verdict.said, note=f"x:{newer.correction_id} set the same right later, and stays."
    )


def _sets_the_same_right(known: Correction, verdict: Verdict) -> bool:
    """Say whether the same was said of the same: what either leaves as it was stands in the other too."""
    stays, here = (
        subject(known.said) & subject(known.correct),
        subject(verdict.said) & subject(verdict.correct),
    )
    is_one = stays <= subject(verdict.said) and here <= subject(known.said)
    return is_one and likeness(known.said, verdict.said) >= ALIKE
