"""Enhanced mode as it is shipped, with a perfect reranker, the source's formula, and what vectors do alone or by reciprocal ranks."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING

from benchmarks.retrieval.measures import Range
from benchmarks.retrieval.shipped import core
from clawgit.cli.main import run
from clawgit.history.git.repository import open_history
from clawgit.operations.status import folder_of
from clawgit.recall.embedders.choose_embedder import LocalModel
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.index.places import SearchLimits
from clawgit.recall.index.search_index import open_index
from clawgit.recall.vector_search import Vectors
from clawgit.recall.vectors.owner_client import Owner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from benchmarks.retrieval.conversations import Asked

    Ask = Callable[[str], list[Range]]

_RRF = 60
_CANDIDATES = (30, 100, 200)  # for a reranker: what a model sorts, what `reranker_url` sorts, all


def systems(root: Path, now: datetime, model: Path, questions: Sequence[Asked]) -> Iterator[tuple[str, Ask]]:
    """Yield each system when the workspace is set up for it; in the end it is in core mode again."""
    shown, default = core(root, now), core(root, now, ())
    _do(root, "config", "set", "embedder", f"local:{model.absolute()}")
    _do(root, "config", "set", "mode", "enhanced")
    _do(root, "memory", "index")
    once = cache(shown)
    yield "enhanced", once
    yield "enhanced, as shipped", default
    for candidates in _CANDIDATES:
        yield f"enhanced, {candidates} by a perfect reranker", perfect(once, questions, candidates)
    _do(root, "config", "set", "search_fusion", "0.7/0.3")
    yield "0.7 vector + 0.3 keyword", shown
    _do(root, "config", "set", "search_fusion", "best")
    _do(root, "config", "set", "mode", "core")
    alone = vectors_alone(root, model)
    yield "core and vectors by RRF", reciprocal(shown, alone)
    yield "vectors alone", alone


def stop_owner() -> None:
    """End the process that holds the vectors."""
    Owner(folder_of(os.environ)).stop()


def vectors_alone(root: Path, model: Path) -> Ask:
    """Return a function that orders lines by their cosines."""
    history = open_history(root)
    vectors = Vectors(history, LocalModel(model.absolute()), Owner(folder_of(os.environ)))

    def ask(question: str) -> list[Range]:
        near, _ = vectors.near(question, ())
        rank = {text: at for at, text in enumerate(near.best)}
        with open_index(history) as index:
            places = index.places(index.of_texts(near.best, SearchLimits())).values()
        ordered = sorted(places, key=lambda place: rank[text_hash(place.text)])
        return [Range(place.path, place.first, place.last) for place in ordered]

    return ask


def perfect(ask: Ask, questions: Sequence[Asked], candidates: int) -> Ask:
    """Return a function that puts first what answers of so many results: no reranker orders them better."""
    gold = {question.text: question.gold for question in questions}

    def reranked(question: str) -> list[Range]:
        results = ask(question)
        answers = gold.get(question, frozenset())

        def misses(each: Range) -> bool:
            return all((each.path, line) not in answers for line in range(each.first, each.last + 1))

        return sorted(results[:candidates], key=misses) + results[candidates:]

    return reranked


def reciprocal(one: Ask, other: Ask) -> Ask:
    """Return a function that adds up the reciprocal ranks of two others, line by line."""

    def ask(question: str) -> list[Range]:
        scores: dict[Range, float] = defaultdict(float)
        for found in (one(question), other(question)):
            for rank, each in enumerate(found, start=1):
                for line in range(each.first, each.last + 1):
                    scores[Range(each.path, line, line)] += 1 / (_RRF + rank)
        return sorted(scores, key=lambda each: -scores[each])

    return ask


def _do(root: Path, *words: str) -> None:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
        code = run(["-w", str(root), *words], {})
    if code:
        raise SystemExit(f"clawgit {' '.join(words)} ended with {code}: {said.getvalue()}")
