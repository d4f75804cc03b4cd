"""Models behind HTTP (whatever speaks OpenAI's `/chat/completions`, and Anthropic), and rerankers (TEI, llama.cpp, Jina, Cohere)."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.model import ModelError, Reply
from clawgit.http_client import RefusedError, ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.agents.models.model import Asked
    from clawgit.http_client import Service


NOT_UNDERSTOOD = frozenset({400, 422})
_NO_SUCH_PLACE = 404
_NOT_THERE = "Is the model's name right, and does `model_url` end before /chat/completions (mostly with /v1)?"
_ANSWER = "answer"
SHORTEST_KEY = 16  # what is shorter (`none`, `lm-studio`) stands for a key, and may be a word of the answer
PATHS = ("/rerank", "/reranking")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one kind of service is asked: its path, what it is sent, how it is told the answer's shape, what it says."""

    path: str
    body: Callable[[str, Asked], dict[str, Any]]
    shape: Callable[[Asked], dict[str, Any]]
    reply: Callable[[Any], Reply]


def _chat(model: str, asked: Asked, *, limit: str = "max_tokens") -> dict[str, Any]:
    return {"model": model, "messages": asked.spoken(), limit: asked.most_tokens, "stream": False}


def _openai_chat(model: str, asked: Asked) -> dict[str, Any]:
    return _chat(model, asked, limit="max_completion_tokens")  # its newer models refuse the older name


def _chat_shape(asked: Asked) -> dict[str, Any]:
    told = {"name": _ANSWER, "schema": asked.schema, "strict": False}
    return {"response_format": {"type": "json_schema", "json_schema": told}}


def _chat_reply(answer: Any) -> Reply:
    choice = answer["choices"][0]
    text = _in_parts(choice["message"]["content"] or "")
    used = _used(answer, "total_tokens") or _used(answer, "prompt_tokens", "completion_tokens")
    return Reply(_text(text), used, cut=choice.get("finish_reason") == "length")


def _anthropic(model: str, asked: Asked) -> dict[str, Any]:
    system = "\n\n".join(message.text for message in asked.messages if message.role == "system")
    messages = [each for each in asked.spoken() if each["role"] != "system"]
    limit = {"max_tokens": asked.most_tokens, "stream": False}
    return {"model": model, "system": system, "messages": messages, **limit}


def _anthropic_shape(asked: Asked) -> dict[str, Any]:
    tool = {"name": _ANSWER, "description": "Give the answer.", "input_schema": asked.schema}
    return {"tools": [tool], "tool_choice": {"type": "tool", "name": _ANSWER}}


def _anthropic_reply(answer: Any) -> Reply:
    given = [block["input"] for block in answer["content"] if block.get("type") == "tool_use"]
    text = json.dumps(given[0]) if given else _text(_in_parts(answer["content"]))
    used = _used(answer, "input_tokens", "output_tokens")
    return Reply(text, used, cut=answer.get("stop_reason") == "max_tokens")


def _in_parts(content: Any) -> Any:
    """Return the text of an answer in parts (thoughts are others), or what is no such answer as it is."""
    if not isinstance(content, list):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")


def _used(answer: Any, *names: str) -> int | None:
    usage = answer.get("usage")
    told: list[Any] = [usage.get(name) for name in names] if isinstance(usage, dict) else []
    return sum(told) if told and all(type(each) is int for each in told) else None


def _text(said: Any) -> str:
    if not isinstance(said, str):
        raise TypeError("what it says is no text")
    return said


OPENAI = Dialect("/chat/completions", _openai_chat, _chat_shape, _chat_reply)
COMPATIBLE = Dialect("/chat/completions", _chat, _chat_shape, _chat_reply)
ANTHROPIC = Dialect("/messages", _anthropic, _anthropic_shape, _anthropic_reply)


@dataclass(slots=True)
class RemoteModel:
    """A model behind a service; one that does not know how to be told a shape is told in words alone."""

    dialect: Dialect
    model: str
    service: Service
    _shapes: bool = field(default=True, init=False)

    @property
    def name(self) -> str:
        """Return the model and where it is: the same name elsewhere may be another model."""
        return f"{self.model} at {self.service.place}"

    def reply(self, asked: Asked) -> Reply:
        """Return what the model says; see `Model`."""
        try:
            answer = self._post(asked)
        except ServiceError as error:
            hint = error.hint
            if isinstance(error, RefusedError) and error.status == _NO_SUCH_PLACE:
                hint = _NOT_THERE
            raise ModelError(error.message, hint=hint, reached=error.reached) from error
        try:
            reply = self.dialect.reply(answer)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            if complaint := self.service.complaint_in(answer):
                raise ModelError(
                    f"{self.service.place} did not answer: {complaint}.", reached=True
                ) from error
            raise ModelError(
                f"{self.service.place} did not answer as a model does.",
                hint=f"Does `model_url` with {self.dialect.path} behind it serve one?",
                reached=True,
            ) from error
        is_secret = len(self.service.key) >= SHORTEST_KEY
        return replace(reply, text=self.service.without_key(reply.text)) if is_secret else reply

    def _post(self, asked: Asked) -> Any:
        body = self.dialect.body(self.model, asked)
        began = time.monotonic()
        if self._shapes:
            try:
                return self.service.post(self.dialect.path, body | self.dialect.shape(asked), began=began)
            except RefusedError as error:
                if error.status not in NOT_UNDERSTOOD:
                    raise
        answer = self.service.post(self.dialect.path, body, began=began)
        self._shapes = False
        return answer


@dataclass(frozen=True, slots=True)
class Reranker:
    """One service, at its whole address, and the model that is asked for there, if it has several."""

    service: Service
    model: str = ""

    @property
    def name(self) -> str:
        """Return the model, if it was named, and where it is."""
        return f"{self.model or 'the reranker'} at {self.service.place}"

    def scores(self, question: str, texts: Sequence[str], began: float) -> list[float]:
        """Return how well each text answers; the patience is for all that is asked since ``began``."""
        try:
            answer = self._post(question, list(texts), began)
        except ServiceError as error:
            raise ModelError(error.message, hint=error.hint) from error
        try:
            return _scores(answer, len(texts))
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ModelError(
                f"{self.service.place} did not answer with scores.",
                hint="Does `reranker_url` serve a reranker?",
            ) from error

    def _post(self, question: str, texts: list[str], began: float) -> Any:
        body: dict[str, Any] = {"query": question, "documents": texts, "top_n": len(texts)}
        if self.model:
            body["model"] = self.model
        try:
            return self.service.post("", body, began=began)
        except RefusedError as first:
            if first.status not in NOT_UNDERSTOOD:
                raise
            try:  # in the form that only TEI knows; whoever does not know it either has said why before
                other = {"query": question, "texts": texts, "truncate": True}
                return self.service.post("", other, began=began)
            except RefusedError as error:
                raise first from error


def _scores(answer: Any, count: int) -> list[float]:
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
