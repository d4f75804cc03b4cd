"""What an operator's message sets right: in what was said before, and in what is remembered. Pure; nothing is invented.

Values come from the operator's message, all other words from what is there. What cannot be told apart is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clawgit.memory.corrections import Status
from clawgit.memory.rightings import Righting, exchanged, put_right
from clawgit.memory.same_subject import ALIKE, is_about, names_same, renames, without_values
from clawgit.memory.spoken import in_force, statements_before
from clawgit.memory.statements import Parted, clauses_of, parted, sentences_of
from clawgit.memory.tellings import SHORTEST_STATEMENT, names_wrong, right_statement
from clawgit.text.similarity import likeness, words
from clawgit.text.subjects import subject
from clawgit.text.valuekinds import ValueKind, values_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clawgit.memory.entries import Entry

HIGH = "high"
MOST_AT_ONCE = 8  # parts of a message that are looked at one by one
APART = 10  # so much more alike must the likeliest of several entries be
SHORT_VALUE = 8  # words, or Chinese characters: no longer a message than that may name nothing
_POINTING = re.compile(r"(?i)(?:it|that|this|they|he|she|the (?:right|correct) (?:one|answer))\b|['’]s\b")
_OWNING = re.compile(r"(?i)(?:her|his|their|its|my|the)\b|i\b")
# What is asked for is how to do something, or what something can do: no memory of the operator's life.
_CAPABILITY = re.compile(
    r"(?i)\bhow to (?:use|call|run|start|invoke|operate|trigger|deploy|access)\b"
    r"|\b(?:you|yourself) (?:(?:can|could) (?:use|call|run|access)|have access|are able|know how)\b|\byou have (?:a|the) (?:tool|skill|command|script)\b"
    r"|\b(?:which|what|the right|the) (?:tool|command|script|skill|api|endpoint) (?:to use|to call|for)\b"
    r"|(?:도구|스크립트|명령어?).{0,12}(?:쓰|사용|호출|실행)|(?:쓰는|사용하는|호출하는|실행하는) (?:법|방법)"
    r"|(?:怎么|怎麼|如何)(?:用|使用|调用|調用|运行|執行|执行)|(?:工具|脚本|腳本|命令).{0,6}(?:用法|怎么|怎麼|如何)"
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the operator says now, in his own words, and what the agent said ``before``, the latest message first.

    ``confidence`` is triage's, that something is set right at all. ``since``: what of it was set right by then, and how.
    """

    told: str
    confidence: str
    before: tuple[str, ...] = ()
    since: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Held:
    """An entry, and the file that it stands in."""

    path: str
    entry: Entry

    @property
    def parts(self) -> Parted:
        """Return its words in parts."""
        return parted(self.entry.text)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an exchange comes to.

    ``wrong`` are entries with the statements that they should make, ``right`` those that read right already.
    ``is_capability``: it is about what the agent can do, not about what it should remember.
    """

    status: Status
    said: str = ""
    correct: str = ""
    wrong: tuple[tuple[Held, str], ...] = ()
    right: tuple[Held, ...] = ()
    is_capability: bool = False
    note: str = ""


def judge_each(exchange: Exchange, entries: Sequence[Held]) -> tuple[Verdict, ...]:
    """Return what each part of a message sets right in memory, where two or more do; else what the whole comes to.

    Two parts that change one entry are not told apart.
    """
    parts = clauses_of(exchange.told)
    found: dict[str, Verdict] = {}
    for number, told in enumerate(parts if 1 < len(parts) <= MOST_AT_ONCE else ()):
        verdict = judge(replace(exchange, told=told), entries)
        names = without_values(right_statement(told, least=1)) & subject(verdict.said)
        if verdict.status is Status.APPLIED and (names or number == 0):
            found.setdefault(verdict.said, verdict)
    touched = [(held.path, held.entry.first) for each in found.values() for held, _ in each.wrong]
    if len(found) < 2 or len(touched) != len(set(touched)):
        return (judge(exchange, entries),)
    return tuple(found.values())


def judge(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    """Return what an exchange sets right, of the entries of core memory."""
    told = next(iter(_substances(exchange.told)), "")
    said, righted = _statement_meant(exchange)
    if righted is not None:
        verdict = in_memory(said, righted, entries)
        meant = None
        if not (verdict.wrong or verdict.right or verdict.note) and _names_something(exchange.told, righted):
            meant = _entry_meant(exchange, entries)
        return verdict if meant is None else in_memory(*meant, entries)
    if _CAPABILITY.search(exchange.told):
        return Verdict(Status.LOGGED, _last(exchange), is_capability=True)
    if exchange.confidence != HIGH and not exchange.before:
        return Verdict(Status.LOGGED)
    remembered = _entry_meant(exchange, entries)
    if remembered is not None:
        return in_memory(*remembered, entries)
    if exchange.confidence == HIGH and told and (statement := right_statement(told)):
        return Verdict(Status.LOGGED, _last(exchange), statement)
    is_wrong = exchange.confidence == HIGH or names_wrong(exchange.told) or _is_unclear(exchange)
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

    What says whose it is, or who, and names something else, answers the last thing said at most. A sentence that is
    not ``alone`` must point at what was said, or name it.
    """
    bare = right_statement(told, least=1)
    about = without_values(bare)
    if len(about & subject(said)) * 2 >= len(about):
        return True
    if len(words(bare)) > SHORT_VALUE:
        return False
    points = bool(_POINTING.match(bare)) and not _OWNING.match(bare)
    return points or (alone and is_last)


def _names_something(told: str, righted: Righting) -> bool:
    """Say whether a message names what it is about; a bare `not Thursday, Friday` is about what was said before it."""
    return bool(without_values(told) - subject(righted.values))


def _entry_meant(exchange: Exchange, entries: Sequence[Held]) -> tuple[str, Righting] | None:
    """Return what one entry says, clause by clause, that the message sets right by itself; None if several do."""
    for told in _substances(exchange.told):
        bare = right_statement(told, least=SHORTEST_STATEMENT)
        about = subject(bare)
        found = {
            clause: righted
            for held in (entries if bare else ())
            if about & subject(held.parts.statement)
            for clause in clauses_of(held.parts.statement)
            if (righted := put_right(clause, told)) is not None
            and names_same(bare, clause, righted)
            and not renames(clause, righted)
        }
        if found:
            return next(iter(found.items())) if len(found) == 1 else None
    return None


def _names_either(held: Held, righted: Righting) -> bool:
    """Say whether an entry holds what gave way or what came in its place; a look that costs nothing."""
    if not righted.exchanges:
        return True
    text = held.entry.text.casefold()
    return any(value.casefold() in text for pair in righted.exchanges for value in pair)


def _put_into(held: Held, said: str, righted: Righting) -> str | None:
    """Return the entry's statement with what is right in it, None where it does not say what is wrong."""
    statement = held.parts.statement
    if righted.exchanges:
        now: str | None = statement
        for old, new in righted.exchanges:
            now = None if now is None else exchanged(now, old, new)
        return now
    if likeness(statement, said) < ALIKE or likeness(statement, righted.correct) < ALIKE:
        return None
    return righted.correct if righted.correct != statement else None


def _says(held: Held, righted: Righting) -> bool:
    """Say whether an entry says what is right."""
    right = [new for _, new in righted.exchanges] or [righted.correct]
    return all(each.casefold().rstrip(".。") in held.parts.statement.casefold() for each in right)


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
