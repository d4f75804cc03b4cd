"""Entries that say the same in nearly the same words, and those that look alike and differ in a fact. Pure."""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import LESSONS
from clawgit.memory.expiry import came_back, is_the_operators
from clawgit.memory.trust import TRUSTS
from clawgit.text.comparing.similarity import words
from clawgit.understanding.facts.same_statement import Relation, Statements
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from clawgit.memory.entry_states import EntryState

SHARED = 0.5  # of the words of both: what has less is not compared
MOST_HOLDING = 200  # entries with a word: it tells no two of them apart
MOST_COMPARED = 12


Standing = tuple[str | None, str]  # an entry's id and text


class Pairs(NamedTuple):
    """Near-duplicates, each with the entry that stays, and pairs that differ in a fact: these are for the conflict detector."""

    same: tuple[tuple[EntryState, EntryState], ...] = ()
    differing: tuple[tuple[EntryState, EntryState], ...] = ()


def near_duplicates(
    states: Sequence[EntryState], changed: Collection[str], before: Collection[Standing]
) -> Pairs:
    """Return the pairs among entries, one of each pair in a file that ``changed`` and not as it was ``before``.

    Only what an agent wrote gives way, to an entry that rests on as much, and of two such the younger. A word in which
    numbers, dates, names or a negation differ makes them two.
    """
    compared = [state for state in states if state.entry.entry_id and state.path != LESSONS]
    near = _Near([parted(state.entry.text).statement for state in compared])
    same: dict[str, tuple[EntryState, EntryState]] = {}
    differing: dict[tuple[str, str], tuple[EntryState, EntryState]] = {}
    for at, state in enumerate(compared):
        if state.path not in changed or (state.entry.entry_id, state.entry.text) in before:
            continue
        for other in near.like(at):
            pair = _in_order(state, compared[other])
            relation = near.relation(at, other)
            if relation is Relation.CONFLICT:
                differing[_key(pair)] = pair
            elif relation is Relation.SAME and may_give_way(pair[0]) and not came_back(pair[1]):
                same.setdefault(pair[0].entry.entry_id or "", pair)
    leaving = set(same)
    kept = [pair for pair in same.values() if (pair[1].entry.entry_id or "") not in leaving]
    return Pairs(tuple(kept), tuple(differing.values()))


def may_give_way(state: EntryState) -> bool:
    """Say whether an entry is an agent's, and nothing of the operator's hand."""
    return state.source in AGENT_NAMES and not is_the_operators(state)


def _in_order(one: EntryState, other: EntryState) -> tuple[EntryState, EntryState]:
    """Return two entries, first the one that gives way: the less trusted, else the younger, else the later one."""

    def rank(state: EntryState) -> tuple[int, int, str, int]:
        trust = TRUSTS.index(state.trust) if state.trust in TRUSTS else -1
        return (-trust, state.since.toordinal(), state.path, state.entry.first)

    first, second = sorted((one, other), key=rank, reverse=True)
    if not may_give_way(first) and may_give_way(second) and first.trust == second.trust:
        return second, first
    return first, second


def _key(pair: tuple[EntryState, EntryState]) -> tuple[str, str]:
    one, other = sorted(state.entry.entry_id or "" for state in pair)
    return one, other


class _Near:
    """Statements by their rarest words: two that share most words share one of those."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._words = [frozenset(words(text)) for text in texts]
        counts = Counter(word for each in self._words for word in each)
        self._rarest = [sorted(each, key=lambda word: (counts[word], word)) for each in self._words]
        self._rarest = [each[: len(each) - ceil(SHARED * len(each)) + 1] for each in self._rarest]
        self._holding: dict[str, list[int]] = {}
        for at, each in enumerate(self._rarest):
            for word in each:
                self._holding.setdefault(word, []).append(at)

    def like(self, at: int) -> Iterator[int]:
        own = self._words[at]
        found: Counter[int] = Counter()
        for word in self._rarest[at]:
            holding = self._holding[word]
            if len(holding) <= MOST_HOLDING:
                found.update(holding)
        del found[at]
        shares = ((len(own & self._words[other]) / len(own | self._words[other]), other) for other in found)
        near = sorted(((-share, other) for share, other in shares if share > SHARED))
        yield from (other for _, other in near[:MOST_COMPARED])

    def relation(self, at: int, other: int) -> Relation:
        found = Statements([self._texts[other]]).like(self._texts[at])
        return found[0][1] if found else Relation.DIFFERENT
