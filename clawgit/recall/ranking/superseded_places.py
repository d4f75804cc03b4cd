"""Entries that lost a conflict: what holds is in their place, and they are below it, marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.conflict_log import as_logged
from clawgit.recall.ranking.results import Scored, merge
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from clawgit.memory.conflict_log import Contradiction
    from clawgit.recall.index.places import Place
    from clawgit.recall.index.search_index import Index

    Lost: TypeAlias = Mapping[str, Sequence["Superseded"]]


class Superseded(NamedTuple):
    """What an entry said when it lost a conflict, and which entry (`m:…`) holds, saying what."""

    said: str
    winner: str
    says: str


def superseded_by(conflicts: Iterable[Contradiction]) -> Lost:
    """Return by id (`m:…`) the entries that lost some of these conflicts, with each of them."""
    found: dict[str, list[Superseded]] = {}
    for each in conflicts:
        if each.loser is not None and each.winner is not None:
            winner = Superseded(each.loser.statement, f"m:{each.winner.entry_id}", each.winner.statement)
            found.setdefault(f"m:{each.loser.entry_id}", []).append(winner)
    return found


def with_winners(index: Index, found: Sequence[Scored], lost: Lost) -> list[Scored]:
    """Return what was found, with what holds in the place of entries that lost a conflict, as long as both read as they did."""
    losers = [each.place.entry for each in found if each.place.entry in lost]
    if not losers:
        return list(found)
    names = sorted({each.winner for known in lost.values() for each in known})
    winners = {place.entry: place for place in index.entries(names)}
    kept: dict[int, Scored] = {}
    for each in found:
        right = _winner(each.place, lost, winners)
        old = () if right is None else (each.place,)
        merge(
            kept,
            each if right is None else each._replace(place=right, instead_of=(*each.instead_of, *old)),
            1.0,
        )
    return list(kept.values())


def _winner(place: Place, lost: Lost, winners: Mapping[str, Place]) -> Place | None:
    """Return the place of what holds in the end: what superseded one may be superseded itself."""
    found, passed = None, {place.entry}
    while winner := _standing(place, lost, winners, passed):
        found = place = winner
        passed.add(winner.entry)
    return found


def _standing(
    place: Place, lost: Lost, winners: Mapping[str, Place], passed: Collection[str]
) -> Place | None:
    """Return the place of the first winner against an entry that still says what it did, as the entry does."""
    for each in lost.get(place.entry, ()):
        winner = winners.get(each.winner)
        if winner is None or winner.entry in passed:
            continue
        if _says(place, each.said) and _says(winner, each.says):
            return winner
    return None


def _says(place: Place, statement: str) -> bool:
    here, said = (f" {index_terms(text)} " for text in (as_logged(place.text), statement))
    return bool(said.strip()) and said in here
