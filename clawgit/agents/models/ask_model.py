"""`complete(messages, schema) -> value`: a checked answer, asked for once more if it is no use, never paid twice, within a day's limit; and how a talk is named."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.model import Asked, Message, ModelError
from clawgit.agents.models.model_questions import Material, one_object, problems_of, prompt_of, read_answer
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


@dataclass(slots=True)
class Meter:
    """The records of one workspace, its limit for a day, and what was used, and saved, through this meter."""

    records: Path
    most_a_day: int
    clock: Callable[[], datetime]
    spent: int = field(default=0, init=False)
    saved: int = field(default=0, init=False)

    def begin(self, purpose: str, model: str, input_id: str, asked: Asked) -> int:
        """Set aside what a question may use, and return the number of its record."""
        now = self.clock()
        with open_records(self.records, now) as records:
            calls = records.model_calls
            call = ModelCall(now, purpose, model, input_id)
            wanted = asked.tokens + asked.most_tokens
            call_id = calls.begin(call, wanted, self.most_a_day)
            if call_id is None:
                used = calls.tokens_on(call.day)
                raise ModelError(
                    f"The day's limit would be passed: {used:,} of {self.most_a_day:,} tokens are used,"
                    f" and this question may take {wanted:,}.",
                    hint="It is `model_daily_tokens` in CONFIG.md; tomorrow the count starts again.",
                    spent=self.spent,
                )
        return call_id

    def answered(self, call_id: int, asked: Asked, reply: Reply, usable: str = "") -> None:
        """Note what an answer used, and the answer itself if it is ``usable``."""
        outcome = CallOutcome.ANSWERED if usable else CallOutcome.UNUSABLE
        self._end(call_id, outcome, reply.tokens(asked), usable)

    def failed(self, call_id: int, asked: Asked, *, reached: bool) -> None:
        """Note that there was no answer; the question counts if it ``reached`` somebody who may have read it."""
        self._end(call_id, CallOutcome.FAILED, asked.tokens if reached else 0)

    def known(self, input_id: str) -> str | None:
        """Return a usable answer to the same question that was given before."""
        now = self.clock()
        with open_records(self.records, now) as records:
            answer = records.model_calls.answer_to(input_id, now)
            self.saved += 0 if answer is None else records.model_calls.tokens_for(input_id, now)
        return answer

    def _end(self, call_id: int, outcome: CallOutcome, tokens: int, answer: str = "") -> None:
        self.spent += tokens
        with open_records(self.records, self.clock()) as records:
            records.model_calls.end(call_id, outcome, tokens, answer)


class UnusableAnswerError(ModelError):
    """A model answered twice, and neither time with what was asked for."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks a model for one ``purpose``: a run's id, or `search`."""

    model: Model
    meter: Meter
    purpose: str

    @property
    def spent(self) -> int:
        """Return the tokens that were used so far, also for answers that were no use."""
        return self.meter.spent

    @property
    def saved(self) -> int:
        """Return the tokens that were used for answers which were known already."""
        return self.meter.saved

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any],
        *,
        most_tokens: int = MOST_ANSWER_TOKENS,
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
        input_id = self._input_id(asked)
        known = self.meter.known(input_id)
        return self._asked(asked, input_id) if known is None else json.loads(known)

    def _asked(self, asked: Asked, input_id: str) -> Any:
        question, problems = asked, ["nothing was asked"]
        for _ in range(TRIES):
            call_id = self.meter.begin(self.purpose, self.model.name, input_id, question)
            reply = self._reply(question, call_id)
            value, problems = _read(reply, asked)
            self.meter.answered(call_id, question, reply, "" if problems else json.dumps(value))
            if not problems:
                return value
            question = _repair(asked, reply.text, problems)
        raise UnusableAnswerError(
            f"{self.model.name} did not answer with what was asked for: {problems[0]}.",
            hint="Nothing of its answer was used; a larger model may do better.",
            reached=True,
            spent=self.spent,
        )

    def _reply(self, question: Asked, call_id: int) -> Reply:
        try:
            return self.model.reply(question)
        except ModelError as error:
            self.meter.failed(call_id, question, reached=error.reached)
            error.spent = self.spent
            raise
        except KeyboardInterrupt:
            self.meter.failed(call_id, question, reached=True)
            raise

    def _input_id(self, asked: Asked) -> str:
        parts = [
            self.model.name,
            [[each.role, each.text] for each in asked.messages],
            asked.schema,
            asked.most_tokens,
        ]
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _read(reply: Reply, asked: Asked) -> tuple[Any, list[str]]:
    if reply.cut:
        return None, ["it was cut off, so it has to be shorter"]
    try:
        value = read_answer(reply.text)
    except ValueError:
        return None, ["it is not JSON"]
    return value, list(islice(problems_of(value, asked.schema), _PROBLEMS))


def _repair(asked: Asked, said: str, problems: Sequence[str]) -> Asked:
    again = (
        f"That cannot be used: {'; '.join(problems)}. "
        "Answer the question once more, with one JSON object of the shape that was told, and nothing else."
    )
    more = (Message("assistant", said[:_SHOWN_AGAIN] or "(nothing)"), Message("user", again))
    return Asked((*asked.messages, *more), asked.schema, asked.most_tokens)


def ask_for_name(asker: Asker, messages: Sequence[ChatMessage]) -> str:
    """Return what a model calls a conversation, just as it says it."""
    material = [
        Material(f"{MESSAGE}{each.chat_id}", each.role, each.text[:SHOWN], each.sent_at.isoformat())
        for each in messages
    ]
    answer = asker.complete(prompt_of(_SOUL, _TASK, material, _SCHEMA), _SCHEMA, most_tokens=_ANSWER_TOKENS)
    return str(answer["name"])
