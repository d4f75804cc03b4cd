"""What an operator's message corrects: one thing in the one entry that it is about. Pure; nothing is invented.

Values come from the operator's message, all other words from the entry. What is not plain is asked, noted or left alone.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import HIGH, Exchange, Held, Righting, Verdict
from clawgit.memory.entries.statements import clauses_of, sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.corrected_statement import put_right
from clawgit.understanding.corrections.likely_entries import (
    Asked,
    answered,
    is_in_doubt,
    likeliest,
    whole_statement,
)
from clawgit.understanding.corrections.same_subject import ANY_THING, is_about, is_of_the_other
from clawgit.understanding.evidence.check_edit import Proposal, Spoken, objection_to
from clawgit.understanding.values.asserted_text import POINTING, names_wrong, right_statement
from clawgit.understanding.values.contrasted_values import contrasts_in
from clawgit.understanding.values.value_positions import exchanged_all

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING = Verdict(Status.LOGGED)


def judge(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    """Return what an exchange corrects, asks or notes, of the entries of memory."""
    remembered = {tuple(words(held.parts.statement)) for held in entries}
    sentences = [each for each in sentences_of(exchange.told) if tuple(words(each)) not in remembered]
    told = [each for each in sentences if right_statement(each, least=1)]
    heard = told or [each for each in sentences if names_wrong(each)]
    found = [(each, asked) for each in heard if (asked := likeliest(exchange, each, entries)) is not None]
    plain = [(each, asked) for each, asked in found if _is_plain(exchange, each, asked, entries)]
    edits = {asked.held.parts.statement: (asked.held, asked.line) for _, asked in plain}
    silent = " ".join(each for each in told if all(each != sentence for sentence, _ in plain))
    is_all = all(asked.held.parts.statement in edits for _, asked in found) and len(edits) == len(plain)
    if plain and is_all and not contrasts_in(silent):
        was, now = plain[0][1].held.parts.statement, plain[0][1].line
        return Verdict(Status.APPLIED, was, now, tuple(edits.values()))
    if found:
        _, likely = max(found, key=lambda each: each[1].score)
        return Verdict(Status.OPEN, likely.held.parts.statement, asks=(likely.held, likely.line))
    return _noted(exchange, told[0]) if told else NOTHING


def _is_plain(exchange: Exchange, told: str, asked: Asked, entries: Sequence[Held]) -> bool:
    """Say whether a line is the one entry with a value corrected that the sentence names, and the sentence carries it."""
    statement = asked.held.parts.statement
    ways = ((clause, put_right(clause, told)) for clause in clauses_of(statement))
    made = [(c, way) for c, way in ways if way and exchanged_all(statement, way.exchanges) == asked.line]
    if not asked.is_alone or not made or not _is_meant(exchange, told, *made[0]):
        return False
    others = tuple(held.parts.statement for held in entries)
    spoken = Spoken(exchange.told, exchange.before, date.min.replace(year=2000))
    return objection_to(Proposal(statement, asked.line, told, others), spoken) is None


def _is_meant(exchange: Exchange, told: str, clause: str, righted: Righting) -> bool:
    """Say whether a sentence names what a clause is about, or answers the one statement of the agent's that is about it."""
    last = next(iter(exchange.before), "")
    if (subject(told) - ANY_THING - subject(righted.values)) & subject(clause):
        return not is_of_the_other(last, clause)
    meant = answered(told, last)
    return len(meant) == 1 and is_about(clause, meant[0], righted)


def _noted(exchange: Exchange, told: str) -> Verdict:
    """Return the whole statement behind a `you forgot that`, word for word as he says it; nothing where it is none."""
    statement = whole_statement(told)
    is_strong = exchange.confidence == HIGH and not folded(told).startswith(statement)
    is_said = is_strong and not (is_in_doubt(statement) or POINTING.match(statement))
    return Verdict(Status.LOGGED, "", statement) if is_said else NOTHING
