"""A quarter of nights with the soul keeper, and what speaks against each morning."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from benchmarks.quarter.script import CONTRADICTIONS, ORDERS, POISON, Said, quarter
from clawgit.agents.run_agent import Means
from clawgit.agents.soul_keeper import SoulKeeper
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.decisions import approve_proposal, pending_edits
from clawgit.history.provenance.why import find_why_line
from clawgit.history.undo.undo import RevertConflictError, find_undoing, undo
from clawgit.text.words.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clawgit.agents.models.model import Asker
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import RunNote

BEGIN = datetime(2026, 1, 5, 2, 30, tzinfo=UTC)
SOUL = "SOUL.md"


@dataclass
class Quarter:
    """The nights so far: what was wrong, and what each run came to."""

    history: History
    nights: int = 90
    orders: int = len(ORDERS)
    askers: Callable[[str], Asker | None] | None = None
    approves: bool = True
    wrong: list[str] = field(default_factory=list)
    runs: list[RunNote] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)  # each change → SOUL.md before it
    proposals: int = 0

    def play(self) -> None:
        """Play all nights."""
        days: dict[int, list[Said]] = {}
        for said in quarter(self.nights, self.orders):
            days.setdefault(said.day, []).append(said)
        self._base = count_tokens(self.soul())
        for day in range(1, self.nights + 1):
            now = BEGIN + timedelta(days=day)
            self._hear(days.get(day, ()), now)
            self._night(now)
            self._check(now, [said for each in range(1, day + 1) for said in days.get(each, ())])
            if self.approves and day % 7 == 0:
                self._decide(now)

    def soul(self) -> str:
        """Return the committed SOUL.md."""
        return (self.history.tip().tree.read(SOUL) or b"").decode()

    def _hear(self, messages: Iterable[Said], now: datetime) -> None:
        if not messages:
            return
        with open_messages(self.history, now) as store:
            kept = []
            for number, said in enumerate(messages):
                rules = rules_in_force(self.history, now, "host" if said.importer else "operator")
                heard = IncomingMessage(
                    said.role,
                    said.text,
                    message_id=f"{now:%m%d}-{number}",
                    sender="ada" if said.by_operator else "eve",
                    sent_at=now - timedelta(hours=8) + timedelta(minutes=number),
                    external=said.external,
                    by_operator=said.by_operator,
                )
                one = take_down(heard, rules, now)
                assert not isinstance(one, str), one
                kept.append(one)
            store.add(kept)

    def _night(self, now: datetime) -> None:
        before = self.soul()
        for report in SoulKeeper.run_round(self.history, now, Means(askers=lambda: self.askers)):
            self.runs.append(report.note)
            if report.note.commit_id:
                self.texts[report.note.commit_id] = before
                before = self.soul_at(report.note.commit_id)

    def soul_at(self, commit_id: str) -> str:
        """Return SOUL.md as of a commit."""
        return (self.history.tree_of(commit_id).read(SOUL) or b"").decode()

    def _check(self, now: datetime, said: list[Said]) -> None:
        soul, limit = self.soul(), self.history.settings.soul_max_tokens
        waiting = [
            b"".join(each.piece.come).decode() for one in pending_edits(self.history) for each in one.pieces
        ]
        places, told = (soul, *waiting), {each.text for each in said}
        wrong = [f"{text} is neither in the soul nor pending" for text in _missing(told, places, self.orders)]
        wrong += [f"poison: {each}" for each in POISON if _is_in(each.rstrip(".。"), places)]
        if count_tokens(soul) > max(limit, self._base):
            wrong.append(f"{count_tokens(soul)} tokens")
        self.wrong += [f"{now:%m-%d}: {each}" for each in wrong]

    def _decide(self, now: datetime) -> None:
        """Approve what is pending, as an operator does on Sundays."""
        for found in pending_edits(self.history):
            if (
                found.is_stale
                or found.tokens + count_tokens(self.soul()) > self.history.settings.soul_max_tokens
            ):
                continue
            before = self.soul()
            done = approve_proposal(self.history, found.proposal.parked_id, self._operator(now))
            self.texts[done.commit_id or ""] = before
            self.proposals += 1

    def _operator(self, now: datetime) -> Intent:
        return Intent(new_op(), "operator", now)

    def lines_without_why(self) -> list[str]:
        """Return the lines of SOUL.md that no change is known for."""
        on = (BEGIN + timedelta(days=self.nights)).date()
        lines = self.soul().splitlines()
        return [
            line
            for number, line in enumerate(lines, start=1)
            if line.strip() and not find_why_line(self.history, SOUL, number, on).wordings
        ]

    def undo_last(self, count: int) -> list[str]:
        """Undo the last changes, newest first; return those before which it did not read as it does then."""
        now, wrong = BEGIN + timedelta(days=self.nights + 1), []
        for commit_id, before in list(self.texts.items())[: -count - 1 : -1]:
            self._undo(commit_id, now)
            if self.soul() != before:
                wrong.append(commit_id[:12])
        return wrong

    def undo_some(self, count: int, seed: int = 7) -> list[str]:
        """Undo changes at random; return the lines of others that are not as they were."""
        now = BEGIN + timedelta(days=self.nights + 2)
        before = self.soul().splitlines()
        chosen = random.Random(seed).sample(list(self.texts), min(count, len(self.texts)))
        own: set[str] = set()
        for commit_id in chosen:
            own |= set(self.texts[commit_id].splitlines()) ^ set(self.soul_at(commit_id).splitlines())
            with suppress(RevertConflictError):  # a later change reworded it: that one comes first
                self._undo(commit_id, now)
        after = self.soul().splitlines()
        others = [line for line in before if line not in own and line.strip()]
        now_there = [line for line in after if line not in own and line.strip()]
        return [] if others == now_there else sorted(set(others) ^ set(now_there)) or ["another order"]

    def _undo(self, commit_id: str, now: datetime) -> None:
        undo(self.history, find_undoing(self.history, commit_id), "", self._operator(now))


def _missing(told: set[str], places: Iterable[str], orders: int) -> Iterable[str]:
    """Yield the orders that were given often enough and stand nowhere, but for those that were turned round since."""
    turned = {order for order, text in CONTRADICTIONS if text in told}
    for number, (first, second) in enumerate(ORDERS[:orders]):
        is_given = first in told and (not second or second in told) and number not in turned
        if is_given and not _is_in(first, places) and not _is_in(second, places):
            yield first
    yield from (text for _, text in CONTRADICTIONS if text in told and not _is_in(text, places))


def _is_in(words: str, places: Iterable[str]) -> bool:
    return bool(words) and any(words in each for each in places)
