"""What a model takes a message to correct: a proposal for each entry, of which nothing counts before it was checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.authorised_edits import EvidenceEdit
from clawgit.agents.candidate_entries import candidates
from clawgit.agents.models.answer_schema import one_list
from clawgit.agents.models.model import ModelError
from clawgit.agents.models.model_prompts import Material, prompt_of
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.agents.candidate_entries import Candidate
    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.validator.heard_messages import Signal
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History

MOST_ENTRIES = 10
MOST_EDITS = 6
LONGEST_TURN = 2000  # characters of what was said before
_SCHEMA = one_list(
    "corrections",
    MOST_EDITS,
    {
        "entry": {"type": "string", "maxLength": 200},
        "statement": {"type": "string", "minLength": 4, "maxLength": 400},
        "quote": {"type": "string", "minLength": 2, "maxLength": 400},
    },
)
_TASK = (
    "The last message of the material is User's, the operator's; what stands before it was said before it, by both sides. "
    "The entries are what memory says now. List which entries that last message corrects: for each the entry's id, the whole "
    "statement that it should make from now on, and the words of the last message that say so. An empty list is a good answer: "
    "most messages correct nothing.\n"
    "Each correction is checked by itself. The quote stands in the last message letter by letter and says that something is "
    "so: no question, condition, wish, order, joke or report of somebody else's words. Every value, name or `not` that changes "
    "stands in that message; what it is about may come from the turns before or from the entry. Keep the entry's subject, its "
    "language and all that was not corrected. What holds once (today, this week) corrects nothing."
)


class Answered(NamedTuple):
    """What a model answered: the edits, what it cost, and a sentence on how it went.

    ``is_settled``: it read the message, so that what it left is no correction, unless that is plain.
    """

    edits: tuple[EvidenceEdit, ...] = ()
    tokens: int = 0
    note: str = ""
    is_settled: bool = False


def ask_validator(asker: Asker, soul: str, signal: Signal, history: History, now: datetime) -> Answered:
    """Return what a model takes a message to correct; where it gives nothing that can be used, that rules do it, and why."""
    exchange = signal.exchange()
    known = candidates(history, exchange.told, exchange.before, now, most=MOST_ENTRIES)
    if not known:
        return Answered()
    named = {(each.entry_id and f"m:{each.entry_id}") or f"{each.path}:{each.line}": each for each in known}
    material = [
        *(Material(name, "memory", each.statement) for name, each in named.items()),
        *(_turn(each) for each in signal.turns),
        Material(signal.evidence_id, "User, the operator: the message to judge", signal.as_said),
    ]
    try:
        answer = asker.complete(prompt_of(soul, _TASK, material, _SCHEMA), _SCHEMA)
    except ModelError as error:
        return Answered(tokens=error.spent, note=f"Rules did it: {error.message}")
    edits = tuple(_edits(answer["corrections"], named, signal.message.chat_id))
    return Answered(edits, asker.spent, is_settled=len(edits) == len(answer["corrections"]))


def _turn(message: ChatMessage) -> Material:
    who = "Agent, the agent itself" if message.role == "assistant" else "User"
    if message.role != "assistant" and message.trust != "operator":
        who = "somebody else, not the operator"
    return Material(f"chat:{message.chat_id}", who, message.text[:LONGEST_TURN])


def _edits(answer: list[dict[str, str]], named: dict[str, Candidate], chat_id: str) -> Iterator[EvidenceEdit]:
    """Yield the edits of entries that the model was shown."""
    for each in answer:
        entry = named.get(each["entry"]) or named.get(f"m:{each['entry']}")
        if entry is not None:
            name = entry.entry_id or entry.statement
            yield EvidenceEdit(name, folded(each["statement"]), chat_id, folded(each["quote"]))
