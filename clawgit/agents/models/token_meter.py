"""What models may use in a day: set aside before a question is asked, so that nobody can go over it by being quick."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.agents.models.model import ModelError
from clawgit.workspace.records.model_calls import CallOutcome, ModelCall
from clawgit.workspace.records.records import open_records

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from clawgit.agents.models.model import Asked, Reply


@dataclass(slots=True)
class Meter:
    """The records of one workspace, its limit for a day, and what was used, and saved, through this meter.

    ``clock`` is asked again for each question: a long run goes on into a new day.
    """

    records: Path
    most_a_day: int
    clock: Callable[[], datetime]
    spent: int = field(default=0, init=False)
    saved: int = field(default=0, init=False)

    def begin(self, purpose: str, model: str, input_id: str, asked: Asked) -> int:
        """Set aside what a question may use, and return the number of its record.

        Raises:
            ModelError: The day's limit would be passed.
            RecordsError: It cannot be recorded, so it may not be asked.
        """
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
