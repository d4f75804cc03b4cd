"""Request and result of a search: values, and what follows from these alone."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.history.authorship.actors import UNKNOWN
from clawgit.recall.index.places import Place, Retirement, SearchLimits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, tzinfo


CHARACTERS = 4  # to a token
GUESS_TOKENS = 250  # if hardly anything answers
NOT_IN_FORCE = "No correction in force"
HIGH, MEDIUM, LOW = "high", "medium", "low"
SURE, UNSURE = 0.8, 0.4  # likelihoods: from the first on it is high, up to the second low
ANSWERS_WELL = 0.6  # three of four questions that memory answers reach 0.65, one of four others 0.54


class Query(NamedTuple):
    """The query, how many hits, the minimal score, and the limits.

    ``tokens`` is the budget of all hits together, 0 without a limit. ``trade`` is the lambda of maximal
    marginal relevance, None without it. ``guesses``: without a good answer, the budget is filled with
    possible ones. ``each_once``: a reader gets a correction and the line that says so by now as one hit.
    """

    query: str
    most: int = 20
    min_score: float = 0.2
    limits: SearchLimits = SearchLimits()
    trade: float | None = None
    tokens: int = 0
    guesses: bool = False
    each_once: bool = False

    def within(self, probability: float) -> Query:
        """Return the request for an answer of this likelihood: guesses are few."""
        if not self.guesses or probability > UNSURE:
            return self
        return self._replace(tokens=min(self.tokens, GUESS_TOKENS))


class Replaced(NamedTuple):
    """Lines that a correction replaces; ``person`` as in a result."""

    path: str
    first: int
    last: int
    text: str
    entry: str = ""
    person: str = ""


class Beside(NamedTuple):
    """Notes on one of the lines of a result (from 0)."""

    at: int
    words: str
    name: str = ""  # of the conflict, for people


class Result(NamedTuple):
    """Lines found, as they are in the file; ``instead_of`` is the text that a correction replaces.

    A result with a ``retirement`` is at its last place; a ``message`` is in no file. ``agent`` names another
    workspace. ``trust`` is the lowest of the lines'; ``note`` says what they are not, ``disputed`` which of
    them contradict others, ``beside`` has the operator's own words on them. ``blob`` is the file's text,
    ``since`` the time of these words. ``best`` (from 1) is the line that answers, ``later`` the operator's
    later words that answer, too. The ``silent`` lines (from 1), and the headings above, have no words of the question.
    ``committers`` says who else committed what counts as the operator's, ``person`` who else made a correction, ``standing`` where
    it is said by now.
    ``numbers`` are those of the snippet's lines in the file (from 1), which has blank ones between; empty without a file.
    """

    path: str
    first: int
    last: int
    score: float
    snippet: str
    source: str
    tier: str
    entries: tuple[str, ...] = ()
    best_entry: str = ""  # that of the line that answers
    titles: tuple[str, ...] = ()
    instead_of: tuple[Replaced, ...] = ()
    retirement: Retirement | None = None
    message: FoundMessage | None = None
    agent: str = ""
    trust: str = UNKNOWN
    is_correction: bool = False
    note: str = ""
    entry_confidence: int | None = None  # hundredths
    beside: tuple[Beside, ...] = ()
    blob: str = ""
    since: str = ""
    best: int = 0
    later: tuple[str, ...] = ()
    disputed: tuple[Beside, ...] = ()
    silent: frozenset[int] = frozenset()
    committers: str = ""
    person: str = ""
    standing: Result | None = None
    numbers: Sequence[int] = ()

    @property
    def entry(self) -> str:
        """Return the id for `why`, `undo` and `correct`, empty without one."""
        if self.message:
            return self.message.chat_id
        return self.best_entry

    @property
    def tokens(self) -> float:
        """Return the cost of its text with line ends and notes."""
        return sum(len(text) + 1 for text in (self.snippet, *self.told)) / CHARACTERS

    @property
    def told(self) -> tuple[str, ...]:
        """Return all of the operator's words beside it."""
        return (*dict.fromkeys(map(attrgetter("words"), self.beside)), *self.later)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what contradicts it, each once."""
        notes = [self.note, *(f"{each.words}, {each.name}" for each in self.disputed)]
        return tuple(filter(None, dict.fromkeys(notes)))

    @property
    def best_at(self) -> int:
        """Return which shown line (from 0) answers: ``later`` is about it."""
        return self.line_above(self.best)

    @property
    def best_line(self) -> str:
        return self.snippet.split("\n")[self.best_at]

    @property
    def beside_best(self) -> tuple[str, ...]:
        """Return the operator's own words beside the line that answers."""
        return tuple(each.words for each in self.beside if each.at == self.best_at)

    def line_above(self, number: int) -> int:
        """Return the shown line (from 0) that is the file's line ``number`` (from 1), or the nearest above it."""
        return max(0, bisect_right(self.numbers, number) - 1)

    def number_of(self, at: int) -> int:
        """Return the number in the file (from 1) of a shown line (from 0)."""
        return self.numbers[at] if self.numbers else self.first

    @property
    def citation(self) -> str:
        """Return its place as `memory get` and `why` take it."""
        return self.path if self.message else f"{self.path}:{self.first}"

    def holds(self, place: Place) -> bool:
        """Say whether the lines of ``place`` are shown here."""
        if self.retirement is not None or place.retirement is not None:
            return False
        return self.path == place.path and self.first <= place.first and place.last <= self.last


class By(NamedTuple):
    """The method: keywords alone (``core``, with the reason if vectors were wanted), or vectors as well."""

    mode: str = "core"
    provider: str = "none"
    model: str = ""
    reason: str = ""


class Hits(NamedTuple):
    """The results, best first, sentences on changes to the question, and the method.

    ``texts`` are the files read for them, by path.
    """

    results: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()
    by: By = By()
    probability: float = 0.0  # that the results hold the answer
    texts: Mapping[str, bytes | None] = MappingProxyType({})

    @property
    def confidence(self) -> str:
        """Return how likely the results hold the answer: `high`, `medium` or `low`."""
        return in_words(self.likelihood)

    @property
    def likelihood(self) -> float:
        return self.probability if self.results else 0.0


def in_words(probability: float) -> str:
    if probability >= SURE:
        return HIGH
    return LOW if probability <= UNSURE else MEDIUM


class FoundMessage(Protocol):
    """The facts of a message that a search needs."""

    @property
    def chat_id(self) -> str: ...
    @property
    def channel(self) -> str: ...
    @property
    def conversation(self) -> str: ...
    @property
    def session(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def sender(self) -> str: ...
    @property
    def trust(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def sent_at(self) -> datetime: ...


class WorkspaceHits(NamedTuple):
    """One workspace's answer and request, in its time zone; ``agent`` is empty for the asking workspace."""

    agent: str
    found: Hits
    wanted: Query
    zone: tzinfo | None = None


def merged(answers: Sequence[WorkspaceHits]) -> list[tuple[str, Result]]:
    """Return the best results of all with their workspaces' names: as many as the first workspace was asked for.

    Scores are comparable across workspaces, and each lists its results by them. All guesses together cost no
    more than those of one.
    """
    request = answers[0].wanted if answers else Query("", 0)
    shown = []
    for each in answers:
        for result in each.found.results:
            shown.append((each.agent, result))
    ranked = sorted(shown, key=lambda pair: -pair[1].score)[: request.most]
    tokens = request.within(likeliest(answers)).tokens
    return ranked[: how_many_fit([result for _, result in ranked], tokens)]


def likeliest(answers: Sequence[WorkspaceHits]) -> float:
    return max((each.found.probability for each in answers), default=0.0)


def how_many_fit(results: Sequence[Result], tokens: int) -> int:
    """Return how many of the first results fit these tokens together, at least one; 0 is no limit."""
    spent = 0.0
    for number, result in enumerate(results):
        spent += result.tokens
        if tokens and number and spent > tokens:
            return number
    return len(results)
