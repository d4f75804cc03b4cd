"""`complete(messages, schema) -> value`: a checked answer, asked for once more if it is no use, never paid twice, within a day's limit; and how a talk is named."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.model import (
    Asked,
    Material,
    Message,
    ModelError,
    one_object,
    problems_of,
    prompt_of,
    read_answer,
)
from clawgit.plan import MESSAGE
from clawgit.workspace.records.record_tables import CallOutcome, ModelCall
from clawgit.workspace.records.records import open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from clawgit.agents.models.model import Model, Reply
    from clawgit.capture.messages.message import ChatMessage

    Askers = Callable[[str], "Asker | None"]  # who asks for a run, by its id; None where there is no model


MOST_ANSWER_TOKENS = 8000
MOST_QUESTION_TOKENS = 100_000
TRIES = 2  # the second says what was wrong with the first answer
_PROBLEMS = 8
_SHOWN_AGAIN = 8000
SHOWN = 1000  # characters of one message: what it is about is said by then
_ANSWER_TOKENS = 1000
_SCHEMA = one_object({"name": {"type": "string", "minLength": 1, "maxLength": 60}})
_SOUL = "You give conversations the names under which somebody looks for them later."
_TASK = (
    "The material is the end of a conversation. Name what it is about in one or two plain English words, in Latin letters, as a "
    "file would be called: `vendor pitch`, `api design`."
)


class UnusableAnswerError(ModelError):
    """A model answered twice, and neither time with what was asked for."""


@dataclass(slots=True)
class Asker:
    """Asks a model for one ``purpose`` (a run's id, or `search`), within a day's limit; ``saved`` are tokens of answers known already."""

    model: Model
    records: Path
    most_a_day: int
    clock: Callable[[], datetime]
    purpose: str
    spent: int = field(default=0, init=False)
    saved: int = field(default=0, init=False)

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any], *, most_tokens: int = MOST_ANSWER_TOKENS
    ) -> Any:
        """Return the value that the model answers with; it has the shape that ``schema`` (an object) tells.

        What it says is still nobody's word: whether ids exist and edits fit is for the caller to check. The same
        question to the same model is answered from the records for thirty days.

        Raises:
            ModelError: There is no usable answer, or the day's limit would be passed; the sentence says why.
            RecordsError: The question cannot be recorded, so it is not asked.
        """
        asked = Asked(tuple(messages), schema, most_tokens)
        if asked.tokens > MOST_QUESTION_TOKENS:
            raise ModelError(
                f"The question is too long (about {asked.tokens:,} tokens).",
                hint="Ask in parts.",
                spent=self.spent,
            )
        parts = [
            self.model.name,
            [[each.role, each.text] for each in asked.messages],
            asked.schema,
            asked.most_tokens,
        ]
        input_id = sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        now = self.clock()
        with open_records(self.records, now) as records:
            known = records.model_calls.answer_to(input_id, now)
            if known is not None:
                self.saved += records.model_calls.tokens_for(input_id, now)
                return json.loads(known)
        return self._asked(asked, input_id)

    def _asked(self, asked: Asked, input_id: str) -> Any:
        question, problems = asked, ["nothing was asked"]
        for _ in range(TRIES):
            call_id = self._begin(question, input_id)
            try:
                reply = self.model.reply(question)
            except ModelError as error:
                self._end(call_id, CallOutcome.FAILED, question.tokens if error.reached else 0)
                error.spent = self.spent
                raise
            except KeyboardInterrupt:  # somebody may have read it
                self._end(call_id, CallOutcome.FAILED, question.tokens)
                raise
            value, problems = _read(reply, asked)
            if not problems:
                self._end(call_id, CallOutcome.ANSWERED, reply.tokens(question), json.dumps(value))
                return value
            self._end(call_id, CallOutcome.UNUSABLE, reply.tokens(question))
            again = (
                f"That cannot be used: {'; '.join(problems)}. "
                "Answer the question once more, with one JSON object of the shape that was told, and nothing else."
            )
            more = (Message("assistant", reply.text[:_SHOWN_AGAIN] or "(nothing)"), Message("user", again))
            question = replace(asked, messages=(*asked.messages, *more))
        raise UnusableAnswerError(
            f"{self.model.name} did not answer with what was asked for: {problems[0]}.",
            hint="Nothing of its answer was used; a larger model may do better.",
            reached=True,
            spent=self.spent,
        )

    def _begin(self, asked: Asked, input_id: str) -> int:
        """Set aside what a question may use, and return the number of its record."""
        now = self.clock()
        tokens = asked.tokens + asked.most_tokens
        with open_records(self.records, now) as records:
            calls = records.model_calls
            call = ModelCall(now, self.purpose, self.model.name, input_id)
            call_id = calls.begin(call, tokens, self.most_a_day)
            if call_id is None:
                used = calls.tokens_on(call.day)
                raise ModelError(
                    f"The day's limit would be passed: {used:,} of {self.most_a_day:,} tokens are used,"
                    f" and this question may take {tokens:,}.",
                    hint="It is `model_daily_tokens` in CONFIG.md; tomorrow the count starts again.",
                    spent=self.spent,
                )
        return call_id

    def _end(self, call_id: int, outcome: CallOutcome, tokens: int, answer: str = "") -> None:
        self.spent += tokens
        with open_records(self.records, self.clock()) as records:
            records.model_calls.end(call_id, outcome, tokens, answer)


def _read(reply: Reply, asked: Asked) -> tuple[Any, list[str]]:
    if reply.cut:
        return None, ["it was cut off, so it has to be shorter"]
    try:
        value = read_answer(reply.text)
    except ValueError:
        return None, ["it is not JSON"]
    return value, list(islice(problems_of(value, asked.schema), _PROBLEMS))


def ask_for_name(asker: Asker, messages: Sequence[ChatMessage]) -> str:
    """Return what a model calls a conversation, just as it says it."""
    material = [
        Material(f"{MESSAGE}{each.chat_id}", each.role, each.text[:SHOWN], each.sent_at.isoformat())
        for each in messages
    ]
    answer = asker.complete(prompt_of(_SOUL, _TASK, material, _SCHEMA), _SCHEMA, most_tokens=_ANSWER_TOKENS)
    return str(answer["name"])
