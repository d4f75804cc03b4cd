"""What a question is answered from: the lines that hold its words, its days, or what means the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.recall.index.index_tables import SPAN
from clawgit.recall.index.places import FEW, POOL
from clawgit.recall.questions.question import with_syllables
from clawgit.recall.ranking.answer_confidence import WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from clawgit.history.provenance.trust_lookup import EvidenceBeside
    from clawgit.recall.index.places import Corpus, Line, Place
    from clawgit.recall.index.search_index import Index
    from clawgit.recall.index.search_limits import Limits
    from clawgit.recall.questions.question import Question
    from clawgit.recall.ranking.fusion import Near
    from clawgit.recall.ranking.results import Lost
    from clawgit.recall.search_deep import Retired

# Of so many units, so many matches (best first) come with the lines around them, turns of a conversation more of them:
# those around weaker ones rarely lift one of these, and are half of all that would be ranked.
MANY, LEADING, LEADING_TURNS = 2000, 40, 80
OF_DAYS = 100  # where fewer lines match, so many of the days that a question names are looked at
TOLD_WITHIN = 3  # days
BEST, REST = 10, 20  # of so many matches, so many lines before and behind in the file
LATER = 50  # so many lines of the days behind them: much is told a day later


class Reading:
    """Where the text of a place comes from; ``stale`` says that a file was changed since it was indexed."""

    def __init__(self, read: Callable[[Place], bytes | None]) -> None:
        self.read = read
        self.stale = False
        self._known: dict[str, bytes | None] = {}

    def of(self, place: Place) -> bytes | None:
        """Return the file that a place is in, None if it is not what was indexed any more."""
        if place.path not in self._known:
            self._known[place.path] = self.read(place)
        data = self._known[place.path]
        self.stale |= data is None
        return data


@dataclass(slots=True)
class Sources:
    """What is searched: an index, what is retired beside it (if that is wanted), and where the texts come from.

    ``near`` tells how near the texts of these hashes are to the question, and which are the nearest of all; it
    returns None where there are no vectors. ``superseded`` are the entries that lost conflicts. ``evidence`` tells what of the
    operator's own words goes with a line.
    """

    index: Index
    reading: Reading
    retired: Retired | None = None
    near: Callable[[Collection[bytes]], Near | None] | None = None
    superseded: Lost = field(default_factory=dict)
    evidence: EvidenceBeside | None = None


@dataclass(slots=True)
class Gathered:
    """The lines to rank for a ``question``.

    ``pool`` are those that may be hits, ``gone`` the places that the index does not know.
    """

    question: Question
    lines: list[Line]
    corpus: Corpus
    pool: set[int]
    gone: dict[int, Place] = field(default_factory=dict)
    near: Near | None = None
    is_few: bool = False  # few lines hold words of the question; more may hold parts of them

    def add_lines(self, more: Iterable[Line]) -> None:
        """Add lines to those that stand in files, in the files' order; what stands nowhere comes behind them."""
        gone = [line for line in self.lines if line.key in self.gone]
        standing = {line.key: line for line in (*self.lines, *more) if line.key not in self.gone}
        self.lines = [*sorted(standing.values(), key=lambda line: (line.path, line.key)), *gone]

    def add_gone(self, found: list[tuple[Line, Place]]) -> None:
        """Add lines that stand nowhere any more."""
        for line, place in found:
            if line.key not in self.gone:
                self.lines.append(line)
                self.gone[line.key] = place


def gathered(sources: Sources, question: Question, limits: Limits, *, to_the_last: bool = False) -> Gathered:
    """Return the lines that a question is answered from, ``to_the_last`` with those that hold what only asks."""
    index = sources.index
    seen = index.seen(question.words)
    pool = _pool(index, question, seen, limits)
    more = _rest_of_files(pool) if limits.is_open and question.days is None else []
    is_few = len(pool) < FEW and (bool(pool) or _is_worth_guessing(index, question))
    if to_the_last and len(pool) < FEW:
        question = with_syllables(question.in_full, index)
        seen |= index.seen(question.words)
        pool = list(dict.fromkeys([*pool, *index.matches(seen, limits)]))
    corpus = index.corpus(seen)
    is_large = corpus.units > MANY and question.days is None
    found = Gathered(question, [], corpus, {*pool, *more})
    found.add_lines(_with_lines_around(index, [*pool, *more], is_large=is_large))
    found.is_few = is_few
    if sources.retired is not None:
        seen_there = sources.retired.seen(question.words)
        found.add_gone(sources.retired.matches(index, seen_there, limits))
        found.corpus = _with_retired(found.corpus, seen_there, len(found.gone))
    if sources.near is not None:
        _add_nearest(sources, found, limits)
    return found


def _with_lines_around(index: Index, pool: Sequence[int], *, is_large: bool) -> Iterable[Line]:
    """Return the lines of a pool, best first, with those around them; in a large memory, around the best of them."""
    lines = index.lines(pool)
    known = [key for key in pool if key in lines]
    if is_large:
        known = [*known[:LEADING], *(key for key in known[LEADING:LEADING_TURNS] if lines[key].is_said)]
    return {**lines, **index.lines_around(lines, known)}.values()


def _is_worth_guessing(index: Index, question: Question) -> bool:
    """Say whether a question of which nothing is known may be answered all the same: a whole one, and memory is small."""
    return len({term.shown for term in question.terms}) >= WHOLE and index.corpus({}).units <= POOL


def _add_nearest(sources: Sources, found: Gathered, limits: Limits) -> None:
    assert sources.near is not None
    found.near = sources.near({line.text for line in found.lines})
    if found.near is None:
        return
    more = [place for place in sources.index.of_texts(found.near.best, limits) if place not in found.pool]
    if more:
        found.add_lines(_with_lines_around(sources.index, more, is_large=False))
        found.pool.update(more)
    if sources.retired is not None:
        found.add_gone(sources.retired.of_texts(sources.index, found.near.best, limits))


def _with_retired(corpus: Corpus, seen: dict[str, int], lines: int) -> Corpus:
    more = {word: min(count, lines) for word, count in seen.items() if word not in corpus.seen}
    return corpus._replace(units=corpus.units + lines, seen={**corpus.seen, **more})


def _rest_of_files(pool: list[int]) -> list[int]:
    """Return the places around the best of a few matches: the answer may hold none of the question's words."""
    if len(pool) >= FEW:
        return []
    around = (range(max(place - REST, place // SPAN * SPAN), place + REST + 1) for place in pool[:BEST])
    return list(dict.fromkeys(place for places in around for place in places))


def _pool(index: Index, question: Question, seen: dict[str, int], limits: Limits) -> list[int]:
    found = index.matches(seen, limits)
    if question.days is not None:
        of_days = limits._replace(days=question.days)
        found += index.matches(seen, of_days)
        found += index.within(of_days, max(0, OF_DAYS - len(found)))
        if question.asks_days and question.telling.isdisjoint(seen):
            return list(dict.fromkeys(found))  # "what happened last week" is told of by its own days
        days = question.days
        first, last = days.last + timedelta(1), days.last + timedelta(TOLD_WITHIN)
        told_later = limits._replace(days=days._replace(first=first, last=last))
        found += index.matches(seen, told_later) + index.within(told_later, LATER)
    return list(dict.fromkeys(found))
