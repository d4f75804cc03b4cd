"""What an open index has for a question: a pool, ranked, arranged, and shown as it stands in the files."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clawgit.recall.limits import Limits
from clawgit.recall.places import RETIRED
from clawgit.recall.ranking import POOL, Corpus, kept, rank
from clawgit.recall.results import CORRECTION, HEADING, Scored, Weights, arranged, in_order, with_corrections
from clawgit.recall.snippets import shortened, snippet_of
from clawgit.recall.spelling import corrected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clawgit.recall.index import Index
    from clawgit.recall.places import Place, Retirement
    from clawgit.recall.questions import Question
    from clawgit.recall.ranking import Part
    from clawgit.recall.retired import Retired
    from clawgit.recall.said import Message

OF_DAYS = 100  # where fewer lines match, so many of the days that a question names are looked at
PER_FILE = 3  # so many hits of one file come before those of others


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
class Replaced:
    """Lines that a correction stands in for."""

    path: str
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """Lines that were found, as they stand in the file; ``instead_of`` is what a correction corrects of them.

    With a ``retirement`` they stand there no more: the place is where they stood last. A ``message`` stands in no file.
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

    @property
    def citation(self) -> str:
        """Return where it stands, as `memory get` and `why` take it."""
        return self.path if self.message else f"{self.path}:{self.first}"

    def holds(self, place: Place) -> bool:
        """Say whether the lines of ``place`` are shown here."""
        same = self.path == place.path and self.retirement == place.retirement is None
        return same and self.first <= place.first and place.last <= self.last


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


@dataclass(frozen=True, slots=True)
class Sources:
    """What is searched: an index, what is retired beside it (if that is wanted), and where the texts come from."""

    index: Index
    reading: Reading
    retired: Retired | None = None


def answer(sources: Sources, question: Question, wanted: Wanted, weights: Weights) -> Found:
    """Return what there is for a question; places whose file has changed are left out."""
    index = sources.index
    question, notes = _spelled(index, question)
    seen = index.seen(question.words)
    pool = _pool(index, question, seen, wanted.limits)
    lines, corpus = index.lines(pool), index.corpus(seen)
    gone: dict[int, Place] = {}
    if sources.retired is not None:
        seen_there = sources.retired.seen(question.words)
        for line, place in sources.retired.matches(index, seen_there, wanted.limits):
            lines.append(line)
            gone[line.key] = place
        corpus = _with_retired(corpus, seen_there, len(gone))
    ranked = rank(question, lines, corpus, explain=wanted.explain)
    at = {line.key: number for number, line in enumerate(lines)}
    ranked.sort(key=lambda hit: (-hit.order, at[hit.key]))  # numbers of places differ from index to index
    if not wanted.limits.is_open:
        within = frozenset(pool) | gone.keys()
        ranked = [hit for hit in ranked if hit.key in within]
    scored = with_corrections(index, kept(ranked, wanted.min_score)[:POOL], weights.boost, gone)
    terms = {line.key: line.terms for line in lines}
    groups = arranged(in_order(scored, weights), terms, per_file=PER_FILE, trade=wanted.trade)
    return Found(tuple(_results(sources, groups, question, wanted.most)), notes)


def _with_retired(corpus: Corpus, seen: dict[str, int], lines: int) -> Corpus:
    """Return the corpus with words that only retired lines hold, as often as they may be among them."""
    more = {word: min(count, lines) for word, count in seen.items() if word not in corpus.seen}
    return replace(corpus, units=corpus.units + lines, seen={**corpus.seen, **more})


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
    return group if below is None else [*group, replace(group[-1], place=below)]


def _result(group: list[Scored], question: Question, reading: Reading) -> Result | None:
    best = max(group, key=lambda each: each.score)
    place = best.place
    first, last = min(each.place.first for each in group), max(each.place.last for each in group)
    if place.kind in (CORRECTION, RETIRED):
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
            Replaced(old.path, old.first, old.last, old.text) for each in group for old in each.instead_of
        ),
        parts=best.parts,
        retirement=place.retirement,
    )
