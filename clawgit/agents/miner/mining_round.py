"""The miner's round: one run for each trust, the operator's words first; each is one change or none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.agents.authorised_edits import Authority, turns_before
from clawgit.agents.candidate_entries import candidates
from clawgit.agents.correction_plans import Prover
from clawgit.agents.miner.memory_miner import NAME, Beside, Found, MemoryMiner
from clawgit.agents.miner.mined_material import (
    Share,
    by_operator,
    recent_notes,
    session_of,
    waits_for_validator,
)
from clawgit.agents.miner.mining_shares import Waiting
from clawgit.agents.miner.model_miner import Around, ask_miner
from clawgit.agents.miner.superseded_entry import SupersededEntry
from clawgit.agents.model_prompts import Material
from clawgit.agents.models.model import ModelError
from clawgit.agents.operator_names import names_of
from clawgit.agents.proven_questions import Regressions
from clawgit.agents.run_agent import Rehearsed, may_come_to_something, rehearse, run_agent, run_id_of
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.provenance.corrections_in_force import read_known_corrections
from clawgit.history.provenance.evidence_cited import read_cited
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.plan import MESSAGE
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.patterns.own_words import own_words
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime, tzinfo

    from clawgit.agents.agent import Agent
    from clawgit.agents.candidate_entries import Candidate as Near
    from clawgit.agents.miner.model_miner import Said
    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.run_agent import RunReport
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.evidence_cited import Cited
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import Records

    Askers = Callable[[str], Asker | None]


AT_ONCE = 20_000  # messages
LEFT_FOR = timedelta(days=30)  # that what rules took nothing of waits for a model
LEFT_AT_ONCE = 2_000
TURNS = 4  # of both sides before a message, for a model
LONGEST_TURN = 600  # letters
_NEAR, _MOST_NEAR = 4, 20  # entries by a message, in a question
# What a person answers first who did not decide that.
_DENIES = lazy_pattern(
    r"\W*(?:(?:hm+|oh|wait|sorry|actually|well|but|um+|eh)\b\W*)*(?:(?:no(?! (?:problem|worries|objection))|nope|nah|wrong|not|never|nobody|who said|since when)\b"
    r"|(?:it|that|this)(?:['’]s| is| was|n['’]t| isn['’]t| wasn['’]t) (?:not|wrong)|i meant\b|(?:we|i) (?:never|(?:did|have|do)(?:n['’]t| not))\b|不(?![错錯客要])|[没沒错錯]|谁说|我没|아니|아뇨|틀렸)",
    re.IGNORECASE,
)


def mine(history: History, now: datetime, *, slot: str = "", askers: Askers | None = None) -> list[RunReport]:
    """Mine what waits, by rules or with the model that ``askers`` gives for a run; stop where it may not write.

    Messages of which something became memory, or that a model read, are mined for good; what only the rules read, and took
    nothing of, is left for a model that comes later.
    """
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        reports: list[RunReport] = []
        for share in round_.shares():
            miner, tree = round_.miner(share), history.tip().tree
            is_new = may_come_to_something(history, miner)
            miner = miner.with_answer() if is_new else miner
            own = [run_agent(history, records, miner, now, slot=slot)]
            if own[0].settled and is_new:
                own += (
                    run_agent(history, records, each, now, slot=slot)
                    for each in round_.superseding(miner, tree)
                )
            reports += own
            if not own[0].settled:
                break
            round_.mark(share, miner.found() if is_new else None, own[0].note.run_id)
        return reports


def rehearse_mining(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `mine` would do with each share by itself; nothing is written or recorded."""
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        miners = [round_.miner(share).with_answer() for share in round_.shares()]
        agents: list[Agent] = []
        for miner in miners:
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

    def cited(self) -> Cited:
        """Return what the history cites, read once for each tip."""
        tip = self.history.tip().commit_id or ""
        if tip not in self._cited:
            self._cited[tip] = read_cited(self.history)
        return self._cited[tip]

    def shares(self) -> list[Share]:
        """Return what waits, by trust, the operator's first; what history cites already is only marked as read."""
        cited = self.cited().every
        messages = self.store.to_mine(AT_ONCE)
        if self.askers is not None:
            messages += self.store.left_by_rules(self.now - LEFT_FOR, LEFT_AT_ONCE)
        return Waiting(
            [each for each in messages if not waits_for_validator(each, self.now)],
            [
                line
                for line in recent_notes(self.history, self.now.date())
                if f"{line.path}:{line.number}" not in cited
            ],
            cited,
            names_of(self.history, self.store),
            self.now.tzinfo,
            denied_in(messages),
            model=self.askers is not None,
        ).shares()

    def miner(self, share: Share) -> MemoryMiner:
        """Return the agent for a share."""
        regressions = Regressions(self.history, self.records, self.now)
        cited = self.cited()
        sessions = _Sessions(self, cited.by_entry)
        beside = Beside(
            self._corrections(),
            sessions.of,
            regressions.refuse,
            noted=cited.noted,
            cited=lambda: read_cited(self.history).every,
        )
        miner = MemoryMiner(share, beside)
        asker = None if self.askers is None or share.by_rules else self.askers(run_id_of(miner))
        if asker is None:
            return miner
        return replace(miner, beside=replace(beside, asked=partial(self._asked, asker)))

    def superseding(self, miner: MemoryMiner, tree: Tree) -> list[SupersededEntry]:
        """Return the agents for what wants the place of an entry of a tree."""
        wanted = miner.superseding(tree)
        authority, prover = Authority(self.history, self.store, self.now), Prover(self.history, self.now)
        return [SupersededEntry(entry_id, said, authority, prover) for entry_id, said in wanted]

    def mark(self, share: Share, found: Found | None, run_id: str) -> None:
        """Note what a run read: what a model may still make something of is not mined, but read."""
        read = {each for each in share.read if each.startswith(MESSAGE)}
        left = frozenset[str]()
        if found is not None and not found.is_answered:
            left = share.readable - {each.evidence_id for each in found.candidates}
            left -= share.again if found.is_spent else frozenset()
        self.store.mark_mined((each.removeprefix(MESSAGE) for each in read - left), run_id)
        self.store.mark_read((each.removeprefix(MESSAGE) for each in left), run_id)

    def _asked(self, asker: Asker, share: Share) -> Found:
        """Return what a model finds in the messages of a share; rules read the notes, and what it did not settle.

        That is all, where it gives no answer of use; what it was refused, and what the operator ordered.
        """
        left_out = share.left_out
        try:
            answered = ask_miner(asker, prompt_in_force(self.history, NAME), share.said, self._around(share))
        except ModelError as error:
            notes = (f"Rules did it: {error.message}", *left_out.values())
            is_spent = bool(error.reached or error.spent)
            return Found(share.candidates, error.spent, notes, is_spent=is_spent)
        settled = {each.evidence_id for each in answered.candidates}
        refused = {evidence for evidence, _ in answered.refused}
        by_rules = [
            each
            for each in share.candidates
            if not each.evidence_id.startswith(MESSAGE)
            or (each.evidence_id not in settled and (each.evidence_id in refused or each.is_ordered))
        ]
        saved = f"The model had answered this before, for {asker.saved:,} tokens." if asker.saved else ""
        orders = (says for evidence, says in left_out.items() if evidence not in settled)
        notes = tuple(filter(None, (saved, *(says for _, says in answered.refused), *orders)))
        talk = sorted((*answered.candidates, *by_rules), key=lambda each: each.place)
        return Found(tuple(talk), asker.spent, notes, is_answered=True)

    def _around(self, share: Share) -> Around:
        """Return both sides of the talk around the messages of a share, in order, and the entries nearest to them."""
        asked = {each.evidence_id: each for each in share.said}
        turns: dict[str, tuple[tuple[str, str, datetime], Material]] = {}
        near: dict[str, Near] = {}
        before: dict[str, tuple[str, ...]] = {}
        for said in share.said:
            message = self.store.get(said.evidence_id.removeprefix(MESSAGE))
            if message is None:
                continue
            before[said.evidence_id] = turns_before(self.store, message)
            for each in (*_spoken_before(self.store, message), message):
                evidence = f"{MESSAGE}{each.chat_id}"
                place = (each.channel, each.conversation, each.sent_at)
                turns[evidence] = (place, _turn(each, asked.get(evidence), self.now.tzinfo))
            for entry in candidates(self.history, said.text, before[said.evidence_id], self.now, most=_NEAR):
                if entry.entry_id and entry.score > near.get(entry.entry_id, entry._replace(score=-1)).score:
                    near[entry.entry_id] = entry
        nearest = sorted(near.values(), key=lambda each: -each.score)[:_MOST_NEAR]
        return Around(
            [turn for _, turn in sorted(turns.values(), key=lambda each: each[0])],
            [Material(f"m:{each.entry_id}", "memory", each.statement) for each in nearest],
            before,
        )

    def _corrections(self) -> tuple[Correction, ...]:
        with open_fold(self.history.state) as fold:
            renew_fold(self.history, fold)
            known = read_known_corrections(self.history, fold)
        return tuple(each.correction for each in known if each.counts)


def _spoken_before(store: MessageStore, message: ChatMessage) -> list[ChatMessage]:
    """Return what was said last before a message in its conversation, by either side."""
    until = message.sent_at + timedelta(milliseconds=1)
    wanted = Asked(
        message.channel, message.conversation, message.session or None, until=until, limit=3 * TURNS
    )
    spoken = [each for each in store.log(wanted) if each.role in ("user", "assistant")]
    at = next((at for at, each in enumerate(spoken) if each.chat_id == message.chat_id), len(spoken))
    return spoken[max(0, at - TURNS) : at]


def _turn(message: ChatMessage, asked: Said | None, zone: tzinfo | None) -> Material:
    """Return a message as a model reads it: one that is not asked about is there for context."""
    on = message.sent_at.astimezone(zone).date().isoformat()
    evidence = f"{MESSAGE}{message.chat_id}"
    if asked is not None:
        return Material(evidence, "User, the operator", asked.text, on)
    is_his = "User" if by_operator(message) else "somebody else"
    who = "Agent, the agent itself" if message.role == "assistant" else is_his
    return Material(evidence, f"{who}, for context", own_words(message.text)[:LONGEST_TURN], on)


class _Sessions:
    """In which sessions an entry was said, by what its words and mentions rest on."""

    def __init__(self, round_: _Round, by_entry: Mapping[str, frozenset[str]]) -> None:
        self._round = round_
        self._by_entry = by_entry
        self._known: dict[str, str] = {}

    def of(self, entry_id: str) -> frozenset[str]:
        """Return the sessions of an entry."""
        items = (item for item in self._by_entry.get(entry_id, ()) if item.startswith(MESSAGE))
        return frozenset(filter(None, map(self._session, items)))

    def _session(self, item: str) -> str:
        if item not in self._known:
            message = self._round.store.get(item.removeprefix(MESSAGE))
            zone = self._round.now.tzinfo
            self._known[item] = "" if message is None else session_of(message, zone)
        return self._known[item]


def denied_in(messages: Iterable[ChatMessage]) -> frozenset[str]:
    """Return the ids of the agent's messages whose answer by the operator begins with a denial."""
    talks: dict[tuple[str, str], list[ChatMessage]] = {}
    for message in sorted(messages, key=lambda each: each.sent_at):
        talks.setdefault((message.channel, message.conversation), []).append(message)
    return frozenset(
        said.chat_id
        for talk in talks.values()
        for said, answer in pairwise(talk)
        if said.role == "assistant" and by_operator(answer) and _DENIES.match(answer.text)
    )
