"""Proof that a correction comes first: searches the live index with the correction in it, then rolls back."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from itertools import filterfalse
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.provenance.correction_files import CORRECTING
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.corrections.corrected_entries import correction_pieces
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.tiers import is_correction_file
from clawgit.memory.trust import OPERATOR, UNDERSTOOD
from clawgit.recall.index.index_tables import Tables
from clawgit.recall.index.index_update import blob_id
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.sealed_store import tried
from clawgit.recall.index.search_index import INDEX, Index, open_index, shape_of
from clawgit.recall.index.searched_files import MEMORY, is_searched, tier_found
from clawgit.recall.questions.question_dates import tells_time
from clawgit.recall.ranked_answers import Sources, TextSource, answer
from clawgit.recall.search import asked, file_of, search, weights_of
from clawgit.recall.search_results import Query, Result
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.index.places import Place
    from clawgit.recall.vector_search import Vectors

    _Finding = Callable[[Query], tuple[Result, ...]]


CORE = "core"
_DIGIT = lazy_pattern(r"\d")
_ORDINAL = lazy_pattern(r"\d(?:st|nd|rd|th)\b")


class ProofClaim(NamedTuple):
    """A correction (`x:…`) must come first for these questions, and no result may show ``old`` unmarked.

    A correction with the same words as ``right`` counts as well; one that says what this one corrects
    (``said``) is replaced.
    """

    correction: str
    queries: tuple[str, ...]
    old: tuple[str, ...] = ()
    right: str = ""
    said: str = ""

    def is_met_by(self, result: Result) -> bool:
        """Say whether a result is the correction, or another one with the same words."""
        if not result.is_correction:
            return False
        shown = f" {index_terms(result.best_line)} "  # a corrected part is shown with its line
        return self.correction in result.entries or (
            bool(self.right) and f" {index_terms(self.right)} " in shown
        )

    def ends(self, result: Result) -> bool:
        """Say whether a result is an earlier correction of a line without an id, which this one replaces."""
        first_line = result.snippet.split("\n", 1)[0]
        return result.is_correction and bool(self.said) and index_terms(first_line) == index_terms(self.said)


def question_about(right: str, wrong: str) -> str:
    """Return a question for which the correction is the answer: ``right`` without what it brings.

    That is its values and words that ``wrong`` lacks; without a wrong text, its values and words with a digit.
    """
    wrong_terms = frozenset(index_terms(wrong).split())
    left = [value.text for value in values_in(right) if value.text.lower() not in wrong.lower()]
    rest = right
    for text in left:
        rest = rest.replace(text, " ")
    new = list(filter(_DIGIT.search, rest.split()))
    if wrong_terms:
        new = [word for word in rest.split() if wrong_terms.isdisjoint(index_terms(word).split())]
    shared_words = " ".join(word for word in rest.split() if word not in new)
    if not subject(shared_words):
        return right
    left += new
    when = tells_time(index_terms(" ".join(left)).split()) or any(map(_ORDINAL.search, left))
    return f"when {shared_words}" if when else shared_words


def why_unproven(
    history: History,
    texts: Mapping[str, bytes],
    claim: ProofClaim,
    now: datetime,
    *,
    vectors: Vectors | None = None,
    by: str = CORRECTING,
) -> str:
    """Search as if the files had ``texts``, written ``by`` an actor; return why a claim does not hold, empty if it does.

    With vectors, only committed texts count, once each of their lines has a vector.
    """
    if history.settings.mode != CORE:
        if texts or vectors is None:
            return "With vectors, the proof needs new vectors. It is tried again later."
        return _prove_by_vectors(history, claim, now, vectors)
    try:
        with _found_by_words(history, texts, now, by) as search_as_planned:
            return _why_not(history, claim, search_as_planned)
    except (OSError, sqlite3.Error) as error:
        return f"The index could not be asked ({error})."


def unmet_by_words(
    history: History, texts: Mapping[str, bytes], claims: Iterable[ProofClaim], now: datetime
) -> dict[ProofClaim, str]:
    """Return the claims that fail if the files have ``texts``, with the reasons; empty if there is no question to ask."""
    try:
        with _found_by_words(history, texts, now) as search_as_planned:
            reasons = {claim: _why_not(history, claim, search_as_planned) for claim in claims}
    except (OSError, sqlite3.Error):
        return {}
    return {claim: reason for claim, reason in reasons.items() if reason}


@contextmanager
def _found_by_words(
    history: History, texts: Mapping[str, bytes], now: datetime, by: str = CORRECTING
) -> Iterator[_Finding]:
    with rehearsed(history, texts, by) as sources:
        weights = weights_of(history, now)
        yield lambda request: answer(sources, asked(request, now), request, weights).results


def _prove_by_vectors(history: History, claim: ProofClaim, now: datetime, vectors: Vectors) -> str:
    def search_by_vectors(request: Query) -> tuple[Result, ...]:
        answered = search(history, request, now, vectors=vectors)
        if answered.by.mode == CORE or answered.by.reason:
            raise ClawgitError(answered.by.reason)
        return answered.results

    try:
        with open_index(history):
            pass
        vectors.complete(lambda _done, _all: None, from_nothing=False)
        return _why_not(history, claim, search_by_vectors)
    except (ClawgitError, OSError, sqlite3.Error) as error:
        return f"The vectors could not be asked ({error})."


def _why_not(history: History, claim: ProofClaim, search_for: _Finding) -> str:
    settings = history.settings
    most, least, tokens = settings.search_max_results, settings.search_min_score, settings.search_max_tokens
    for query in claim.queries:
        answered = search_for(Query(query, most, least, tokens=tokens))
        results = list(filterfalse(claim.ends, answered))
        shown = query if len(query) <= 60 else query[:60] + "…"
        if not results:
            return f"A search for {shown!r} does not find this correction."
        if not claim.is_met_by(results[0]):
            return f"A search for {shown!r} shows {results[0].citation} first, not this correction."
        for each in results:
            if any(entry.startswith("x:") for entry in each.entries):
                continue
            here = f" {index_terms(each.snippet)} "
            if claim.right:  # the entry may continue after the old words
                here = here.replace(f" {index_terms(claim.right)} ", " ")
            if any(f" {index_terms(text)} " in here for text in claim.old if text):
                return f"A search for {shown!r} still shows the old words in {each.citation}."
    return ""


@contextmanager
def rehearsed(history: History, texts: Mapping[str, bytes], by: str = CORRECTING) -> Iterator[Sources]:
    """Open the live index with ``texts``, corrections among them, and roll back."""
    with open_index(history):
        pass
    searched = {path: data for path, data in texts.items() if is_searched(path)}
    planned: dict[str, Status] = {}
    for path, data in searched.items():
        if is_correction_file(path):
            planned |= {piece.words: each.status for piece, each in correction_pieces(data, path).items()}
    with tried(history.state / INDEX, shape_of(history)) as db, open_trusts(history) as trusts:
        tables = Tables(db)
        for path, data in searched.items():
            about = (MEMORY, tier_found(path).value, blob_id(data))
            tables.put_file(path, about, read_units(data, path, chunk_tokens=history.settings.chunk_tokens))
        tables.settle()

        def holds(name: str, words: str) -> bool:
            return trusts.holds(name, words, planned_by=by if words in planned else "")

        def trust_of(words: str) -> str:
            trust = trusts.of_correction(words)
            if trust != UNKNOWN or words not in planned:
                return trust
            if planned[words] is Status.UNDERSTOOD:
                return UNDERSTOOD
            return OPERATOR

        def read(place: Place) -> bytes | None:
            return searched[place.path] if place.path in searched else file_of(history, place)

        yield Sources(Index(db, trusts, holds, trust_of), TextSource(read))
