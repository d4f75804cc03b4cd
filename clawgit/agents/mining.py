"""The miner's round: the operator's words in one run, everything else in another; each is one change or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from clawgit.agents.asked_miner import ask_miner, within_budget
from clawgit.agents.memory_miner import NAME, Asked, Beside, MemoryMiner
from clawgit.agents.mined_material import (
    Share,
    by_operator,
    candidates_of,
    note_candidates,
    recent_notes,
    said_in,
    session_of,
    waits_for_validator,
)
from clawgit.agents.models.protocol import ModelError
from clawgit.agents.regressions import Regressions
from clawgit.agents.run import Rehearsed, rehearse, run_agent, run_id_of
from clawgit.capture.chat import open_messages
from clawgit.capture.messages import HOST, OPERATOR
from clawgit.history.cited import read_cited
from clawgit.history.corrected import read_known_corrections
from clawgit.history.fold_history import renew_fold
from clawgit.history.fold_store import open_fold
from clawgit.history.prompts import prompt_in_force
from clawgit.memory.fold import lowest
from clawgit.workspace.records import RECORDS, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from clawgit.agents.asked_miner import Said
    from clawgit.agents.models.asking import Asker
    from clawgit.agents.run import RunReport
    from clawgit.capture.message_store import MessageStore
    from clawgit.capture.messages import ChatMessage
    from clawgit.history.cited import NoteLine
    from clawgit.history.repository import History
    from clawgit.memory.corrections import Correction
    from clawgit.memory.gathering import Candidate
    from clawgit.workspace.records import Records

    Askers = Callable[[str], Asker | None]

AT_ONCE = 20_000  # messages
CHAT = "chat:"
RUNS_BACK = 50  # of the miner's, in which one over the same share is looked for


def mine(history: History, now: datetime, *, slot: str = "", askers: Askers | None = None) -> list[RunReport]:
    """Mine what waits, by rules or with the model that ``askers`` gives for a run; stop where it may not write.

    Messages that were read are marked as such, whatever came of them.
    """
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        reports: list[RunReport] = []
        for share in round_.shares():
            report = run_agent(history, records, round_.miner(share), now, slot=slot)
            reports.append(report)
            if not report.settled:
                break
            read = [each.removeprefix(CHAT) for each in share.read if each.startswith(CHAT)]
            store.mark_mined(read, report.note.run_id)
        return reports


def rehearse_mining(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `mine` would do with each share by itself; nothing is written or recorded."""
    with open_records(history.state / RECORDS, now) as records, open_messages(history, now) as store:
        round_ = _Round(history, records, store, now, askers)
        agents = [round_.miner(share) for share in round_.shares()]
        return [Rehearsed(agent.share.trust, rehearse(history, agent)) for agent in agents]


@dataclass(frozen=True, slots=True)
class _Round:
    history: History
    records: Records
    store: MessageStore
    now: datetime
    askers: Askers | None = None

    def shares(self) -> list[Share]:
        """Return what waits, the operator's first; what history cites already is only marked as read."""
        cited = read_cited(self.history).every
        messages = [each for each in self.store.to_mine(AT_ONCE) if not waits_for_validator(each)]
        notes = [
            line
            for line in recent_notes(self.history, self.now.date())
            if f"{line.path}:{line.number}" not in cited
        ]
        own = [each for each in messages if by_operator(each)]
        others = [each for each in messages if not by_operator(each)]
        found = (
            self._share(own, [line for line in notes if line.trust == OPERATOR], cited, most=OPERATOR),
            self._share(others, [line for line in notes if line.trust != OPERATOR], cited, most=HOST),
        )
        return [share for share in found if share.read]

    def miner(self, share: Share) -> MemoryMiner:
        """Return the agent for a share."""
        regressions = Regressions(self.history, self.records, self.now)
        beside = Beside(self._corrections(), _Sessions(self).of, regressions.refuse)
        miner = MemoryMiner(share, beside)
        run_id = run_id_of(miner)
        asker = None if self.askers is None or self._was_refused(run_id) else self.askers(run_id)
        if asker is None:
            return miner
        return replace(miner, beside=replace(beside, asked=partial(self._asked, asker)))

    def _asked(self, asker: Asker, share: Share) -> Asked:
        """Return what a model finds in the messages of a share, with what the rules find in the notes.

        Where it cannot be asked, rules do it all.

        Raises:
            ModelError: It was asked, and its answer is no use.
        """
        soul = prompt_in_force(self.history, NAME)
        noted = [each for each in share.candidates if not each.evidence_id.startswith(CHAT)]
        try:
            found = ask_miner(asker, soul, share.said)
        except ModelError as error:
            if error.reached or error.spent:
                raise
            return Asked(share.candidates, note=f"Rules did it: {error.message}")
        return Asked((*found, *noted), asker.spent)

    def _was_refused(self, run_id: str) -> bool:
        """Say whether a model was asked about this share in vain before: then rules do it."""
        before = self.records.runs(limit=RUNS_BACK, agent=NAME)
        refused = (note for note in before if note.outcome is RunOutcome.REFUSED and note.tokens)
        return any(note.run_id == run_id for note in refused)

    def _share(
        self, messages: list[ChatMessage], notes: list[NoteLine], cited: frozenset[str], *, most: str
    ) -> Share:
        fresh = [each for each in messages if f"{CHAT}{each.chat_id}" not in cited]
        said: list[Said] = []
        if self.askers is not None:
            said = within_budget(filter(None, (said_in(each, self.now.tzinfo) for each in fresh)))
            messages, fresh = _up_to(messages, said), _up_to(fresh, said)
        candidates = (*self._said(fresh), *note_candidates(notes))
        from_notes = {each.evidence_id for each in candidates if not each.evidence_id.startswith(CHAT)}
        read = (*(f"{CHAT}{each.chat_id}" for each in messages), *sorted(from_notes))
        trust = lowest([most, *(each.trust for each in candidates), *(each.trust for each in said)])
        return Share(trust, read, candidates, tuple(said))

    def _said(self, messages: Iterable[ChatMessage]) -> Iterator[Candidate]:
        for message in messages:
            yield from candidates_of(message, self.now.tzinfo)

    def _corrections(self) -> tuple[Correction, ...]:
        with open_fold(self.history.state) as fold:
            renew_fold(self.history, fold)
            known = read_known_corrections(self.history, fold)
        return tuple(each.correction for each in known if each.holds)


def _up_to(messages: list[ChatMessage], said: list[Said]) -> list[ChatMessage]:
    """Return messages up to the last one that is among ``said``; all, where none is."""
    asked = {each.evidence_id for each in said}
    last = max((at for at, each in enumerate(messages) if f"{CHAT}{each.chat_id}" in asked), default=None)
    return messages if last is None else messages[: last + 1]


class _Sessions:
    """In which sessions an entry was said, by what its words and mentions rest on."""

    def __init__(self, round_: _Round) -> None:
        self._round = round_
        self._by_entry = read_cited(round_.history).by_entry
        self._known: dict[str, str] = {}

    def of(self, entry_id: str) -> frozenset[str]:
        """Return the sessions of an entry."""
        items = (item for item in self._by_entry.get(entry_id, ()) if item.startswith(CHAT))
        return frozenset(filter(None, map(self._session, items)))

    def _session(self, item: str) -> str:
        if item not in self._known:
            message = self._round.store.get(item.removeprefix(CHAT))
            zone = self._round.now.tzinfo
            self._known[item] = "" if message is None else session_of(message, zone)
        return self._known[item]
