"""What an open index has for a question: a pool, ranked, arranged, and shown as it stands in the files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from clawgit.recall.candidates import gathered
from clawgit.recall.index.places import RETIRED
from clawgit.recall.index.search_limits import Limits
from clawgit.recall.questions.spelling_correction import corrected
from clawgit.recall.ranking.fusion import by_formula, fused
from clawgit.recall.ranking.ranking import POOL, kept, rank
from clawgit.recall.ranking.results import (
    CORRECTION,
    HEADING,
    Scored,
    Weights,
    arranged,
    in_order,
    statement_of,
    with_corrections,
)
from clawgit.recall.ranking.snippets import shortened, snippet_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clawgit.recall.candidates import Gathered, Sources
    from clawgit.recall.index.places import Place, Retirement
    from clawgit.recall.index.search_index import Index
    from clawgit.recall.questions.questions import Question
    from clawgit.recall.ranking.ranking import Part, Ranked
    from clawgit.recall.search_messages import Message

INSTEAD_OF = "instead of"
PER_FILE = 3  # so many hits of one file come before those of others


class Wanted(NamedTuple):
    """What is asked: the query, how many hits, from which score on, and within which limits.

    ``trade`` is the lambda of maximal marginal relevance, None without it.
    """

    query: str
    most: int = 6
    min_score: float = 0.35
    limits: Limits = Limits()
    explain: bool = False
    trade: float | None = None


class Replaced(NamedTuple):
    """Lines that a correction stands in for."""

    path: str
    first: int
    last: int
    text: str


class Result(NamedTuple):
    """Lines that were found, as they stand in the file; ``instead_of`` is what a correction corrects of them.

    With a ``retirement`` they stand there no more: the place is where they stood last. A ``message`` stands in no file.
    ``agent`` is the name of the workspace, where it is another one.
    """

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
    retirement: Retirement | None = None
    message: Message | None = None
    agent: str = ""

    @property
    def citation(self) -> str:
        """Return where it stands, as `memory get` and `why` take it."""
        return self.path if self.message else f"{self.path}:{self.first}"

    def holds(self, place: Place) -> bool:
        """Say whether the lines of ``place`` are shown here."""
        if self.retirement is not None or place.retirement is not None:
            return False
        return self.path == place.path and self.first <= place.first and place.last <= self.last


class By(NamedTuple):
    """What answered: keywords alone (``core``, with the reason if vectors were wanted), or vectors as well."""

    mode: str = "core"
    provider: str = "none"
    model: str = ""
    reason: str = ""


class Found(NamedTuple):
    """The results, best first, what was done to the question, in sentences, and what answered it."""

    results: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()
    by: By = By()


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


def answer(sources: Sources, question: Question, wanted: Wanted, weights: Weights) -> Found:
    """Return what there is for a question; places whose file has changed are left out."""
    index = sources.index
    question, notes = _spelled(index, question)
    pool = gathered(sources, question, wanted.limits)
    ranked = _ranked(pool, question, wanted, weights)
    scored = with_corrections(index, kept(ranked, wanted.min_score)[:POOL], weights.boost, pool.gone)
    terms = {line.key: line.terms for line in pool.lines}
    groups = arranged(in_order(scored, weights), terms, per_file=PER_FILE, trade=wanted.trade)
    return Found(tuple(_results(sources, groups, question, wanted.most)), notes)


def _ranked(pool: Gathered, question: Question, wanted: Wanted, weights: Weights) -> list[Ranked]:
    ranked = rank(question, pool.lines, pool.corpus, explain=wanted.explain)
    if pool.near is not None and weights.formula:
        ranked = by_formula(ranked, pool.lines, pool.near)
    elif pool.near is not None:
        ranked = fused(ranked, pool.lines, pool.near, pool.corpus, explain=wanted.explain)
    at = {line.key: number for number, line in enumerate(pool.lines)}
    ranked.sort(key=lambda hit: (-hit.order, at[hit.key]))  # numbers of places differ from index to index
    if not wanted.limits.is_open:
        within = pool.pool | pool.gone.keys()
        ranked = [hit for hit in ranked if hit.key in within]
    return ranked


def _spelled(index: Index, question: Question) -> tuple[Question, tuple[str, ...]]:
    """Return the question with the words added that unknown ones were probably meant to be."""
    question, corrections = corrected(
        question, index.seen(question.words), lambda start: index.words_beginning(start).items()
    )
    notes = (
        f"Nothing holds {each.typed!r}; looked for {' or '.join(each.meant)} as well." for each in corrections
    )
    return question, tuple(notes)


def _results(sources: Sources, groups: list[list[Scored]], question: Question, most: int) -> Iterator[Result]:
    """Yield results until there are enough; lines that an earlier one holds are not shown again."""
    shown: list[Result] = []
    for group in (_with_text_below(sources.index, group) for group in groups):
        if len(shown) == most:
            return
        texts = [each.place for each in group if each.place.kind != HEADING] or [group[0].place]
        if all(any(other.holds(place) for other in shown) for place in texts):
            continue
        result = _result(group, question, sources.reading)
        if result is not None:
            shown.append(result)
            yield result


def _with_text_below(index: Index, group: list[Scored]) -> list[Scored]:
    """Return a group; one that ends with a heading, with what comes first below it."""
    if group[-1].place.kind != HEADING:
        return group
    below = index.below(group[-1].place)
    return group if below is None else [*group, group[-1]._replace(place=below)]


def _as_correction(text: str, question: Question) -> str:
    """Return what is right, and below it what was said before, marked: nobody shall take that for right."""
    right, *wrong = (shortened(line, question.words) for line in text.split("\n"))
    return "\n".join([right, *(f"{INSTEAD_OF}: {line}" for line in wrong)])


def _result(group: list[Scored], question: Question, reading: Reading) -> Result | None:
    best = max(group, key=lambda each: each.score)
    place = best.place
    first, last = min(each.place.first for each in group), max(each.place.last for each in group)
    if place.kind == CORRECTION:
        snippet = _as_correction(place.text, question)
    elif place.kind == RETIRED:
        snippet = shortened(place.text, question.words)
    else:
        data = reading.of(place)
        if data is None:
            return None
        snippet = snippet_of(data, first, last, question.words)
    return Result(
        path=place.path,
        first=first,
        last=last,
        score=round(best.score, 4),
        snippet=snippet,
        source=place.source,
        tier=place.tier,
        entries=tuple(each.place.entry for each in group if each.place.entry),
        titles=place.titles,
        instead_of=tuple(
            Replaced(old.path, old.first, old.last, statement_of(old))
            for each in group
            for old in each.instead_of
        ),
        parts=best.parts,
        retirement=place.retirement,
    )
