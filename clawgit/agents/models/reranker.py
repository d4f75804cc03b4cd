"""A service that says which texts answer a question best: TEI, llama.cpp, Jina, Cohere, and whoever speaks like them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.http_models import NOT_UNDERSTOOD
from clawgit.agents.models.model import ModelError
from clawgit.http_client import RefusedError, ServiceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.http_client import Service

PATHS = ("/rerank", "/reranking")


@dataclass(frozen=True, slots=True)
class Reranker:
    """One service, at its whole address, and the model that is asked for there, if it has several."""

    service: Service
    model: str = ""

    @property
    def name(self) -> str:
        """Return the model, if it was named, and where it is."""
        return f"{self.model or 'the reranker'} at {self.service.place}"

    def order(self, question: str, texts: Sequence[str]) -> list[int]:
        """Return the places of ``texts``, the one that answers best first; of equals, the one that came first.

        Raises:
            ModelError: The service did not answer, or not with scores for these texts.
        """
        try:
            answer = self._post(question, list(texts))
        except ServiceError as error:
            raise ModelError(error.message, hint=error.hint) from error
        try:
            scores = _scores(answer, len(texts))
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ModelError(
                f"{self.service.place} did not answer with scores.",
                hint="Does `reranker_url` serve a reranker?",
            ) from error
        return sorted(range(len(texts)), key=lambda place: (-scores[place], place))

    def _post(self, question: str, texts: list[str]) -> Any:
        body: dict[str, Any] = {"query": question, "documents": texts, "top_n": len(texts)}
        if self.model:
            body["model"] = self.model
        try:
            return self.service.post("", body)
        except RefusedError as first:
            if first.status not in NOT_UNDERSTOOD:
                raise
            return self._post_as_tei(question, texts, first)

    def _post_as_tei(self, question: str, texts: list[str], first: RefusedError) -> Any:
        """Ask in the form that only TEI knows; whoever does not know it either has said why before."""
        try:
            return self.service.post("", {"query": question, "texts": texts, "truncate": True})
        except RefusedError as error:
            raise first from error


def _scores(answer: Any, count: int) -> list[float]:
    """Return a score for each text; one that the service left out comes last."""
    items = answer["results"] if isinstance(answer, dict) else answer
    scores: dict[int, float] = {}
    for item in items:
        place, score = item["index"], item["score"] if "score" in item else item["relevance_score"]
        if type(place) is not int or not 0 <= place < count or place in scores or not math.isfinite(score):
            raise ValueError("no score of one of these texts")
        scores[place] = float(score)
    if not scores:
        raise ValueError("no scores")
    return [scores.get(place, -math.inf) for place in range(count)]
