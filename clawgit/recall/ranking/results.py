"""From ranked lines to what is shown: corrections in place of what they correct, decay, order, adjacent lines joined."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.conflict_log import as_logged
from clawgit.memory.entries.statements import sentences_of
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.trust import UNDERSTOOD
from clawgit.recall.index.places import CLAIMED, CORRECTION, HEADING, NOTED
from clawgit.recall.index.searched_files import EXTRA
from clawgit.recall.ranking.arrangement import Hit, by_shown_score, diversified, joined, spread_by_file
from clawgit.recall.ranking.outdated_places import LOGGED, OutdatedPlaces
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date
    from typing import TypeAlias

    from clawgit.memory.conflict_log import Contradiction
    from clawgit.recall.index.places import Place
    from clawgit.recall.index.search_index import Index
    from clawgit.recall.questions.question import Question
    from clawgit.recall.ranking.ranking import Ranked
    from clawgit.recall.ranking.term_evidence import Part

    Lost: TypeAlias = Mapping[str, Sequence["Superseded"]]


# A correction that holds less of a question than this is raised unless so many other lines hold as much: a name alone.
SINGLED_OUT, MOST_RIVALS = 0.5, 3
BESIDE_MEMORY = 0.85  # what is no memory of the agent's stands below memory that answers about as well
HALF = 0.5  # what one that is not in force says is worth beside what memory says, and what is outdated beside what holds


def decay_weight(age_days: float, half_life_days: float) -> float:
    """Return exp(-ln 2 / half-life x age); 1 for the future and for a half-life of nothing."""
    if half_life_days <= 0:
        return 1.0
    return math.exp(-math.log(2) / half_life_days * max(0.0, age_days))


class Scored(NamedTuple):
    """A place that was found, and what it corrects of what was found; an outdated one is shown by itself."""

    place: Place
    order: float
    score: float
    parts: tuple[Part, ...] = ()
    instead_of: tuple[Place, ...] = ()
    talk: bool = False
    is_outdated: bool = False


class Weights(NamedTuple):
    """What changes the order beside the ranking: the boost of corrections, and decay (a half-life of 0 is none).

    ``formula``: where there are vectors, what they and keywords weigh in the order; None is the usual order. ``names`` are the operator's:
    what is said of them is said of `User`.
    """

    boost: float
    half_life_days: float
    today: date
    formula: tuple[float, float] | None = None
    names: frozenset[str] = frozenset()


def with_corrections(
    index: Index, ranked: Sequence[Ranked], weights: Weights, gone: Mapping[int, Place]
) -> list[Scored]:
    """Return the ranked places, corrections boosted, and standing in for what they correct: by its id, or by what it states.

    Nothing is boosted for what is only around it, nor for a name that many lines hold; a title is no neighbour. ``gone`` are the retired
    places, which the index does not know. What says more than is outdated is below its correction.
    """
    places = {**index.places([hit.key for hit in ranked]), **gone}
    found = [hit for hit in ranked if hit.key in places and (hit.direct or places[hit.key].kind != HEADING)]
    outdated = OutdatedPlaces(index, (places[hit.key].text for hit in found), weights.names)
    names = sorted(filter(None, {places[hit.key].entry for hit in found}))
    corrected = index.corrections_of(names) | index.superseded(names)
    standing = {
        place.entry: place
        for place in index.entries(sorted({c.correction_id for c in corrected.values()}))
        if place.kind == CORRECTION
    }
    rights: list[Place | None] = []
    rivals: list[float] = []  # how much of the question lines hold that nothing corrects
    for hit in found:
        place = places[hit.key]
        known = corrected.get(place.entry)
        right = outdated.correction_of(place) if known is None else standing.get(known.correction_id)
        rights.append(right)
        if right is None and place.kind not in LOGGED:
            rivals.append(hit.direct)
    rivals.sort()
    kept: dict[int, Scored] = {}
    for hit, right in zip(found, rights, strict=True):
        place, lift = places[hit.key], 1.0
        if hit.direct >= SINGLED_OUT or len(rivals) - bisect_left(rivals, hit.direct) < MOST_RIVALS:
            lift = _lift(hit, weights.boost)
        scored = Scored(place, max(0.0, hit.order), hit.coverage, hit.parts, talk=hit.talk)
        known = corrected.get(place.entry)
        beside = None if right or known else outdated.correction_beside(place)
        if beside is not None:
            merge(kept, scored._replace(place=beside), 1.0)
            merge(kept, scored._replace(is_outdated=True), 1.0)
        elif right is None:
            merge(kept, scored, {CORRECTION: lift, NOTED: HALF, CLAIMED: HALF}.get(place.kind, 1.0))
        elif known is not None and _reads_right(place, known.correct):
            merge(kept, scored._replace(place=right), lift)
            merge(kept, scored, 1.0)
        elif known is not None and index.trust_of_correction(right.words) == UNDERSTOOD:
            merge(kept, scored._replace(place=right), lift)
            merge(kept, scored._replace(is_outdated=True), 1.0)
        elif known is not None:
            merge(kept, scored._replace(place=right, instead_of=(place,)), lift)
        else:
            own = _by_itself(scored, hit)
            merge(kept, own._replace(place=right, instead_of=(place,)), weights.boost)
            if len(sentences_of(place.text)) > 1:
                merge(kept, own._replace(is_outdated=True), HALF)
    return list(kept.values())


def _by_itself(scored: Scored, hit: Ranked) -> Scored:
    """Return a line with what its own words answer: those around it speak of others."""
    share = hit.direct / hit.coverage if hit.coverage else 0.0
    return scored._replace(order=scored.order * share, score=scored.score * share)


def _lift(hit: Ranked, boost: float) -> float:
    """Return what a correction is raised by: the whole boost for what the line itself answers, nothing for what is there around it."""
    if not hit.coverage:
        return 1.0
    return 1.0 + (boost - 1.0) * (hit.direct / hit.coverage)


def _reads_right(entry: Place, correct: str) -> bool:
    """Say whether an entry says by now what is right: then it stays, behind its correction."""
    return f" {index_terms(correct)} " in f" {index_terms(statement_of(entry))} "


def statement_of(place: Place) -> str:
    """Return what a place says; of a correction, what is right, not what was said before."""
    return place.text.split("\n", 1)[0] if place.kind == CORRECTION else place.text


def merge(kept: dict[int, Scored], scored: Scored, boost: float) -> None:
    """Keep what was found; what was found more than once, at its best."""
    new = scored
    if boost != 1.0:
        new = scored._replace(order=scored.order * boost, score=scored.score * boost)
    old = kept.get(new.place.place_id)
    if old is not None:
        best = max(old, new, key=lambda each: each.order)
        new = best._replace(instead_of=old.instead_of + new.instead_of, score=max(old.score, new.score))
    kept[new.place.place_id] = new


def in_order(found: Iterable[Scored], weights: Weights) -> list[Scored]:
    """Return what was found as it is to be shown: decayed, where that is wanted; of equals, core memory and the latest first."""
    weighed = []
    for each in found:
        order = each.order * _weight(each.place, weights)
        if each.place.source == EXTRA:
            order *= BESIDE_MEMORY
        weighed.append(each._replace(order=order))
    return sorted(
        weighed,
        key=lambda each: (
            -each.order,
            each.is_outdated,
            each.place.source == EXTRA,
            each.place.tier,
            -_ordinal(each.place.on),
            each.place.path,
            each.place.first,
        ),
    )


def arranged(
    found: Sequence[Scored],
    terms: Mapping[int, str],
    *,
    per_file: int,
    trade: float | None,
    guesses: bool,
) -> list[list[Scored]]:
    """Return what was found in groups of adjacent lines, files mixed, near-duplicates apart if that is wanted."""
    by_key = {each.place.place_id: each for each in found}
    hits = [
        Hit(
            key,
            _file(each.place),
            each.place.first,
            each.place.last,
            each.order,
            each.score,
            terms.get(key, ""),
            each.talk or bool(each.place.entry),
            len(each.place.text),
        )
        for key, each in by_key.items()
    ]
    if trade is not None:
        hits = diversified(hits, trade)
    groups = [
        [by_key[hit.key] for hit in group]
        for group in joined(spread_by_file(hits, per_file), guesses=guesses)
    ]
    return [part for group in groups for part in _corrections_apart(group)]


def with_text_below(
    index: Index, groups: Sequence[list[Scored]], question: Question, names: frozenset[str]
) -> list[list[Scored]]:
    """Return the groups; one that ends with a heading, with the group that begins below it, which is shown there alone.

    What was corrected is not shown below a heading. One with nothing below it has to hold a word that is asked for.
    """
    asked = frozenset(word for term in question.terms if not term.dated for word in term.words)
    below = _below(index, [group[-1].place for group in groups if _is_heading(group[-1])])
    corrected = index.corrections_of([chain[-1].entry for chain in below.values() if chain[-1].entry])
    outdated = OutdatedPlaces(index, (chain[-1].text for chain in below.values()), names)
    replaced = {chain[-1].place_id for chain in below.values() if outdated.correction_of(chain[-1])}
    replaced |= {old.place_id for group in groups for each in group for old in each.instead_of}
    beginning = {group[0].place.place_id: group for group in groups}
    done: set[int] = set()
    found = []
    for group in groups:
        first, chain = group[0].place.place_id, below.get(group[-1].place.place_id, [])
        if first in done:
            continue
        if chain and chain[-1].place_id not in replaced and chain[-1].entry not in corrected:
            *between, text = chain
            done.update(place.place_id for place in chain)
            headings = [*group, *(group[-1]._replace(place=place) for place in between)]
            found.append([*headings, *beginning.get(text.place_id, [group[-1]._replace(place=text)])])
        elif not all(map(_is_heading, group)) or holds_any(group, asked):
            found.append(group)
        done.add(first)
    return found


def _below(index: Index, headings: Sequence[Place]) -> dict[int, list[Place]]:
    """Return for each heading the first text below it, unless that is a correction, and the headings between that belong to it."""
    found: dict[int, list[Place]] = {}
    open_ends = {heading.place_id: [heading] for heading in headings}
    while open_ends:
        following = index.below([chain[-1].place_id for chain in open_ends.values()])
        grown: dict[int, list[Place]] = {}
        for first, (heading, *between) in open_ends.items():
            place = following.get((between or [heading])[-1].place_id)
            if place is None or place.titles[: len(heading.titles)] != heading.titles:
                continue
            if place.kind == HEADING:
                grown[first] = [heading, *between, place]
            elif place.kind not in LOGGED:
                found[first] = [*between, place]
        open_ends = grown
    return found


def _is_heading(scored: Scored) -> bool:
    return scored.place.kind == HEADING


def holds_any(group: Sequence[Scored], words: frozenset[str]) -> bool:
    """Say whether one of the texts of a group holds one of these words."""
    return any(not words.isdisjoint(index_terms(each.place.text).split()) for each in group)


def with_shown_scores(groups: Sequence[list[Scored]]) -> list[tuple[float, list[Scored]]]:
    """Return the groups with the score that each is shown with, in the order of these scores."""
    return by_shown_score(
        groups,
        lambda group: max(each.score for each in group),
        lambda group: group[0].place.kind == CORRECTION,
    )


def _corrections_apart(group: list[Scored]) -> list[list[Scored]]:
    """Return a group as it is, but each correction in it by itself, and what is outdated: they are statements, not lines."""
    if any(each.place.kind in LOGGED or each.is_outdated for each in group):
        return [[each] for each in group]
    return [group]


def _file(place: Place) -> str:
    """Return by what places count as of one file; what is retired is beside nothing."""
    return place.path if place.retirement is None else f"{place.path}\0{place.place_id}"


def _weight(place: Place, weights: Weights) -> float:
    on = date_of(place.path) or place.on
    if weights.half_life_days <= 0 or place.tier != "T2" or place.kind == CORRECTION or on is None:
        return 1.0
    return decay_weight((weights.today - on).days, weights.half_life_days)


def _ordinal(on: date | None) -> int:
    return 0 if on is None else on.toordinal()


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
        if right is None:
            merge(kept, each, 1.0)
        else:
            merge(kept, each._replace(place=right, instead_of=(*each.instead_of, each.place)), 1.0)
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
