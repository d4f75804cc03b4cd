"""What an operator's message sets right: in what was said before, and in what is remembered. Pure; nothing is invented.

Values come from the operator's message, all other words from what is there. What cannot be told apart is left alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import HIGH, Exchange, Held, Righting, Verdict
from clawgit.memory.entries.statements import clauses_of, sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.script import HANGUL
from clawgit.understanding.corrections.anchored_value import anchored
from clawgit.understanding.corrections.capabilities import is_of_capability
from clawgit.understanding.corrections.conversation import in_force, statements_before
from clawgit.understanding.corrections.corrected_statement import put_right
from clawgit.understanding.corrections.reproaches import is_reproach
from clawgit.understanding.corrections.result_checks import holds_once
from clawgit.understanding.corrections.same_subject import (
    ANY_THING,
    names_same,
    renames,
    without_values,
)
from clawgit.understanding.corrections.simplified_readings import Reading, at_once, readings, reasons_in
from clawgit.understanding.corrections.target_entries import in_memory
from clawgit.understanding.facts.routing import statement_of
from clawgit.understanding.forms.persons import is_of_another, says_of_you, speaks_of_himself
from clawgit.understanding.values.asserted_text import (
    POINTING,
    SHORTEST_STATEMENT,
    bare_end,
    names_wrong,
    right_statement,
    without_lead,
)
from clawgit.understanding.values.contrasted_values import contrasts_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


WHOSE = (
    "It says something of you, and the entry is about somebody else; `clawgit correct` says what is meant."
)
SHORT_VALUE = 8  # words, or Chinese characters: no longer a message than that may name nothing


def judge(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    """Return what an exchange sets right, of the entries of core memory; nothing of somebody whom the message is not about."""
    verdict = _first_made(_in_reasons(exchange), entries, at_once(exchange.told)) or _read_as_told(
        exchange, entries
    )
    if not (_says_where(verdict) or verdict.is_capability):
        verdict = _read_plainly(exchange, entries) or verdict
    if _is_of_another(exchange.told, verdict, entries):
        return Verdict(Status.OPEN, verdict.said, note=WHOSE)
    return verdict


def _is_of_another(told: str, verdict: Verdict, entries: Sequence[Held]) -> bool:
    """Say whether he speaks of himself, and an entry that would be set right is about somebody else."""
    bare = without_lead(folded(told))
    others = [held.parts.statement for held in entries] if verdict.wrong else []
    return any(is_of_another(bare, verdict.said, held.parts.statement, others) for held, _ in verdict.wrong)


def _read_as_told(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    verdict = _judged(exchange, entries)
    if _says_where(verdict) or verdict.is_capability:
        return verdict
    return anchored(exchange, entries) or verdict


def _read_plainly(exchange: Exchange, entries: Sequence[Held]) -> Verdict | None:
    """Return what a message sets right once what it says besides is left out; None where that is nothing.

    What the agent gave as its reasons is looked at by itself then.
    """
    found = [Reading(exchange.told), *readings(exchange.told, _last(exchange))]
    return _first_made(exchange, entries, found[1:]) or _first_made(_in_reasons(exchange), entries, found)


def _in_reasons(exchange: Exchange) -> Exchange:
    """Return an exchange about no more than what the agent gave as its reasons."""
    return replace(exchange, before=tuple(map(reasons_in, exchange.before)))


def _first_made(exchange: Exchange, entries: Sequence[Held], found: Iterable[Reading]) -> Verdict | None:
    """Return what the first of some readings sets right that sets something right."""
    said = _last(exchange)
    for reading in found:
        verdict = _read_as_told(replace(exchange, told=reading.told), entries)
        is_allowed = all(reading.allows(held.parts.statement, now, said) for held, now in verdict.wrong)
        if verdict.wrong and is_allowed and not _is_of_another(reading.told, verdict, entries):
            return verdict
    return None


def _judged(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    told = next(iter(_substances(exchange.told)), "")
    said, righted = _statement_meant(exchange)
    if righted is not None:
        verdict = in_memory(said, righted, entries)
        is_elsewhere = _names_something(exchange.told, righted) or _was_said_of_him(exchange, righted)
        if is_elsewhere and not _says_where(verdict):
            return _in_entry_meant(exchange, entries) or verdict
        return verdict
    if is_of_capability(exchange.told):
        return Verdict(Status.LOGGED, _last(exchange), is_capability=True)
    if exchange.confidence != HIGH and not exchange.before:
        return Verdict(Status.LOGGED)
    remembered = _in_entry_meant(exchange, entries)
    if remembered is not None:
        return remembered
    statement = right_statement(told) if exchange.confidence == HIGH else ""
    # `it's the old one` says nothing without what `it` is, nor does `you forgot my name again`
    if statement and not POINTING.match(statement) and not is_reproach(statement):
        return Verdict(Status.LOGGED, _last(exchange), statement)
    is_news = statement_of(exchange.told) != folded(exchange.told)  # `remember: …` answers nothing
    is_unclear = _is_unclear(exchange) and not is_news and not holds_once(exchange.told, _last(exchange))
    is_wrong = exchange.confidence == HIGH or names_wrong(exchange.told) or is_unclear
    return Verdict(Status.OPEN if is_wrong else Status.LOGGED, _last(exchange))


def _statement_meant(exchange: Exchange) -> tuple[str, Righting | None]:
    """Return the one thing said before that the message sets right; of several that it could be, none."""
    for number, told in enumerate(_substances(exchange.told)):
        for back, message in enumerate(statements_before(exchange.before)):
            found = [
                righted
                for clause in clauses_of(message)
                if _may_answer(told, clause, alone=number == 0, is_last=back == 0)
                and (righted := _put_right(clause, told, exchange.since)) is not None
            ]
            if found:
                return _nearest(told, found)
            if back == 0 and _kinds(told) & _kinds(message):
                return "", None  # it is about this message, and it cannot be told which value
    return "", None


def _put_right(clause: str, told: str, since: Mapping[str, str]) -> tuple[str, Righting] | None:
    """Return what a clause says and how it should read: as it was set right before, or where that is said again, itself."""
    for said in dict.fromkeys((in_force(clause, since), clause)):
        righted = put_right(said, told)
        if righted is not None:
            return said, righted
    return None


def _is_unclear(exchange: Exchange) -> bool:
    """Say whether a value is named that could take the place of several in what was said last."""
    return any(_kinds(told) & _kinds(_last(exchange)) for told in _substances(exchange.told))


def _nearest(told: str, found: list[tuple[str, Righting]]) -> tuple[str, Righting | None]:
    """Return the clause that shares most with the message, none where several do."""
    about = subject(told)
    most = max(len(about & subject(clause)) for clause, _ in found)
    found = [each for each in found if len(about & subject(each[0])) == most]
    return found[0] if len(found) == 1 else ("", None)


def _substances(told: str) -> list[str]:
    """Return the sentences in which the operator says more than that something is wrong."""
    return [each for each in sentences_of(told) if right_statement(each, least=1)]


def _kinds(text: str) -> frozenset[ValueKind]:
    return frozenset(value.kind for value in values_in(text)) - {ValueKind.NAME}


def _may_answer(told: str, said: str, *, alone: bool, is_last: bool) -> bool:
    """Say whether a message can be about what was said: it names the same, or is short enough to name nothing.

    What neither names nor points at what was said answers the last thing said at most, and only where it stands ``alone``.
    """
    bare = right_statement(told, least=1)
    about = without_values(bare)
    if len(about & subject(said)) * 2 >= len(about):
        return True
    if any(old in said for old, _ in contrasts_in(bare)):
        return True
    if len(words(bare)) > SHORT_VALUE:
        return False
    return bool(POINTING.match(bare)) or (alone and is_last)


def _names_something(told: str, righted: Righting) -> bool:
    """Say whether a message names what it is about; a bare `not Thursday, Friday` is about what was said before it."""
    return bool(without_values(without_lead(folded(told))) - subject(righted.values))


def _says_where(verdict: Verdict) -> bool:
    return bool(verdict.wrong or verdict.right or verdict.note)


def _in_entry_meant(exchange: Exchange, entries: Sequence[Held]) -> Verdict | None:
    """Return what is to be done in the entry that the message sets right by itself; None where nothing is."""
    meant = _entry_meant(exchange, entries)
    verdict = None if meant is None else in_memory(*meant, entries)
    return verdict if verdict is not None and _says_where(verdict) else None


def _entry_meant(exchange: Exchange, entries: Sequence[Held]) -> tuple[str, Righting] | None:
    """Return what one entry says, clause by clause, that the message sets right by itself; None if several do."""
    for told in _substances(exchange.told):
        bare = right_statement(told, least=SHORTEST_STATEMENT - (HANGUL.search(told) is not None))
        named, about = subject(bare), subject(bare) - ANY_THING
        if POINTING.match(bare):
            continue  # `it's called main` does not say what is
        found = {
            clause: righted
            for held in (entries if bare else ())
            if named & subject(held.parts.statement)
            for clause in clauses_of(held.parts.statement)
            if (righted := put_right(clause, told)) is not None
            and names_same(bare_end(bare), clause, righted)
            and (about & subject(clause) or any(old in exchange.told for old, _ in righted.exchanges))
            and not renames(clause, righted)
            and not _answers_what_was_said(exchange, righted)
            and not any(
                old in new for old, new in righted.exchanges
            )  # more words about it are no other value
        }
        if found:
            return next(iter(found.items())) if len(found) == 1 else None
    return None


def _answers_what_was_said(exchange: Exchange, righted: Righting) -> bool:
    """Say whether a message that names nothing besides says what is wrong of what was said last, whatever that was about."""
    last = _last(exchange).casefold()
    is_said = any(old.casefold() in last for old, _ in righted.exchanges)
    return is_said and not (_names_something(exchange.told, righted) or _was_said_of_him(exchange, righted))


def _was_said_of_him(exchange: Exchange, righted: Righting) -> bool:
    """Say whether he denies of himself what was said of him: then he names whom the entry is about."""
    is_self = speaks_of_himself(without_lead(folded(exchange.told)))
    return is_self and any(says_of_you(_last(exchange), old) for old, _ in righted.exchanges)


def _last(exchange: Exchange) -> str:
    return exchange.before[0] if exchange.before else ""
