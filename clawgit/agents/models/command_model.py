"""A model behind a program of the operator's: a host's own, or a script that asks one. JSON in, JSON out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.model import ModelError, Reply

if TYPE_CHECKING:
    from clawgit.agents.models.model import Asked
    from clawgit.agents.models.run_program import Program


@dataclass(frozen=True, slots=True)
class CommandModel:
    """A program that reads `{"messages", "schema", "max_tokens"}` and writes `{"text"}`, maybe with `"tokens"`."""

    program: Program

    @property
    def name(self) -> str:
        """Return the program with its arguments."""
        return f"command {' '.join(self.program.argv)}"

    def reply(self, asked: Asked) -> Reply:
        """Return what the program says; see `Model`."""
        question = {
            "messages": [{"role": message.role, "content": message.text} for message in asked.messages],
            "schema": asked.schema,
            "max_tokens": asked.most_tokens,
        }
        said = self.program.answer(json.dumps(question).encode())
        try:
            answer = json.loads(said)
            return Reply(_text(answer), answer.get("tokens"))
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ModelError(
                f'{self.program.argv[0]} did not write {{"text": …}}.',
                hint="docs/models.md says what it is asked and what it answers.",
                reached=True,
            ) from error


def _text(answer: Any) -> str:
    text = answer["text"]
    if not isinstance(text, str):
        raise TypeError("text is no text")
    return text
