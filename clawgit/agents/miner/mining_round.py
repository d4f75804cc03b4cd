"""The miner's round: one run for each trust, the operator's words first; each is one change or none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.agents.miner.memory_miner import NAME, Asked, Beside, MemoryMiner
from clawgit.agents.miner.mined_material import (
    Share,
    by_operator,
    recent_notes,
    session_of,
    waits_for_validator,
)
from clawgit.agents.miner.mining_shares import Waiting
from clawgit.agents.miner.model_miner import ask_miner
from clawgit.agents.models.model import ModelError
from clawgit.agents.operator_names import names_of
from clawgit.agents.proven_questions import Regressions
from clawgit.agents.run_agent import Rehearsed, may_come_to_something, rehearse, run_agent, run_id_of
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.provenance.corrections_in_force import read_known_corrections
from clawgit.history.provenance.evidence_cited import read_cited
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.plan import MESSAGE
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.run_agent import RunReport
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.evidence_cited import Cited
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import Records

    Askers = Callable[[str], Asker | None]


AT_ONCE = 20_000  # messages
RUNS_BACK = 50  # of the miner's, in which one is looked for whose answer was of no use
_OPENED = r"(?:(?:hm+|oh|wait|sorry|actually|well|but|um+|eh)\b[\s,.!]*)*"
_DENIES = re.compile(
    rf"\W*{_OPENED}(?:no+(?! (?:problem|worries|objections?|questions?|doubt|idea|need|rush|hurry))|nope|nah|wrong|false|incorrect|stop|never"
    r"|not (?:true|right|so|quite|yet|at all|what|decided)|(?:it|that|this)(?:['’]s| is| was) (?:not|wrong|another|a different|never)"
    r"|(?:it|that|this) (?:isn|wasn)['’]t|i meant|(?:we|i|nobody) (?:never|(?:did|have|do)(?:n['’]t| not))"
    r"|nobody|who (?:said|says|decided|told)|says who|since when|where did)\b"
    r"|\W*(?:不(?![错錯客要])|没有|沒有|没说|错了|錯了|谁说|誰說|我[没沒])|\W*(?:아니|아뇨|틀렸|틀려|안 ?돼|누가|그런 (?:적|말)|그게 아니)",
    re.IGNORECASE,
)


def mine(history: History, now: datetime, *, slot: str = "", askers: Askers | None = None) -> list[RunReport]:
    """Mine what waits, by rules or with the model that ``askers`` gives for a run; stop where it may not write.

    Messages that were read are marked as such, whatever came of them.
    """
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        reports: list[RunReport] = []
        for share in round_.shares():
            miner = round_.miner(share)
            if may_come_to_something(history, miner):
                miner = miner.with_answer()
            report = run_agent(history, records, miner, now, slot=slot)
            reports.append(report)
            if report.in_vain:
                continue
            if not report.settled:
                break
            read = [each.removeprefix(MESSAGE) for each in share.read if each.startswith(MESSAGE)]
            store.mark_mined(read, report.note.run_id)
        return reports


def rehearse_mining(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `mine` would do with each share by itself; nothing is written or recorded."""
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        agents = [round_.miner(share) for share in round_.shares()]
        return [Rehearsed(agent.share.trust, rehearse(history, agent)) for agent in agents]


def held_back(history: History, now: datetime) -> int:
    """Return how many messages the miner leaves to the recall validator for now."""
    with open_messages(history, now) as store:
        waiting = [each for each in store.to_mine(AT_ONCE) if waits_for_validator(each, now)]
    return len(waiting)


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
        names = names_of(self.history, self.store)
        return Waiting(
            [each for each in messages if not waits_for_validator(each, self.now)],
            [
                line
                for line in recent_notes(self.history, self.now.date())
                if f"{line.path}:{line.number}" not in cited
            ],
            cited,
            names,
            self.now.tzinfo,
            denied_in(messages),
            model=self.askers is not None,
            refused_at=self._refused_at(),
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

    def _asked(self, asker: Asker, share: Share) -> Asked:
        """Return what a model finds in the messages of a share, with what the rules find in the notes.

        What a message takes back, rules tell. Where the model cannot be asked, they do it all.

        Raises:
            ModelError: It was asked, and its answer is no use.
        """
        soul = prompt_in_force(self.history, NAME)
        noted = [each for each in share.candidates if not each.evidence_id.startswith(MESSAGE)]
        try:
            found = ask_miner(asker, soul, share.said)
        except ModelError as error:
            if error.reached or error.spent:
                raise
            return Asked(share.candidates, note=f"Rules did it: {error.message}")
        paid = f"The model had answered this before, for {asker.saved:,} tokens." if asker.saved else ""
        off = [each for each in share.candidates if each.takes_back is not None]
        talk = sorted((*found, *off), key=lambda each: (each.place, each.takes_back is not None))
        return Asked((*talk, *noted), asker.spent, paid)

    def _refused_at(self) -> datetime | None:
        """Return when a model was asked in vain last: what waited then is not held up again."""
        before = self.records.runs(limit=RUNS_BACK, agent=NAME)
        refused = (note for note in before if note.outcome is RunOutcome.REFUSED and note.at <= self.now)
        return next((each.at for each in refused if self.records.model_calls.asked_for(each.run_id)), None)

    def _corrections(self) -> tuple[Correction, ...]:
        with open_fold(self.history.state) as fold:
            renew_fold(self.history, fold)
            known = read_known_corrections(self.history, fold)
        return tuple(each.correction for each in known if each.counts)


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
