"""What an operator's message sets right: in what was said before, and in what is remembered. Pure; nothing is invented.

Values come from the operator's message, all other words from what is there. What cannot be told apart is left alone.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.memory.ledger.corrections import Status
from clawgit.memory.righting.anchored import anchored
from clawgit.memory.righting.capabilities import is_of_capability
from clawgit.memory.righting.contrasts import contrasts_in
from clawgit.memory.righting.persons import is_of_another
from clawgit.memory.righting.places import exchanged_all, place_of
from clawgit.memory.righting.reproaches import is_reproach
from clawgit.memory.righting.rightings import Righting, put_right
from clawgit.memory.righting.same_subject import (
    ALIKE,
    ANY_THING,
    is_about,
    names_same,
    renames,
    without_values,
)
from clawgit.memory.righting.soundness import both_deny, holds_of_two, reads_on
from clawgit.memory.righting.spoken import in_force, statements_before
from clawgit.memory.righting.tellings import (
    POINTING,
    SHORTEST_STATEMENT,
    bare_end,
    names_wrong,
    right_statement,
    without_lead,
)
from clawgit.memory.righting.verdicts import HIGH, Exchange, Held, Verdict
from clawgit.memory.routing import statement_of
from clawgit.memory.statements import clauses_of, sentences_of
from clawgit.text.control import folded
from clawgit.text.similarity import likeness, words
from clawgit.text.subjects import subject
from clawgit.text.valuekinds import ValueKind, values_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


WHOSE = (
    "It says something of you, and the entry is about somebody else; `clawgit correct` says what is meant."
)
APART = 10  # so much more alike must the likeliest of several entries be
SHORT_VALUE = 8  # words, or Chinese characters: no longer a message than that may name nothing
_SEVERAL = re.compile(r"(?i)\b(?:and|both|we|they|our|their)\b")


def judge(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    """Return what an exchange sets right, of the entries of core memory; nothing of somebody whom the message is not about."""
    verdict = _judged(exchange, entries)
    if not (_says_where(verdict) or verdict.is_capability):
        verdict = anchored(exchange, entries) or verdict
    told = without_lead(folded(exchange.told))
    others = [held.parts.statement for held in entries] if verdict.wrong else []
    if any(is_of_another(told, verdict.said, held.parts.statement, others) for held, _ in verdict.wrong):
        return Verdict(Status.OPEN, verdict.said, note=WHOSE)
    return verdict


def _judged(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    told = next(iter(_substances(exchange.told)), "")
    said, righted = _statement_meant(exchange)
    if righted is not None:
        verdict = in_memory(said, righted, entries)
        if not _says_where(verdict) and _names_something(exchange.told, righted):
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
    is_unclear = _is_unclear(exchange) and not is_news
    is_wrong = exchange.confidence == HIGH or names_wrong(exchange.told) or is_unclear
    return Verdict(Status.OPEN if is_wrong else Status.LOGGED, _last(exchange))


def in_memory(said: str, righted: Righting, entries: Iterable[Held]) -> Verdict:
    """Return what is to be done where ``said`` is wrong: in the entries that say the same, and beside them."""
    named = [held for held in entries if _names_either(held, righted)]
    about = [held for held in named if is_about(held.parts.statement, said, righted)]
    changed = [(held, now) for held in about if (now := _put_into(held, said, righted)) is not None]
    chosen, note = _likeliest(said, changed)
    right = tuple(held for held in about if _says(held, righted) and held not in [each for each, _ in chosen])
    verdict = Verdict(Status.APPLIED if chosen or right else Status.LOGGED, said, righted.correct, note=note)
    return replace(verdict, wrong=tuple(chosen), right=() if note else right)


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
        bare = right_statement(told, least=SHORTEST_STATEMENT)
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
    return is_said and not _names_something(exchange.told, righted)


def _names_either(held: Held, righted: Righting) -> bool:
    """Say whether an entry holds what gave way or what came in its place; a look that costs nothing."""
    if not righted.exchanges:
        return True
    text = held.entry.text.casefold()
    return any(value.casefold() in text for pair in righted.exchanges for value in pair)


def _put_into(held: Held, said: str, righted: Righting) -> str | None:
    """Return the entry's statement with what is right in it, None where it does not say what is wrong."""
    statement = held.parts.statement
    if not both_deny(said, statement) or (holds_of_two(statement) and not _SEVERAL.search(said)):
        return None
    if righted.exchanges:
        now = exchanged_all(statement, righted.exchanges)
        return now if now is not None and reads_on(statement, now, righted.exchanges) else None
    if likeness(statement, said) < ALIKE or likeness(statement, righted.correct) < ALIKE:
        return None
    return righted.correct if righted.correct != statement else None


def _says(held: Held, righted: Righting) -> bool:
    """Say whether an entry says what is right."""
    statement = held.parts.statement.casefold()
    right = [new.casefold() for _, new in righted.exchanges] or [righted.correct.casefold()]
    wrong = [old.casefold() for old, new in righted.exchanges if old.casefold() not in new.casefold()]
    return all(each.rstrip(".。") in statement for each in right) and not any(
        place_of(statement, each) for each in wrong
    )


def _likeliest(said: str, changed: list[tuple[Held, str]]) -> tuple[list[tuple[Held, str]], str]:
    """Return the entry that is meant, with those that say the same elsewhere; none and why if it could be several."""
    if len({held.parts.statement for held, _ in changed}) <= 1:
        return changed, ""
    order = sorted(changed, key=lambda each: -likeness(said, each[0].parts.statement))
    best = order[0][0].parts.statement
    rest = [each for each in order if each[0].parts.statement != best]
    if likeness(said, best) - likeness(said, rest[0][0].parts.statement) >= APART:
        return [each for each in order if each[0].parts.statement == best], ""
    names = ", ".join(f"m:{held.entry.entry_id}" if held.entry.entry_id else held.path for held, _ in order)
    return [], f"{names} could all be meant; `clawgit correct … --entry` says which"


def _last(exchange: Exchange) -> str:
    return exchange.before[0] if exchange.before else ""
