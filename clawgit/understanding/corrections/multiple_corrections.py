"""Several things set right in one message: each for itself, two of one entry one after the other. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import Verdict
from clawgit.memory.entries.statements import clauses_of
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.understanding.corrections.judge_message import judge
from clawgit.understanding.corrections.same_subject import without_values
from clawgit.understanding.corrections.simplified_readings import without_asides
from clawgit.understanding.values.asserted_text import (
    ADDING,
    ASKING,
    JUDGEMENTS,
    POINTING,
    STRONG,
    UNSURE,
    bare_value,
    right_statement,
)
from clawgit.understanding.values.contrasted_values import contrasts_in
from clawgit.understanding.values.value_positions import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.memory.corrections.verdicts import Exchange, Held
    from clawgit.text.comparing.value_kinds import Value

HALF = "Half of it cannot be told, so nothing was set right; `clawgit correct` says it."
LEFT_OUT = "Another part of the message says otherwise of this, and it cannot be told what is right."
ENOUGH = 2  # words that a statement and a part of a message share by no chance
MOST_AT_ONCE = 8  # parts of a message that are looked at one by one


def judge_each(exchange: Exchange, entries: Sequence[Held]) -> tuple[Verdict, ...]:
    """Return what each part of a message sets right in memory, where two or more do; else what the whole comes to."""
    parts = clauses_of(exchange.told)
    judged = _Judged(entries)
    for told in parts if 1 < len(parts) <= MOST_AT_ONCE else ():
        judged.hear(replace(exchange, told=told, since={**exchange.since, **judged.since}))
    if judged.heard and judged.has_missed:
        return (Verdict(Status.OPEN, judged.verdicts[0].said, note=HALF),)
    made = tuple(judged.verdicts) if judged.heard > 1 else (judge(exchange, entries),)
    return (*made, *judged.left_out(made, exchange.before[:1])) if judged.heard else made


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
        self._unheard: list[str] = []

    def hear(self, part: Exchange) -> None:
        """Take one more part in, where it can be told what it is about."""
        verdict = judge(part, tuple(self._entries.values()))
        before = next((each for each in self.verdicts if each.correct == verdict.said), None)
        if verdict.status is not Status.APPLIED or not self._may_count(part.told, verdict, before):
            self._missed += contrasts_in(part.told) if any(without_asides(part.told)) else ()
            self._unheard.append(without_asides(part.told)[0])
            return
        self.heard += 1
        self.since[verdict.said.casefold()] = verdict.correct
        for held, now in verdict.wrong:
            text = held.parts.saying(now)
            self._entries[_place(held)] = replace(held, entry=held.entry._replace(text=text))
        if before is None:
            self.verdicts.append(self._of_those_before(verdict))
        else:
            self.verdicts[self.verdicts.index(before)] = self._of_those_before(verdict, before)

    @property
    def has_missed(self) -> bool:
        """Say whether something is named as wrong, and what is right instead stands in nothing that was set right."""
        right = " ".join(verdict.correct for verdict in self.verdicts)
        return any(
            JUDGEMENTS.search(bare_value(old)) is None
            and place_of(right, bare_value(new)) is None
            and not subject(old) <= subject(right)  # `she isn't my manager`, and who is was told
            for old, new in self._missed
        )

    def left_out(self, made: Sequence[Verdict], before: Sequence[str]) -> Iterator[Verdict]:
        """Yield what other statements the unheard parts are about: they name what these do, and another value of their kind."""
        done = " ".join(f"{each.said} {each.correct}" for each in made)
        said = [clause for message in before for clause in clauses_of(message) if clause not in done]
        known = dict.fromkeys((*said, *(each.parts.statement for each in self._entries.values())))
        for told in self._unheard:
            about = without_values(told)
            fresh = [value for value in values_in(told) if value.kind in STRONG and value.text not in done]
            is_none = told.endswith(ASKING) or UNSURE.search(told) or ADDING.search(told)
            found = [each for each in known if _is_meant(about, each) and _says_otherwise(each, fresh)]
            if found and not is_none:
                yield Verdict(Status.OPEN, found[0], note=LEFT_OUT)

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


def _is_meant(about: frozenset[str], statement: str) -> bool:
    """Say whether a part of a message is about what a statement is: they share two words, and half of what it names."""
    shared = len(about & subject(statement))
    return shared >= ENOUGH and shared * 2 >= len(about)


def _says_otherwise(statement: str, fresh: Sequence[Value]) -> bool:
    """Say whether a statement has a value of a kind that is named, and not the one that is."""
    kinds = {value.kind for value in values_in(statement)}
    return any(value.kind in kinds and value.text not in statement for value in fresh)


def _place(held: Held) -> tuple[str, int]:
    return held.path, held.entry.first
