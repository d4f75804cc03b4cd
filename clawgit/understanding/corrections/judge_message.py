"""What an operator's message sets right: one thing in the one entry that it is about. Pure; nothing is invented.

Values come from the operator's message, all other words from the entry. What is not plain is asked, noted or left alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import HIGH, Exchange, Held, Righting, Verdict
from clawgit.memory.entries.statements import clauses_of, sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.script import HANGUL
from clawgit.understanding.corrections.corrected_statement import put_right
from clawgit.understanding.corrections.likely_entries import is_in_doubt, likeliest, whole_statement
from clawgit.understanding.corrections.same_subject import ANY_THING, is_about, names_same
from clawgit.understanding.forms.persons import is_of_another
from clawgit.understanding.values.asserted_text import (
    POINTING,
    SHORTEST_STATEMENT,
    STRONG,
    bare_end,
    names_wrong,
    right_statement,
    without_lead,
)
from clawgit.understanding.values.contrasted_values import contrasts_in
from clawgit.understanding.values.value_positions import exchanged_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHORT = 5  # words of a turn that only confirms: `Noted, Thursday.`
NOTHING = Verdict(Status.LOGGED)


class _Edit(NamedTuple):
    """An entry, what it should say, and the sentence of the message that says so."""

    held: Held
    now: str
    told: str


def judge(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    """Return what an exchange sets right, asks or notes, of the entries of memory."""
    sentences = sentences_of(exchange.told)
    told = [each for each in sentences if right_statement(each, least=1)]
    exchange = replace(exchange, before=_turns(exchange.before))
    edits = list(_edits(exchange, told, entries))
    if edits and _are_plain(told, edits) and not _is_of_another(exchange, edits, entries):
        was, now = edits[0].held.parts.statement, edits[0].now
        return Verdict(Status.APPLIED, was, now, tuple((each.held, each.now) for each in edits))
    asked = likeliest(exchange, told or [each for each in sentences if names_wrong(each)], entries)
    if asked is not None:
        return Verdict(Status.OPEN, asked[0].parts.statement, asks=asked)
    return _noted(exchange, told[0]) if told else NOTHING


def _is_of_another(exchange: Exchange, edits: Sequence[_Edit], entries: Sequence[Held]) -> bool:
    """Say whether he speaks of himself, and an entry is about somebody else: his daughter, or who is named there."""
    others, said = [held.parts.statement for held in entries], next(iter(exchange.before), "")
    bare = without_lead(folded(exchange.told))
    return any(is_of_another(bare, said, edit.held.parts.statement, others) for edit in edits)


def _turns(before: Sequence[str]) -> tuple[str, ...]:
    """Return the agent's turns, one that only confirms with what stands before it."""
    last = next((at for at, each in enumerate(before) if len(words(each)) > SHORT), 0)
    return ("\n".join(before[: last + 1]), *before[last + 1 :])


def _noted(exchange: Exchange, told: str) -> Verdict:
    """Return the whole statement behind a `you forgot that`, word for word as he says it; nothing where it is none."""
    statement = whole_statement(told)
    is_strong = exchange.confidence == HIGH and not folded(told).startswith(statement)
    is_said = is_strong and not (is_in_doubt(statement) or POINTING.match(statement))
    return Verdict(Status.LOGGED, "", statement) if is_said else NOTHING


def _are_plain(told: Sequence[str], edits: Sequence[_Edit]) -> bool:
    """Say whether each sentence changes one statement in one way, no two the same one, and none is left half made."""
    changes = {(each.told, each.held.parts.statement, each.now) for each in edits}
    is_one = len({told for told, _, _ in changes}) == len({was for _, was, _ in changes}) == len(changes)
    silent = " ".join(each for each in told if all(each != edit.told for edit in edits))
    return is_one and not contrasts_in(silent) and all(map(_is_whole, edits))


def _is_whole(edit: _Edit) -> bool:
    """Say whether each value that a sentence names stands in the entry then, or stood there."""
    known = f"{edit.now} {edit.held.entry.text}".casefold()
    fresh = (value.text for value in values_in(edit.told) if value.kind in STRONG)
    return all(value.casefold() in known for value in fresh)


def _edits(exchange: Exchange, told: Sequence[str], entries: Sequence[Held]) -> Iterator[_Edit]:
    """Yield what each sentence changes, in the entries that it names, or else in those that it answers a statement of."""
    for sentence in told:
        made = [each for held in entries for each in _changes(held, sentence)]
        named = [each for each in made if _names(*each)]
        found = [each for each in named if _shares(*each)] or _answered(exchange, made)
        found = found or [each for each in named if not _is_said_before(exchange, *each)]
        yield from (edit for edit, _, _ in found)


def _changes(held: Held, told: str) -> Iterator[tuple[_Edit, str, Righting]]:
    """Yield how an entry reads with each of its clauses put right by a sentence."""
    statement = held.parts.statement
    for clause in clauses_of(statement):
        righted = put_right(clause, told)
        now = None if righted is None else exchanged_all(statement, righted.exchanges)
        if righted is not None and now is not None:  # what stands twice is no one value
            yield _Edit(held, now, told), clause, righted


def _names(edit: _Edit, clause: str, righted: Righting) -> bool:
    """Say whether a sentence names what an entry is about."""
    bare = right_statement(edit.told, least=SHORTEST_STATEMENT - (HANGUL.search(edit.told) is not None))
    if not bare or POINTING.match(bare):  # `it's called main` does not say what is
        return False
    is_named = _shares(edit, clause, righted) or any(old in edit.told for old, _ in righted.exchanges)
    is_more = any(old in new for old, new in righted.exchanges)  # more words about it are no other value
    return is_named and not is_more and names_same(bare_end(bare), clause, righted)


def _is_said_before(exchange: Exchange, _: _Edit, clause: str, righted: Righting) -> bool:
    """Say whether what gives way stands in what the agent said last: a message that names nothing else is about that."""
    last = next(iter(exchange.before), "").casefold()
    return any(old.casefold() in last for old, _ in righted.exchanges)


def _shares(edit: _Edit, clause: str, righted: Righting) -> bool:
    """Say whether a sentence and a clause have a word in common, besides the values and what is said of anything."""
    return bool((subject(edit.told) - ANY_THING - subject(righted.values)) & subject(clause))


def _answered(
    exchange: Exchange, made: Sequence[tuple[_Edit, str, Righting]]
) -> list[tuple[_Edit, str, Righting]]:
    """Return the changes of what the agent said last and a sentence answers."""
    for back, message in enumerate(exchange.before if made else ()):
        told, said = made[0][0].told, clauses_of(message)
        meant = _nearest(told, [each for each in said if put_right(each, told) is not None] or said)
        if not meant or (back and not subject(told) & subject(meant)):
            continue  # what names nothing answers the last thing said
        found = [each for each in made if is_about(each[1], meant, each[2])]
        if found:
            return found
    return []


def _nearest(told: str, said: Sequence[str]) -> str:
    """Return the clause that shares most with a sentence, none where several do."""
    about = subject(told)
    most = max((len(about & subject(each)) for each in said), default=0)
    found = [each for each in said if len(about & subject(each)) == most]
    return found[0] if len(found) == 1 else ""
