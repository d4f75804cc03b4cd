"""Several things set right in one message: each for itself, two of one entry one after the other. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.memory.ledger.corrections import Status
from clawgit.memory.righting.contrasts import contrasts_in
from clawgit.memory.righting.places import place_of
from clawgit.memory.righting.same_subject import without_values
from clawgit.memory.righting.tellings import JUDGEMENTS, POINTING, bare_value, right_statement
from clawgit.memory.righting.validation import judge
from clawgit.memory.righting.verdicts import Verdict
from clawgit.memory.statements import clauses_of
from clawgit.text.subjects import subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.memory.righting.verdicts import Exchange, Held

HALF = "Half of it cannot be told, so nothing was set right; `clawgit correct` says it."
MOST_AT_ONCE = 8  # parts of a message that are looked at one by one


def judge_each(exchange: Exchange, entries: Sequence[Held]) -> tuple[Verdict, ...]:
    """Return what each part of a message sets right in memory, where two or more do; else what the whole comes to."""
    parts = clauses_of(exchange.told)
    judged = _Judged(entries)
    for told in parts if 1 < len(parts) <= MOST_AT_ONCE else ():
        judged.hear(replace(exchange, told=told, since={**exchange.since, **judged.since}))
    if judged.heard and judged.has_missed:
        return (Verdict(Status.OPEN, judged.verdicts[0].said, note=HALF),)
    return tuple(judged.verdicts) if judged.heard > 1 else (judge(exchange, entries),)


class _Judged:
    """What the parts of a message have set right so far, and how the entries read by then."""

    def __init__(self, entries: Sequence[Held]) -> None:
        self._as_they_were = {_place(held): held for held in entries}
        self._entries = dict(self._as_they_were)
        self.verdicts: list[Verdict] = []
        self.since: dict[str, str] = {}
        self.heard = 0
        self._missed: list[
            tuple[str, str]
        ] = []  # what a part says is wrong and right, and it cannot be told where

    def hear(self, part: Exchange) -> None:
        """Take one more part in, where it can be told what it is about."""
        verdict = judge(part, tuple(self._entries.values()))
        before = next((each for each in self.verdicts if each.correct == verdict.said), None)
        if verdict.status is not Status.APPLIED or not self._may_count(part.told, verdict, before):
            self._missed += contrasts_in(part.told)
            return
        self.heard += 1
        self.since[verdict.said.casefold()] = verdict.correct
        for held, now in verdict.wrong:
            text = held.parts.saying(now)
            self._entries[_place(held)] = replace(held, entry=replace(held.entry, text=text))
        if before is None:
            self.verdicts.append(self._of_those_before(verdict))
        else:
            self.verdicts[self.verdicts.index(before)] = self._of_those_before(verdict, before)

    @property
    def has_missed(self) -> bool:
        """Say whether something is named as wrong, and what is right instead stands in nothing that was set right."""
        right = " ".join(verdict.correct for verdict in self.verdicts)
        return any(
            JUDGEMENTS.search(bare_value(old)) is None and place_of(right, bare_value(new)) is None
            for old, new in self._missed
        )

    def _may_count(self, told: str, verdict: Verdict, before: Verdict | None) -> bool:
        """Say whether a part tells what it is about: it names it, or goes on about what was set right before."""
        bare = right_statement(told, least=1)
        names = without_values(bare) & subject(verdict.said)
        goes_on = (
            POINTING.match(bare)
            or not without_values(bare)
            or any(old in verdict.said for old, _ in contrasts_in(told))
        )
        return bool(names or not self.heard or (before is not None and goes_on))

    def _of_those_before(self, verdict: Verdict, before: Verdict | None = None) -> Verdict:
        """Return a verdict over the entries as they were; what ``before`` said of them holds where this one is silent."""
        wrong = {_place(held): (held, now) for held, now in (before.wrong if before else ())}
        wrong |= {_place(held): (self._as_they_were[_place(held)], now) for held, now in verdict.wrong}
        right = tuple(held for held in verdict.right if _place(held) not in wrong)
        said = before.said if before else verdict.said
        return replace(verdict, said=said, wrong=tuple(wrong.values()), right=right)


def _place(held: Held) -> tuple[str, int]:
    return held.path, held.entry.first
