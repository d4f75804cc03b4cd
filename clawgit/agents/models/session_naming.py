"""What a model calls a conversation that ended: one or two words, of which a file's name can be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.agents.models.model_questions import Material, one_object, prompt_of
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.agents.models.ask_model import Asker
    from clawgit.capture.messages.message import ChatMessage


SHOWN = 1000  # characters of one message: what it is about is said by then
_ANSWER_TOKENS = 1000
_SCHEMA = one_object({"name": {"type": "string", "minLength": 1, "maxLength": 60}})
_SOUL = "You give conversations the names under which somebody looks for them later."
_TASK = (
    "The material is the end of a conversation. Name what it is about in one or two plain English words, in Latin letters, as a "
    "file would be called: `vendor pitch`, `api design`."
)


def ask_for_name(asker: Asker, messages: Sequence[ChatMessage]) -> str:
    """Return what a model calls a conversation, just as it says it.

    Raises:
        ModelError: It gave no name.
    """
    material = [
        Material(f"{MESSAGE}{each.chat_id}", each.role, each.text[:SHOWN], each.sent_at.isoformat())
        for each in messages
    ]
    answer = asker.complete(prompt_of(_SOUL, _TASK, material, _SCHEMA), _SCHEMA, most_tokens=_ANSWER_TOKENS)
    return str(answer["name"])
