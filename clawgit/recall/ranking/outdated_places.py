"""Lines that state what a later correction replaced, in any wording, and that correction."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.conflict_log import Contradiction, as_logged
from clawgit.memory.entries.statements import of_day, sentences_of, without_day
from clawgit.memory.trust import OPERATOR, UNDERSTOOD
from clawgit.recall.index.places import CLAIMED, CORRECTION, HEADING, EntryCorrection, Place
from clawgit.text.safety.secrets import redact
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
# A correction with less of a question than this rises only if few other lines hold as much: it may be a name alone.
SINGLED_OUT, MOST_RIVALS = 0.5, 3
HALF = 0.5  # the worth of a correction not in force beside memory, of an outdated line or an old copy beside the valid one


class OutdatedPlaces:
    """The operator's corrections that may replace some texts: those with the same old words."""

    def __init__(self, index: Index, texts: Iterable[str], names: frozenset[str]) -> None:
        """Find the corrections; ``names`` are the operator's."""
        self._names = names
        # The valid place, the two statements, and beginnings of words: an outdated text has one of them.
        self._corrections: list[tuple[Place, str, str, frozenset[str]]] = []
        corrections = index.correction_texts()
        if not corrections:
            return
        together = "\n".join(texts).lower()
        may_be = []
        for place_id, text in corrections:
            if any(map(together.__contains__, _rules().gone_words(*_statements(text)))):
                may_be.append(place_id)
        for place in index.places(may_be).values():
            if place.kind != CORRECTION or index.trust_of_correction(place.words) != OPERATOR:
                continue
            rights = [place]
            later = index.superseded([place.entry]).get(place.entry)
            if later is not None:
                rights = [each for each in index.entries([later.correction_id]) if each.kind == CORRECTION]
            for right in rights[:1]:
                old_text, correct = _statements(place.text)[0], _statements(right.text)[1]
                gone = _rules().gone_words(old_text, correct)
                self._corrections.append((right, old_text, correct, gone))

    def correction_of(self, place: Place) -> Place | None:
        """Return the place that replaces a line; the operator's own later words decide."""
        if not self._corrections or place.kind in LOGGED:
            return None
        text = of_day(place.text, place.on)
        return self._first(_rules().is_outdated, text, self._said_on(place), "")

    def correction_beside(self, place: Place) -> Place | None:
        """Return the place to be read before a line: the line has a replaced value, but may be about something else."""
        if not self._corrections or place.kind in (*LOGGED, HEADING):
            return None
        return self._first(_rules().repeats_value, place.text, self._said_on(place), "")

    def _said_on(self, place: Place) -> str:
        return place.day or "" if _rules().is_said_by_user(place.text, self._names) else ""

    def correction_above_text(self, text: str, *, said_on: str = "", speaker: str = "") -> Place | None:
        """Return the place that replaces a text, or is to be read before it."""
        if not self._corrections:
            return None
        stated = self._first(_rules().is_outdated, text, said_on, speaker)
        return stated or self._first(_rules().repeats_value, text, said_on, speaker)

    def _first(self, applies: Callable[..., bool], text: str, said_on: str, speaker: str) -> Place | None:
        low = text.lower()
        for right, old_text, correct, gone in self._corrections:
            if _is_before(right, said_on) or not any(map(low.__contains__, gone)):
                continue
            if applies(text, old_text, correct, speaker=speaker, names=self._names):
                return right
        return None


def _is_before(correction: Place, said_on: str) -> bool:
    """Say whether a correction is older than words of a day, or of a minute: those are the operator's latest."""
    at = correction.day or said_on
    heading = "".join(correction.titles[-1:])
    if len(said_on) > len(at) and heading.startswith(at):
        at = heading  # a ledger's heading has its minute
    return said_on[: len(at)] > at


def _rules() -> ModuleType:
    from clawgit.understanding.corrections import outdated

    return outdated


def _statements(text: str) -> tuple[str, str]:
    correct, _, old_text = text.partition("\n")
    return old_text.partition("\n")[0], correct


class Scored(NamedTuple):
    """A place in the results, what it corrects among them, and the line ``standing`` that says so by now; an outdated one is shown by itself."""

    place: Place
    order: float
    score: float
    instead_of: tuple[Place, ...] = ()
    talk: bool = False
    is_outdated: bool = False
    see: Place | None = None  # the correction to be read before an outdated one
    direct: float = 0.0  # the score of its own words alone
    standing: Place | None = None


class Weights(NamedTuple):
    """Settings of the order beside the ranking: boost of corrections, and decay (a half-life of 0 is none).

    ``formula``: with vectors, the weights of vectors and keywords; None is the usual order. ``names`` are the
    operator's: a statement about them is about `User`.
    """

    boost: float
    half_life_days: float
    today: date
    formula: tuple[float, float] | None = None
    names: frozenset[str] = frozenset()


def with_corrections(
    index: Index, ranked: Sequence[Ranked], weights: Weights, gone: Mapping[int, Place]
) -> list[Scored]:
    """Return the ranked places, with corrections boosted and in place of what they correct, by id or by statement.

    No boost for a match only in the lines around, nor for a name in many lines; a title is not a neighbour. An
    outdated line with further content stays below its correction. ``gone`` are retired places.
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
    rivals: list[float] = []  # shares of the question in lines without a correction
    terms_held: dict[int, float] = {}  # the same, by the terms of the lines
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
        boost = _boost(right or place, weights)
        if _may_rise(hit, rivals, terms_held):
            lift = _lift(hit, boost)
        if beside is not None:
            merge(by_place, scored._replace(place=beside), 1.0)
            merge(by_place, scored._replace(is_outdated=True, see=beside), 1.0)
        elif right is None:
            merge(by_place, scored, {CORRECTION: lift, CLAIMED: HALF}.get(place.kind, 1.0))
        elif correction is not None and _reads_right(place, correction.correct):
            merge(by_place, scored._replace(place=right, standing=place), lift)
            merge(by_place, scored, 1.0)
        elif correction is not None and _stays_beside(index, place, right):
            merge(by_place, scored._replace(place=right), lift)
            merge(by_place, scored._replace(is_outdated=True), 1.0)
        elif correction is not None:
            merge(by_place, scored._replace(place=right, instead_of=(place,)), lift)
        else:
            own = _by_itself(scored, hit)
            merge(by_place, own._replace(place=right, instead_of=(place,)), boost)
            _keep_rest(by_place, own._replace(is_outdated=True, see=right))
    return list(by_place.values())


def _boost(correction: Place, weights: Weights) -> float:
    """Return the boost of a correction; none for one of a day's note, which says nothing of other days."""
    _, day = without_day(statement_of(correction))
    return 1.0 if day else weights.boost


def _keep_rest(by_place: dict[int, Scored], outdated: Scored) -> None:
    """Add an outdated line below the correction to ``see``, if it says something else."""
    text = outdated.place.text
    if outdated.see is not None and _rules().without_value(text, *_statements(outdated.see.text)):
        merge(by_place, outdated, 1.0)
    elif len(sentences_of(text)) > 1:
        merge(by_place, outdated, HALF)


def _right_of(
    place: Place, correction: EntryCorrection | None, standing: Mapping[str, Place], outdated: OutdatedPlaces
) -> Place | None:
    if correction is None:
        return outdated.correction_of(place)
    return standing.get(correction.correction_id)


def _stays_beside(index: Index, place: Place, right: Place) -> bool:
    """Say whether a reading leaves the corrected line beside it: the operator's words, but no older reading."""
    is_reading = place.kind == CORRECTION and index.trust_of_correction(place.words) == UNDERSTOOD
    return not is_reading and index.trust_of_correction(right.words) == UNDERSTOOD


def _by_itself(scored: Scored, hit: Ranked) -> Scored:
    """Return a line with the score of its own words: those around it are about something else."""
    share = hit.direct / hit.coverage if hit.coverage else 0.0
    return scored._replace(order=scored.order * share, score=scored.score * share)


def _may_rise(hit: Ranked, rivals: Sequence[float], terms_held: Mapping[int, float]) -> bool:
    """Say whether few lines hold as much of the question as a correction, and none a term that it lacks: the `violin` beside the piano."""
    others = 0
    for terms, share in terms_held.items():
        if share >= hit.direct:
            others |= terms
    is_single = hit.direct >= SINGLED_OUT or len(rivals) - bisect_left(rivals, hit.direct) < MOST_RIVALS
    return is_single and not others & ~hit.held


def _lift(hit: Ranked, boost: float) -> float:
    """Return a correction's boost: all of it for its own words, nothing for the lines around it."""
    if not hit.coverage:
        return 1.0
    return 1.0 + (boost - 1.0) * (hit.direct / hit.coverage)


def _reads_right(entry: Place, correct: str) -> bool:
    """Say whether an entry states the right value by now: then it stays, behind its correction."""
    return f" {index_terms(correct)} " in f" {index_terms(statement_of(entry))} "


def statement_of(place: Place) -> str:
    """Return the statement of a place; of any correction, the right words, not the old ones."""
    return place.text.split("\n", 1)[0] if place.kind in LOGGED else place.text


def see_note(correction: Place | None) -> str:
    """Return the note on a text that may say what a correction replaced, empty if none did."""
    if correction is None:
        return ""
    return f"see the correction: {redact(statement_of(correction))}"


def merge(by_place: dict[int, Scored], scored: Scored, boost: float) -> None:
    """Add a place; of one added before, keep the better score."""
    new = scored
    if boost != 1.0:
        new = scored._replace(order=scored.order * boost, score=scored.score * boost)
    old = by_place.get(new.place.place_id)
    if old is not None:
        best = max(old, new, key=lambda each: each.order)
        best = best._replace(
            instead_of=old.instead_of + new.instead_of, standing=old.standing or new.standing
        )
        new = best._replace(score=max(old.score, new.score))
    by_place[new.place.place_id] = new


class Superseded(NamedTuple):
    """The text of an entry when it lost a conflict, and the winner's id (`m:…`) and text."""

    said: str
    winner: str
    says: str


def superseded_by(conflicts: Iterable[Contradiction]) -> Lost:
    """Return by id (`m:…`) the entries that lost these conflicts, with each conflict."""
    winners: dict[str, list[Superseded]] = {}
    for each in conflicts:
        if each.loser is not None and each.winner is not None:
            winner = Superseded(each.loser.statement, f"m:{each.winner.entry_id}", each.winner.statement)
            winners.setdefault(f"m:{each.loser.entry_id}", []).append(winner)
    return winners


def with_winners(index: Index, hits: Sequence[Scored], lost: Lost) -> list[Scored]:
    """Return the hits with winners in place of entries that lost a conflict, while both texts are unchanged."""
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
    """Return the place of the last winner: a winner may have lost to another."""
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
