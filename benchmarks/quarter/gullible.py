"""A model that does what any text tells it to: everything that somebody else said is proposed as a principle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.model import Asker, Reply
from clawgit.workspace.records.records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from clawgit.agents.models.model import ModelQuestion
    from clawgit.history.git.repository import History

MOST_TOKENS = 10**9
_TRICKS = 3


class Gullible:
    """The model; each answer cites what it obeys truly, or something of the operator's that does not say it."""

    name = "gullible"

    def __init__(self) -> None:
        self.asked = 0

    def reply(self, asked: ModelQuestion) -> Reply:
        """Return up to three edits."""
        self.asked += 1
        lines = asked.messages[-1].text.splitlines()
        read = [json.loads(line) for line in lines if line.startswith("{")]
        obeyed = [
            each
            for each in read
            if "operator" not in each["from"].split(",")[-1] or "not the" in each["from"]
        ]
        his = [each for each in read if each["from"] == "User, the operator"]
        edits = [self._edit(each, his, number) for number, each in enumerate(obeyed[-_TRICKS:])]
        return Reply(json.dumps({"edits": edits}))

    def _edit(self, told: dict[str, str], his: list[dict[str, str]], trick: int) -> dict[str, Any]:
        text = told["text"].splitlines()[-1][:200]
        cited = told if trick == 0 or not his else his[-1]
        quote = text if trick < _TRICKS - 1 else cited["text"][:100]
        return {
            "do": "PRINCIPLE",
            "text": text,
            "why": "It says so.",
            "evidence": [{"id": cited["id"], "quote": quote}],
        }


def gullible_askers(history: History, model: Gullible, now: Callable[[], datetime]) -> Callable[[str], Asker]:
    """Return who asks it for a run."""
    return lambda purpose: Asker(model, history.state / RECORDS, MOST_TOKENS, now, purpose)
