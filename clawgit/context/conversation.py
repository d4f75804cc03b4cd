"""What a conversation is about, and who listens."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.message_store import Asked
from clawgit.capture.messages.open_messages import ask_briefly, has_messages
from clawgit.context.audience import scope_of
from clawgit.errors import ClawgitError
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.triage.triage_message import asks_to_forget

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.context.wanted_context import WantedContext
    from clawgit.history.git.repository import History

LAST_MESSAGES = 6
MOST_CHARACTERS = 2000  # of what is searched for
_EACH = 600


class Talk(NamedTuple):
    """What is known of the conversation: what to search for, who listens, what went wrong."""

    query: str
    scope: str
    notes: tuple[str, ...] = ()


def talk_about(history: History, wanted: WantedContext, now: datetime) -> Talk:
    """Return what is known of the conversation for which a context is wanted."""
    scope = wanted.scope or scope_of(wanted.session)
    if asks_to_forget(wanted.query):
        return Talk("", scope)
    if wanted.query.strip():
        return Talk(asked_words(wanted.query), scope)
    if not wanted.session:
        return Talk("", scope)
    said, why = last_words(history, wanted.session, now)
    return Talk(said, scope, (f"The conversation is not known: {why}.",) if why else ())


def last_words(history: History, session: str, now: datetime) -> tuple[str, str]:
    """Return what was said last in a session, and why that is not known."""
    if not has_messages(history):
        return "", "no messages are kept"
    try:
        found = ask_briefly(
            history, now, lambda store: store.log(Asked(session=session, limit=LAST_MESSAGES))
        )
    except ClawgitError as error:
        return "", error.message
    said = [folded(each.text)[:_EACH] for each in found if each.role in ("user", "assistant")]
    return asked_words("\n".join(said)), "" if said else "nothing is kept of this session"


def asked_words(text: str) -> str:
    """Return the end of a text that is short enough to be searched for, from a word's begin on."""
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[-MOST_CHARACTERS:].partition(" ")[2] or text[-MOST_CHARACTERS:]
