"""Models behind a real service on this machine that answer as they are told: in the forms of OpenAI and of Anthropic."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from embedding_service import Script  # noqa: TC002 - a fixture's annotation

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class ModelScript:
    """What the service answers: in turn what `says` was given, then the last of it for ever."""

    service: Script

    @property
    def url(self) -> str:
        return self.service.url

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request["body"] for request in self.service.requests]

    def says(self, *values: Any, tokens: Any = 100) -> None:
        """Answer with ``values`` in turn: text as it is, anything else as JSON, a function by itself."""
        answers = [value if callable(value) else self._answer(value, tokens) for value in values]
        self.service.next.extend(answers)
        self.service.always = answers[-1]

    def _answer(self, value: Any, tokens: Any) -> Callable[[Any, Any], None]:
        text = value if isinstance(value, str) else json.dumps(value)

        def answer(to: Any, body: Any) -> None:
            if to.path.endswith("/messages"):
                block = {"type": "text", "text": text}
                if isinstance(value, dict) and "tools" in body:
                    block = {"type": "tool_use", "name": "answer", "input": value}
                said = {"content": [block], "usage": {"input_tokens": 1, "output_tokens": tokens - 1}}
            else:
                message = {"role": "assistant", "content": text}
                said = {"choices": [{"message": message}], "usage": {"total_tokens": tokens}}
            self.service.send(to, said)

        return answer


@pytest.fixture
def scripted(service: Script) -> ModelScript:
    """Return a model that answers as it is told, for the length of the test."""
    return ModelScript(service)
