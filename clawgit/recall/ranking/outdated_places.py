"""Lines that state what was corrected since, whichever words they say it in, and the correction that holds instead."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.conflict_log import Contradiction, as_logged
from clawgit.memory.entries.statements import sentences_of
from clawgit.memory.trust import OPERATOR, UNDERSTOOD
from clawgit.recall.index.places import CLAIMED, CORRECTION, HEADING, EntryCorrection, Place
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date
    from types import ModuleType
    from typing import TypeAlias

    from clawgit.recall.index.search_index import Index
    from clawgit.recall.ranking.ranking import Ranked

    Lost: TypeAlias = Mapping[str, Sequence["Superseded"]]

LOGGED = (CORRECTION, CLAIMED)
# A correction that holds less of a question than this is raised unless so many other lines hold as much: a name alone.
SINGLED_OUT, MOST_RIVALS = 0.5, 3
HALF = 0.5  # what one that is not in force says is worth beside what memory says, and what is outdated beside what holds


class OutdatedPlaces:
    """The operator's corrections that some texts may have been overtaken by: those whose old words they hold."""

    def __init__(self, index: Index, texts: Iterable[str], names: frozenset[str]) -> None:
        """Look for corrections; ``names`` are the operator's."""
        self._names = names
        # A correction and what holds, the two statements, and beginnings of words: each outdated text has one of them.
        self._corrections: list[tuple[Place, Place, str, str, frozenset[str]]] = []
        corrections = index.correction_texts()
        if not corrections:
            return
        together = "\n".join(texts).lower()
        may_be = [
            place_id
            for place_id, text in corrections
            if any(word in together for word in _rules().gone_words(*_statements(text)))
        ]
        for place in index.places(may_be).values():
            if place.kind != CORRECTION or index.trust_of_correction(place.words) != OPERATOR:
                continue
            right: Place | None = place
            later = index.superseded([place.entry]).get(place.entry)
            if later is not None:
                latest = (each for each in index.entries([later.correction_id]) if each.kind == CORRECTION)
                right = next(latest, None)
            if right is not None:
                old_text, correct = _statements(place.text)[0], _statements(right.text)[1]
                gone = _rules().gone_words(old_text, correct)
                self._corrections.append((place, right, old_text, correct, gone))

    def correction_of(self, place: Place) -> Place | None:
        """Return what holds instead of a line; what the operator himself said on a later day has the last word."""
        if not self._corrections or place.kind in LOGGED:
            return None
        return self._first(_rules().is_outdated, place.text, self._said_on(place), "")

    def correction_beside(self, place: Place) -> Place | None:
        """Return what is to be read before a line: it names a value that gave way, and may say something else of it."""
        if not self._corrections or place.kind in (*LOGGED, HEADING):
            return None
        return self._first(_rules().repeats_value, place.text, self._said_on(place), "")

    def _said_on(self, place: Place) -> str:
        return place.day or "" if _rules().is_said_by_user(place.text, self._names) else ""

    def correction_above_text(self, text: str, *, said_on: str = "", speaker: str = "") -> Place | None:
        """Return what holds instead of a text, or is to be read before it."""
        if not self._corrections:
            return None
        stated = self._first(_rules().is_outdated, text, said_on, speaker)
        return stated or self._first(_rules().repeats_value, text, said_on, speaker)

    def _first(self, applies: Callable[..., bool], text: str, said_on: str, speaker: str) -> Place | None:
        low = text.lower()
        for place, right, old_text, correct, gone in self._corrections:
            if said_on > (place.day or said_on) or not any(word in low for word in gone):
                continue
            if applies(text, old_text, correct, speaker=speaker, names=self._names):
                return right
        return None


def _rules() -> ModuleType:
    from clawgit.understanding.corrections import outdated

    return outdated


def _statements(text: str) -> tuple[str, str]:
    correct, _, old_text = text.partition("\n")
    return old_text.partition("\n")[0], correct


class Scored(NamedTuple):
    """A place that was found, and what it corrects of what was found; an outdated one is shown by itself."""

    place: Place
    order: float
    score: float
    instead_of: tuple[Place, ...] = ()
    talk: bool = False
    is_outdated: bool = False
    direct: float = 0.0  # what its own words alone would score


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
    hits = [hit for hit in ranked if hit.key in places and (hit.direct or places[hit.key].kind != HEADING)]
    outdated = OutdatedPlaces(index, (places[hit.key].text for hit in hits), weights.names)
    names = sorted(filter(None, {places[hit.key].entry for hit in hits}))
    corrected = index.corrections_of(names) | index.superseded(names)
    standing = {
        place.entry: place
        for place in index.entries(sorted({each.correction_id for each in corrected.values()}))
        if place.kind == CORRECTION
    }
    rights: list[Place | None] = []
    rivals: list[float] = []  # how much of the question lines hold that nothing corrects
    terms_held: dict[int, float] = {}  # the same, by the terms that they hold
    for hit in hits:
        place = places[hit.key]
        right = _right_of(place, corrected.get(place.entry), standing, outdated)
        rights.append(right)
        if right is None and place.kind not in LOGGED:
            rivals.append(hit.direct)
            terms_held[hit.held] = max(hit.direct, terms_held.get(hit.held, 0.0))
    rivals.sort()
    by_place: dict[int, Scored] = {}
    for hit, right in zip(hits, rights, strict=True):
        place = places[hit.key]
        scored = Scored(place, max(0.0, hit.order), hit.coverage, talk=hit.talk, direct=hit.direct)
        correction = corrected.get(place.entry)
        beside = None if right or correction else outdated.correction_beside(place)
        if right is None and beside is None and place.kind not in LOGGED:
            merge(by_place, scored, 1.0)
            continue
        lift = 1.0
        if _may_rise(hit, rivals, terms_held):
            lift = _lift(hit, weights.boost)
        if beside is not None:
            merge(by_place, scored._replace(place=beside), 1.0)
            merge(by_place, scored._replace(is_outdated=True), 1.0)
        elif right is None:
            merge(by_place, scored, {CORRECTION: lift, CLAIMED: HALF}.get(place.kind, 1.0))
        elif correction is not None and _reads_right(place, correction.correct):
            merge(by_place, scored._replace(place=right), lift)
            merge(by_place, scored, 1.0)
        elif correction is not None and _stays_beside(index, place, right):
            merge(by_place, scored._replace(place=right), lift)
            merge(by_place, scored._replace(is_outdated=True), 1.0)
        elif correction is not None:
            merge(by_place, scored._replace(place=right, instead_of=(place,)), lift)
        else:
            own = _by_itself(scored, hit)
            merge(by_place, own._replace(place=right, instead_of=(place,)), weights.boost)
            if len(sentences_of(place.text)) > 1:
                merge(by_place, own._replace(is_outdated=True), HALF)
    return list(by_place.values())


def _right_of(
    place: Place, correction: EntryCorrection | None, standing: Mapping[str, Place], outdated: OutdatedPlaces
) -> Place | None:
    if correction is None:
        return outdated.correction_of(place)
    return standing.get(correction.correction_id)


def _stays_beside(index: Index, place: Place, right: Place) -> bool:
    """Say whether a reading leaves what it corrects beside it: the operator's words, but no older reading."""
    is_reading = place.kind == CORRECTION and index.trust_of_correction(place.words) == UNDERSTOOD
    return not is_reading and index.trust_of_correction(right.words) == UNDERSTOOD


def _by_itself(scored: Scored, hit: Ranked) -> Scored:
    """Return a line with what its own words answer: those around it speak of others."""
    share = hit.direct / hit.coverage if hit.coverage else 0.0
    return scored._replace(order=scored.order * share, score=scored.score * share)


def _may_rise(hit: Ranked, rivals: Sequence[float], terms_held: Mapping[int, float]) -> bool:
    """Say whether few lines hold as much of the question as a correction, and none of them a term that it lacks: the `violin` beside the piano."""
    others = 0
    for terms, share in terms_held.items():
        if share >= hit.direct:
            others |= terms
    is_single = hit.direct >= SINGLED_OUT or len(rivals) - bisect_left(rivals, hit.direct) < MOST_RIVALS
    return is_single and not others & ~hit.held


def _lift(hit: Ranked, boost: float) -> float:
    """Return what a correction is raised by: the whole boost for what the line itself answers, nothing for what is there around it."""
    if not hit.coverage:
        return 1.0
    return 1.0 + (boost - 1.0) * (hit.direct / hit.coverage)


def _reads_right(entry: Place, correct: str) -> bool:
    """Say whether an entry says by now what is right: then it stays, behind its correction."""
    return f" {index_terms(correct)} " in f" {index_terms(statement_of(entry))} "


def statement_of(place: Place) -> str:
    """Return what a place says; of a correction, in force or not, what is right, not what was said before."""
    return place.text.split("\n", 1)[0] if place.kind in LOGGED else place.text


def merge(by_place: dict[int, Scored], scored: Scored, boost: float) -> None:
    """Keep what was found; what was found more than once, at its best."""
    new = scored
    if boost != 1.0:
        new = scored._replace(order=scored.order * boost, score=scored.score * boost)
    old = by_place.get(new.place.place_id)
    if old is not None:
        best = max(old, new, key=lambda each: each.order)
        new = best._replace(instead_of=old.instead_of + new.instead_of, score=max(old.score, new.score))
    by_place[new.place.place_id] = new


class Superseded(NamedTuple):
    """What an entry said when it lost a conflict, and which entry (`m:…`) holds, saying what."""

    said: str
    winner: str
    says: str


def superseded_by(conflicts: Iterable[Contradiction]) -> Lost:
    """Return by id (`m:…`) the entries that lost some of these conflicts, with each of them."""
    winners: dict[str, list[Superseded]] = {}
    for each in conflicts:
        if each.loser is not None and each.winner is not None:
            winner = Superseded(each.loser.statement, f"m:{each.winner.entry_id}", each.winner.statement)
            winners.setdefault(f"m:{each.loser.entry_id}", []).append(winner)
    return winners


def with_winners(index: Index, hits: Sequence[Scored], lost: Lost) -> list[Scored]:
    """Return what was found, with what holds in the place of entries that lost a conflict, as long as both read as they did."""
    losers = [each.place.entry for each in hits if each.place.entry in lost]
    if not losers:
        return list(hits)
    names = sorted({each.winner for rivals in lost.values() for each in rivals})
    winners = {place.entry: place for place in index.entries(names)}
    by_place: dict[int, Scored] = {}
    for each in hits:
        right = _winner(each.place, lost, winners)
        if right is None:
            merge(by_place, each, 1.0)
        else:
            merge(by_place, each._replace(place=right, instead_of=(*each.instead_of, each.place)), 1.0)
    return list(by_place.values())


def _winner(
    place: Place, lost: Lost, winners: Mapping[str, Place], passed: tuple[str, ...] = ()
) -> Place | None:
    """Return the place of what holds in the end: what superseded one may be superseded itself."""
    passed = (*passed, place.entry)
    for each in lost.get(place.entry, ()):
        winner = winners.get(each.winner)
        if winner is None or winner.entry in passed:
            continue
        if _says(place, each.said) and _says(winner, each.says):
            return _winner(winner, lost, winners, passed) or winner
    return None


def _says(place: Place, statement: str) -> bool:
    here, statement_terms = (f" {index_terms(text)} " for text in (as_logged(place.text), statement))
    return bool(statement_terms.strip()) and statement_terms in here
