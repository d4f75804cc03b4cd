"""`memory search`, core mode: from a question to the lines that answer it, with no model at all."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.recall.index import forget_index, open_index
from clawgit.recall.limits import Limits
from clawgit.recall.questions import read_question
from clawgit.recall.ranking import POOL, kept, rank
from clawgit.recall.reconcile import blob_id
from clawgit.recall.results import CORRECTION, Scored, Weights, arranged, in_order, with_corrections
from clawgit.recall.searched import served_at
from clawgit.recall.snippets import shortened, snippet_of
from clawgit.recall.spelling import corrected
from clawgit.workspace.files import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from clawgit.history.repository import History
    from clawgit.recall.index import Index, Place
    from clawgit.recall.questions import Question
    from clawgit.recall.ranking import Part

TRIES = 5
OF_DAYS = 100  # where fewer lines match, so many of the days that a question names are looked at
PER_FILE = 3  # so many hits of one file come before those of others


class SearchError(ClawgitError):
    """There is nothing to search for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked: the query, how many hits, from which score on, and within which limits.

    ``trade`` is the lambda of maximal marginal relevance, None without it.
    """

    query: str
    most: int = 6
    min_score: float = 0.35
    limits: Limits = field(default_factory=Limits)
    explain: bool = False
    trade: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """Lines that were found, as they stand in the file; ``instead_of`` is what a correction corrects of them."""

    path: str
    first: int
    last: int
    score: float
    snippet: str
    source: str
    tier: str
    entries: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    instead_of: tuple[Replaced, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def citation(self) -> str:
        """Return where it stands, as `memory get` and `why` take it."""
        return f"{self.path}:{self.first}"

    def is_within(self, other: Result) -> bool:
        """Say whether another result shows all these lines."""
        return self.path == other.path and other.first <= self.first and self.last <= other.last


@dataclass(frozen=True, slots=True)
class Replaced:
    """Lines that a correction stands in for."""

    path: str
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """The results, best first, and what was done to the question, in sentences."""

    results: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class Reading:
    """Where the text of a place comes from; ``stale`` says that a file was changed since it was indexed."""

    read: Callable[[Place], bytes | None]
    stale: bool = False
    _known: dict[str, bytes | None] = field(default_factory=dict)

    def of(self, place: Place) -> bytes | None:
        """Return the file that a place is in, None if it is not what was indexed any more."""
        if place.path not in self._known:
            self._known[place.path] = self.read(place)
        data = self._known[place.path]
        self.stale |= data is None
        return data


def search(history: History, wanted: Wanted, now: datetime) -> Found:
    """Return the lines that answer best, each as it stands in its file at that moment.

    Raises:
        SearchError: The query is blank.
    """
    question = _read(wanted, now)
    found, damaged = Found(), False
    for _ in range(TRIES):
        reading = Reading(lambda place: _file_of(history, place))
        try:
            with open_index(history, in_memory=damaged) as index:
                found = answer(index, question, wanted, _weights(history, now), reading)
        except sqlite3.DatabaseError:
            forget_index(history)
            damaged = True
            continue
        if not reading.stale:
            break
    return found


def answer(index: Index, question: Question, wanted: Wanted, weights: Weights, reading: Reading) -> Found:
    """Return what an open index has for a question; places whose file has changed are left out."""
    question, notes = _spelled(index, question)
    seen = index.seen(question.words)
    pool = _pool(index, question, seen, wanted.limits)
    lines = index.lines(pool)
    ranked = rank(question, lines, index.corpus(seen), explain=wanted.explain)
    if not wanted.limits.is_open:
        within = frozenset(pool)
        ranked = [hit for hit in ranked if hit.key in within]
    scored = with_corrections(index, kept(ranked, wanted.min_score)[:POOL], weights.boost)
    terms = {line.key: line.terms for line in lines}
    groups = arranged(in_order(scored, weights), terms, per_file=PER_FILE, trade=wanted.trade)
    return Found(tuple(_results(index, groups, question, wanted.most, reading)), notes)


def _read(wanted: Wanted, now: datetime) -> Question:
    if not wanted.query.strip():
        raise SearchError("There is nothing to search for.", hint='`clawgit memory search "WORDS"`.')
    return read_question(wanted.query, now)


def _weights(history: History, now: datetime) -> Weights:
    settings = history.settings
    half_life = settings.temporal_decay_half_life_days if settings.temporal_decay_enabled else 0
    return Weights(settings.correction_relevance_boost, half_life, now.date())


def _spelled(index: Index, question: Question) -> tuple[Question, tuple[str, ...]]:
    """Return the question with the words added that unknown ones were probably meant to be."""
    question, corrections = corrected(
        question, index.seen(question.words), lambda start: index.words_beginning(start).items()
    )
    notes = (
        f"Nothing holds {each.typed!r}; looked for {' or '.join(each.meant)} as well." for each in corrections
    )
    return question, tuple(notes)


def _pool(index: Index, question: Question, seen: dict[str, int], limits: Limits) -> list[int]:
    found = index.matches(seen, limits)
    if question.days is not None:
        of_days = replace(limits, days=question.days)
        found += index.matches(seen, of_days)
        found += index.within(of_days, max(0, OF_DAYS - len(found)))
    return list(dict.fromkeys(found))


def _file_of(history: History, place: Place) -> bytes | None:
    """Return the file that a place is in, None if it is not as it was indexed."""
    served = served_at(history.root, history.settings.search_extra_paths, place.path)
    if served is None:
        return None
    try:
        content = read_file(served.base, served.inner, at_most=history.settings.max_file_bytes)
    except (ClawgitError, OSError):
        return None
    return content.data if content is not None and blob_id(content.data) == place.blob else None


def _results(
    index: Index, groups: list[list[Scored]], question: Question, most: int, reading: Reading
) -> Iterator[Result]:
    """Yield results until there are enough; lines that an earlier one holds are not shown again."""
    shown: list[Result] = []
    for group in groups:
        if len(shown) == most:
            return
        result = _result(_with_text_below(index, group), question, reading)
        if result is not None and not any(result.is_within(other) for other in shown):
            shown.append(result)
            yield result


def _with_text_below(index: Index, group: list[Scored]) -> list[Scored]:
    """Return a group; one that is a heading only, with what comes first below it."""
    if group[-1].place.kind != "heading":
        return group
    below = index.below(group[-1].place)
    return group if below is None else [*group, replace(group[-1], place=below)]


def _result(group: list[Scored], question: Question, reading: Reading) -> Result | None:
    best = max(group, key=lambda each: each.score)
    place, data = best.place, reading.of(best.place)
    if data is None:
        return None
    first, last = min(each.place.first for each in group), max(each.place.last for each in group)
    is_correction = place.kind == CORRECTION
    return Result(
        path=place.path,
        first=first,
        last=last,
        score=round(best.score, 4),
        snippet=shortened(place.text, question.words)
        if is_correction
        else snippet_of(data, first, last, question.words),
        source=place.source,
        tier=place.tier,
        entries=tuple(each.place.entry for each in group if each.place.entry),
        titles=place.titles,
        instead_of=tuple(
            Replaced(old.path, old.first, old.last, old.text) for each in group for old in each.instead_of
        ),
        parts=best.parts,
    )
