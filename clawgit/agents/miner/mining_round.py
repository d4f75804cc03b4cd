"""The miner's round: one run for each trust, the operator's words first; each is one change or none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.agents.authorised_edits import Authority, EvidenceEdit, is_his
from clawgit.agents.correction_plans import Prover
from clawgit.agents.miner.memory_miner import NAME, Beside, Found, MemoryMiner
from clawgit.agents.miner.mined_material import (
    Share,
    Waiting,
    cited_as,
    recent_notes,
    said_at,
    session_of,
    waits_for_validator,
)
from clawgit.agents.miner.model_miner import ask_miner, talk_around
from clawgit.agents.models.model import ModelError
from clawgit.agents.proven_questions import Regressions
from clawgit.agents.run_agent import (
    Rehearsed,
    may_come_to_something,
    noting_failure,
    rehearse,
    run_agent,
    run_id_of,
)
from clawgit.agents.validator.heard_messages import signal_of
from clawgit.agents.validator.model_corrections import Answered
from clawgit.agents.validator.recall_validator import RecallValidator
from clawgit.capture.messages.open_messages import open_messages
from clawgit.context.injected_text import InjectedText
from clawgit.history.provenance.corrections_in_force import read_known_corrections
from clawgit.history.provenance.evidence_cited import read_cited
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.plan import MESSAGE
from clawgit.understanding.evidence.own_sentences import denied
from clawgit.understanding.patterns.own_words import own_words
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clawgit.agents.agent import Agent
    from clawgit.agents.models.ask_model import Asker, Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.evidence_cited import Cited
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import Records


AT_ONCE = 20_000  # messages
LEFT_FOR = timedelta(days=30)  # that what rules took nothing of waits for a model
LEFT_AT_ONCE = 2_000


def mine(history: History, now: datetime, *, slot: str = "", askers: Askers | None = None) -> list[RunReport]:
    """Mine what is pending, by rules or with the model that ``askers`` gives for a run; stop where it may not write.

    Messages of which something became memory, or that a model read, are mined for good; what only the rules read, and took
    nothing of, is left for a model that comes later.
    """
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        reports: list[RunReport] = []
        for share in round_.shares():
            miner, tree = round_.miner(share), history.tip().tree
            is_new = may_come_to_something(history, miner)
            with noting_failure(records, miner, now, slot):
                miner = round_.asked(miner) if is_new else miner
            reports.append(run_agent(history, records, miner, now, slot=slot))
            own = reports[-1]
            if not own.settled:
                break
            more = round_.superseding(miner, tree) if is_new else []
            reports += (run_agent(history, records, each, now, slot=slot) for each in more)
            again = round_.heard_too_early(share) if own.note.commit_id else []
            reports += (run_agent(history, records, each, now, slot=slot) for each in again)
            round_.mark(miner, own.note.run_id, is_new=is_new)
        return reports


def rehearse_mining(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `mine` would do with each share by itself; nothing is written or recorded."""
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        agents: list[Agent] = []
        for miner in map(round_.asked, map(round_.miner, round_.shares())):
            agents += (miner, *round_.superseding(miner, history.tip().tree))
        return [Rehearsed(agent.trust, rehearse(history, agent)) for agent in agents]


def held_back(history: History, now: datetime) -> int:
    """Return how many messages the miner leaves to the recall validator for now."""
    with open_messages(history, now) as store:
        return sum(waits_for_validator(each, now) for each in store.to_mine(AT_ONCE))


@dataclass(frozen=True, slots=True)
class _Round:
    history: History
    records: Records
    store: MessageStore
    now: datetime
    askers: Askers | None = None
    _cited: dict[str, Cited] = field(default_factory=dict)  # by the tip

    @property
    def authority(self) -> Authority:
        """Return what decides whether a message carries an edit."""
        return Authority(self.history, self.store, self.now)

    def cited(self) -> Cited:
        """Return what the history cites, read once for each tip."""
        tip = self.history.tip().commit_id or ""
        if tip not in self._cited:
            self._cited[tip] = read_cited(self.history)
        return self._cited[tip]

    def shares(self) -> list[Share]:
        """Return what is pending, by trust, the operator's first; what history cites already is only marked as read."""
        cited = self.cited().every
        messages = self.store.to_mine(AT_ONCE)
        if self.askers is not None:
            messages += self.store.left_by_rules(self.now - LEFT_FOR, LEFT_AT_ONCE)
        notes = recent_notes(self.history, self.now.date())
        named = (each.rpartition(":")[2].casefold() for each in self.history.settings.operator_ids)
        return Waiting(
            [each for each in messages if not waits_for_validator(each, self.now)],
            [line for line in notes if f"{line.path}:{line.number}" not in cited],
            cited | answered_otherwise(messages),
            self.store.operators().union(named),
            self.now.tzinfo,
            model=self.askers is not None,
            injected=InjectedText(self.history, self.records.receipts, self.now.tzinfo),
        ).shares()

    def miner(self, share: Share) -> MemoryMiner:
        """Return the agent for a share."""
        beside = Beside(
            self._corrections(),
            self._sessions_of,
            Regressions(self.history, self.records, self.now).refuse,
            corrected=self.cited().corrected,
            cited=lambda: read_cited(self.history).every,
        )
        return MemoryMiner(share, beside)

    def asked(self, miner: MemoryMiner) -> MemoryMiner:
        """Return the miner with what a model finds in its share, where there is one: nobody waits for the workspace meanwhile."""
        is_for_model = bool(miner.share.asked) and self.askers is not None
        asker = self.askers(run_id_of(miner)) if is_for_model and self.askers else None
        return miner if asker is None else replace(miner, found=self._found(asker, miner.share))

    def superseding(self, miner: MemoryMiner, tree: Tree) -> list[RecallValidator]:
        """Return the agents for what wants the place of entries of a tree: its message decides, as in any correction."""
        edits: dict[str, list[EvidenceEdit]] = {}
        for entry, said in miner.superseding(tree):
            chat_id = said.evidence_id.removeprefix(MESSAGE)
            edits.setdefault(chat_id, []).append(EvidenceEdit(entry, said.statement, chat_id, said.quote))
        found = [(message, edits[chat_id]) for chat_id in edits if (message := self.store.get(chat_id))]
        prover = Prover(self.history, self.now)
        return [
            RecallValidator(
                signal_of(self.store, message), prover, self.store, Answered(tuple(wanted), is_settled=True)
            )
            for message, wanted in found
        ]

    def heard_too_early(self, share: Share) -> list[RecallValidator]:
        """Return the agents for messages that the validator read before what they correct was in memory.

        What came of them then is left out, as whenever a message is read once more.
        """
        said = (self.store.get(each.removeprefix(MESSAGE)) for each in share.read if each.startswith(MESSAGE))
        heard = [
            each for each in said if each and is_his(each) and each.signal.validator and each.validated_in
        ]
        prover = Prover(self.history, self.now)
        return [RecallValidator(signal_of(self.store, each), prover, self.store) for each in heard]

    def mark(self, miner: MemoryMiner, run_id: str, *, is_new: bool) -> None:
        """Note what a run read: what a model may still make something of is not mined, but read."""
        share, found = miner.share, miner.wanted
        left = frozenset[str]()
        if is_new and not found.is_answered:
            left = share.readable - {each.evidence_id for each in found.candidates}
            left -= share.again if found.is_spent else frozenset()
        read = {each for each in share.read if each.startswith(MESSAGE)}
        self.store.mark_mined((each.removeprefix(MESSAGE) for each in read - left), run_id)
        self.store.mark_read((each.removeprefix(MESSAGE) for each in left), run_id)

    def _found(self, asker: Asker, share: Share) -> Found:
        """Return what a model finds in the messages of a share; rules read the notes, and what it did not settle.

        That is all, where it gives no answer of use; else what it was refused, and what the operator ordered.
        """
        left_out = share.left_out
        try:
            talk = talk_around(share.asked, self.authority)
            answered = ask_miner(asker, prompt_in_force(self.history, NAME), talk, self.authority)
        except ModelError as error:
            notes = (f"Rules did it: {error.message}", *left_out.values())
            is_spent = bool(error.reached or error.spent)
            return Found(share.candidates, error.spent, notes, is_spent=is_spent)
        settled = {each.evidence_id for each in answered.candidates}
        refused = {evidence for evidence, _ in answered.refused}
        by_rules = (
            each
            for each in share.candidates
            if not each.evidence_id.startswith(MESSAGE)
            or (each.evidence_id not in settled and (each.evidence_id in refused or each.is_ordered))
        )
        saved = f"The model had answered this before, for {asker.saved:,} tokens." if asker.saved else ""
        orders = (says for evidence, says in left_out.items() if evidence not in settled)
        notes = tuple(filter(None, (saved, *(says for _, says in answered.refused), *orders)))
        in_order = sorted((*answered.candidates, *by_rules), key=lambda each: each.at)
        return Found(tuple(in_order), asker.spent, notes, is_answered=True)

    def _sessions_of(self, entry_id: str) -> frozenset[str]:
        """Return in which sessions an entry was said, by what its words and mentions rest on."""
        cited = self.cited().by_entry.get(entry_id, ())
        found = (self.store.get(each.removeprefix(MESSAGE)) for each in cited if each.startswith(MESSAGE))
        return frozenset(session_of(message, self.now.tzinfo) for message in found if message is not None)

    def _corrections(self) -> tuple[Correction, ...]:
        with open_fold(self.history.state) as fold:
            renew_fold(self.history, fold)
            known = read_known_corrections(self.history, fold)
        return tuple(self._as_said(each.correction) for each in known if each.counts)

    def _as_said(self, known: Correction) -> Correction:
        """Return a correction with the time of its message, where that is known: the ledger's is that of a run."""
        found = (self.store.get(each.removeprefix(MESSAGE)) for each in known.evidence[:1])
        message = next(found, None)
        return known if message is None else known._replace(at=said_at(message, self.now.tzinfo))


def answered_otherwise(messages: Iterable[ChatMessage]) -> frozenset[str]:
    """Return the agent's messages, as they are cited, to which the operator's next one says that something is not so."""
    talks: dict[tuple[str, str], list[ChatMessage]] = {}
    for message in sorted(messages, key=lambda each: each.sent_at):
        talks.setdefault((message.channel, message.conversation), []).append(message)
    return frozenset(
        cited_as(said)
        for talk in talks.values()
        for said, answer in pairwise(talk)
        if said.role == "assistant" and is_his(answer) and _denies(answer)
    )


def _denies(answer: ChatMessage) -> bool:
    return answer.signal.validator is not None or any(map(str.strip, denied(own_words(answer.text))))
