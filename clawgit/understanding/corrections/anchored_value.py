"""A value that the agent just said, another of its kind from the operator, and the one entry that says the first. Pure.

For entries in other words than the agent's: nothing but the value is exchanged. It takes one new value in the message,
one of its kind in what was said last, and one entry that holds the same and is about what that is about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import Verdict
from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.conversation import in_force, statements_before
from clawgit.understanding.corrections.corrected_statement import by_values
from clawgit.understanding.corrections.result_checks import is_of_something_else, reads_on, says_all
from clawgit.understanding.corrections.same_subject import is_of_the_other, shares_subject
from clawgit.understanding.values.asserted_text import ADDING, ASKING, STOP, STRONG, UNSURE, without_lead
from clawgit.understanding.values.value_positions import exchanged_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.memory.corrections.verdicts import Exchange, Held, Righting
    from clawgit.text.comparing.value_kinds import Value

# What the agent has or should do: a time behind that is no answer.
_OF_YOU = re.compile(r"(?i)^you (?:have an? (?!old|wrong|outdated)\w+|need|must|should|keep me)\b")
QUOTING = re.compile('["“”„«»「」『』]')  # somebody else's words


def anchored(exchange: Exchange, entries: Sequence[Held]) -> Verdict | None:
    """Return what sets right the entry that a new value belongs into; None where it could be none or several."""
    told = folded(exchange.told)
    if told.endswith(ASKING) or any(sign.search(told) for sign in (UNSURE, ADDING, QUOTING, _OF_YOU)):
        return None
    fresh = _new_value(exchange)
    found = None if fresh is None else _what_gives_way(exchange, fresh[1])
    if fresh is None or found is None:
        return None
    clause, righted = found
    wrong = tuple(
        (held, now)
        for held in entries
        if says_all(fresh[0], f"{clause} {held.parts.statement}", righted.correct, [fresh[1].text])
        and not is_of_the_other(told, held.parts.statement)
        and not is_of_something_else(told, held.parts.statement, [fresh[1].text])
        and (now := _put_into(held.parts.statement, clause, righted)) is not None
    )
    if len({held.parts.statement for held, _ in wrong}) != 1:
        return None
    return Verdict(Status.APPLIED, clause, wrong[0][1], wrong)


def _new_value(exchange: Exchange) -> tuple[str, Value] | None:
    """Return the one value that the agent did not say, and the part of the message that names it."""
    there = {value.text.casefold() for message in exchange.before[:1] for value in values_in(message)}
    fresh = [
        (part, value)
        for sentence in sentences_of(exchange.told)
        for part in (() if sentence.endswith(ASKING) else _parts(sentence))
        for value in values_in(part)
        if value.kind in STRONG and value.text.casefold() not in there
    ]
    return fresh[0] if len(fresh) == 1 else None


def _what_gives_way(exchange: Exchange, new: Value) -> tuple[str, Righting] | None:
    """Return the clause of what was said last that has the one value of that kind, and how it reads with the new one."""
    last = next(iter(statements_before(exchange.before)), "")
    found = [
        (clause, righted)
        for clause in _parts(last)
        if (righted := by_values(in_force(clause, exchange.since), new.text)) is not None
    ]
    return found[0] if len(found) == 1 else None


def _parts(text: str) -> list[str]:
    """Return what a text says, part by part."""
    parts = [folded(part) for each in sentences_of(text) for part in STOP.split(without_lead(each))]
    return [part for part in parts if part]


def _put_into(statement: str, clause: str, righted: Righting) -> str | None:
    now = exchanged_all(statement, righted.exchanges)
    if now is None or not reads_on(statement, now, righted.exchanges):
        return None
    return now if shares_subject(statement, clause, righted) else None
