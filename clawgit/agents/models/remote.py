"""Models behind HTTP: whatever speaks OpenAI's `/chat/completions` (most services and local servers), and Anthropic."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.protocol import ModelError, Reply
from clawgit.webservice import RefusedError, ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.models.protocol import Asked
    from clawgit.webservice import Service

_NOT_UNDERSTOOD = frozenset({400, 422})
_NO_SUCH_PLACE = 404
_NOT_THERE = "Is the model's name right, and does `model_url` end before /chat/completions (mostly with /v1)?"
_ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one kind of service is asked: its path, what it is sent, how it is told the answer's shape, what it says."""

    path: str
    body: Callable[[str, Asked], dict[str, Any]]
    shape: Callable[[Asked], dict[str, Any]]
    reply: Callable[[Any], Reply]


def _chat(model: str, asked: Asked, *, limit: str = "max_tokens") -> dict[str, Any]:
    messages = [{"role": message.role, "content": message.text} for message in asked.messages]
    return {"model": model, "messages": messages, limit: asked.most_tokens}


def _openai_chat(model: str, asked: Asked) -> dict[str, Any]:
    return _chat(model, asked, limit="max_completion_tokens")  # its newer models refuse the older name


def _chat_shape(asked: Asked) -> dict[str, Any]:
    told = {"name": _ANSWER, "schema": asked.schema, "strict": False}
    return {"response_format": {"type": "json_schema", "json_schema": told}}


def _chat_reply(answer: Any) -> Reply:
    choice = answer["choices"][0]
    text = choice["message"]["content"] or ""
    used = (answer.get("usage") or {}).get("total_tokens")
    return Reply(_text(text), used, cut=choice.get("finish_reason") == "length")


def _anthropic(model: str, asked: Asked) -> dict[str, Any]:
    system = "\n\n".join(message.text for message in asked.messages if message.role == "system")
    messages = [
        {"role": message.role, "content": message.text}
        for message in asked.messages
        if message.role != "system"
    ]
    return {"model": model, "system": system, "messages": messages, "max_tokens": asked.most_tokens}


def _anthropic_shape(asked: Asked) -> dict[str, Any]:
    tool = {"name": _ANSWER, "description": "Give the answer.", "input_schema": asked.schema}
    return {"tools": [tool], "tool_choice": {"type": "tool", "name": _ANSWER}}


def _anthropic_reply(answer: Any) -> Reply:
    given = [block["input"] for block in answer["content"] if block.get("type") == "tool_use"]
    said = "".join(block["text"] for block in answer["content"] if block.get("type") == "text")
    usage = answer.get("usage") or {}
    text = json.dumps(given[0]) if given else _text(said)
    return Reply(
        text,
        usage["input_tokens"] + usage["output_tokens"] if usage else None,
        cut=answer.get("stop_reason") == "max_tokens",
    )


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
            raise ModelError(error.message, hint=_hint(error), reached=error.reached) from error
        try:
            return self.dialect.reply(answer)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise ModelError(
                f"{self.service.place} did not answer as a model does.",
                hint=f"Does `model_url` with {self.dialect.path} behind it serve one?",
                reached=True,
            ) from error

    def _post(self, asked: Asked) -> Any:
        body = self.dialect.body(self.model, asked)
        if self._shapes:
            try:
                return self.service.post(self.dialect.path, body | self.dialect.shape(asked))
            except RefusedError as error:
                if error.status not in _NOT_UNDERSTOOD:
                    raise
            answer = self.service.post(self.dialect.path, body)
            self._shapes = False
            return answer
        return self.service.post(self.dialect.path, body)


def _hint(error: ServiceError) -> str:
    not_there = isinstance(error, RefusedError) and error.status == _NO_SUCH_PLACE
    return _NOT_THERE if not_there else error.hint
