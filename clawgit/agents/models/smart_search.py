"""`memory search --smart`: rewords a question and reorders hits; adds no line, ranks no correction lower."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.agents.models.model import Asker, Material, ModelError, as_read, one_object, prompt_of
from clawgit.errors import ClawgitError
from clawgit.recall.ranking.results import by_shown_score
from clawgit.recall.search_results import Hits, Query, Result, how_many_fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.models.answering_models import Reranker

FIRST = 30  # hits reordered by a model …
CANDIDATES, PIECE = 100, 25  # … and by a reranker, in pieces: late ones keep their places
_ANSWER_TOKENS = 1000
_SOON_COUNTS = 10.0  # ranks of several wordings add up; a larger value flattens the lead of the first
_QUERY = {"type": "string", "minLength": 1, "maxLength": 200}
_WORDINGS = one_object({"queries": {"type": "array", "maxItems": 3, "items": _QUERY}})
_ORDER = one_object(
    {"best": {"type": "array", "maxItems": FIRST, "items": {"type": "string", "maxLength": 8}}}
)
_SOUL = (
    "You help to find notes. A keyword search reads them; you know what words people use for the same thing."
)
_REWORD = (
    "Somebody searches their notes; the material is what they typed. Give up to three other short queries that would "
    "find the answer: synonyms, the words that a note would use, the same in another language that they write in."
)
_RERANK = (
    "The material with the id `question` is what somebody searches their notes for; the other pieces are notes that were "
    "found. List the ids of the notes that answer it, the best first; leave out those that do not."
)


@dataclass(frozen=True, slots=True)
class Helpers:
    """The model and the reranker, if any; ``lacking`` says why there is neither."""

    asker: Asker | None = None
    reranker: Reranker | None = None
    lacking: str = ""


@dataclass(slots=True)
class Smart:
    """The questions sent, and their results."""

    asked: str = ""  # the model asked for other wordings
    queries: tuple[str, ...] = ()
    sent_to: str = ""  # the model or reranker asked for an order
    sent: tuple[str, ...] = ()  # the places of the lines sent for it
    tokens: int = 0
    asker_failed: bool = False  # no second attempt
    reasons: list[str] = field(default_factory=list)


def smart_search(find: Callable[[Query], Hits], request: Query, helpers: Helpers) -> tuple[Hits, Smart]:
    """Return the hits of ``find``, reordered where possible; else as they are, with the reason."""
    smart = Smart()
    if helpers.asker is None and helpers.reranker is None:
        smart.reasons.append(helpers.lacking)
        return find(request), smart
    most, least = FIRST, request.min_score
    if helpers.reranker is not None:  # better than a word score
        most, least = CANDIDATES, 0.0 if request.guesses else least
    plain = find(request._replace(most=max(request.most, most), tokens=0, min_score=least))
    results = _reworded(find, request, plain, helpers, smart)
    results = _reordered(request, results, helpers, smart)
    smart.tokens = 0 if helpers.asker is None else helpers.asker.spent
    ordered = _corrections_held(plain.results, results)
    shown = by_shown_score(ordered, lambda result: result.score, lambda result: result.is_correction)
    results = [result._replace(score=score) for score, result in shown]
    results = results[: request.most]
    tokens = request.within(plain.probability).tokens
    return plain._replace(results=tuple(results[: how_many_fit(results, tokens)])), smart


def _reworded(
    find: Callable[[Query], Hits], request: Query, plain: Hits, helpers: Helpers, smart: Smart
) -> list[Result]:
    if helpers.asker is None:
        return list(plain.results)
    smart.asked = helpers.asker.model.name
    question = Material("question", "the one who searches", request.query)
    prompt = prompt_of(_SOUL, _REWORD, [question], _WORDINGS)
    try:
        answer = helpers.asker.complete(prompt, _WORDINGS, most_tokens=_ANSWER_TOKENS)
    except ClawgitError as error:
        smart.asker_failed = True
        also = "" if helpers.reranker else ", and the hits are in plain order"
        smart.reasons.append(f"The question was not reworded{also}: {error}")
        return list(plain.results)
    queries = dict.fromkeys(as_read(each).strip() for each in answer["queries"])
    smart.queries = tuple(filter(None, queries))
    others = [find(request._replace(query=query, most=FIRST, tokens=0)).results for query in smart.queries]
    return _together(plain.results, others)


def _together(plain: tuple[Result, ...], others: list[tuple[Result, ...]]) -> list[Result]:
    """Merge the results of several searches by rank; the original question counts twice."""
    merged = list(plain)
    worth = [2 / (_SOON_COUNTS + rank) for rank in range(len(plain))]
    for results in others:
        for rank, result in enumerate(results):
            more = 1 / (_SOON_COUNTS + rank)
            at = next((at for at, other in enumerate(merged) if _overlap(other, result)), None)
            if at is None:
                merged.append(result)
                worth.append(more)
            else:
                worth[at] += more
    return [merged[at] for at in sorted(range(len(merged)), key=lambda at: -worth[at])]


def _reordered(request: Query, results: list[Result], helpers: Helpers, smart: Smart) -> list[Result]:
    most = FIRST if helpers.reranker is None else CANDIDATES
    head, tail = results[:most], results[most:]
    nobody_left = helpers.reranker is None and smart.asker_failed
    if len(head) < 2 or nobody_left:
        return results
    try:
        order = _order(request.query, head, helpers, smart)
    except ClawgitError as error:
        smart.reasons.append(f"The hits are in plain order: {error}")
        return results
    return [*map(head.__getitem__, order), *tail]


def _order(question: str, head: list[Result], helpers: Helpers, smart: Smart) -> list[int]:
    if helpers.reranker is not None:
        return _by_scores(question, head, helpers.reranker, smart)
    assert helpers.asker is not None
    smart.sent = tuple(map(attrgetter("citation"), head))
    smart.sent_to = helpers.asker.model.name
    names = [f"n{place}" for place in range(1, len(head) + 1)]
    materials = [Material("question", "the one who searches", question)]
    for name, result in zip(names, head, strict=True):
        materials.append(Material(name, f"{result.source} {result.citation}", _text(result)))
    prompt = prompt_of(_SOUL, _RERANK, materials, _ORDER)
    answer = helpers.asker.complete(prompt, _ORDER, most_tokens=_ANSWER_TOKENS)
    best = [names.index(name) for name in dict.fromkeys(answer["best"]) if name in names]
    return best + [place for place in range(len(head)) if place not in best]


def _by_scores(question: str, head: list[Result], reranker: Reranker, smart: Smart) -> list[int]:
    """Return the positions of the hits; those scored in time first, by score."""
    smart.sent_to = reranker.name
    began = time.monotonic()
    scores: list[float] = []
    for first in range(0, len(head), PIECE):
        texts = []
        for result in head[first : first + PIECE]:
            smart.sent += (result.citation,)
            texts.append(as_read(_text(result)))
        try:
            scores += reranker.scores(as_read(question), texts, began)
        except ModelError:
            if not scores:
                raise
            smart.reasons.append(f"The reranker scored {len(scores)} of {len(head)} hits in time.")
            break
    best = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return [*best, *range(len(scores), len(head))]


def _text(result: Result) -> str:
    headings = " › ".join(result.titles)
    if headings:
        return f"{headings}\n{result.snippet}"
    return result.snippet


def _corrections_held(plain: tuple[Result, ...], results: list[Result]) -> list[Result]:
    reordered = list(results)
    for place, result in enumerate(plain):
        if result.is_correction and reordered.index(result) > place:
            reordered.remove(result)
            reordered.insert(place, result)
    return reordered


def _overlap(one: Result, other: Result) -> bool:
    same = one.path == other.path and one.retirement == other.retirement
    return same and one.first <= other.last and other.first <= one.last
