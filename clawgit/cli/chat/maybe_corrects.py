"""Which entries a message may correct: the answer of `chat add` to a host, which reads them and decides."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.cli.app import App
    from clawgit.history.git.repository import History

MOST, NAMED = 5, 3
LONGEST = 80  # characters of an entry in the line for people


def maybe_corrects(
    app: App, history: History, store: MessageStore, message: ChatMessage, now: datetime
) -> dict[str, Any]:
    """Return the entries that a message may correct; nothing where triage heard no correction in it.

    The message is stored already, so a search that fails is said and stops nothing.
    """
    if message.signal.validator is None:
        return {}
    from clawgit.agents.door.candidate_entries import candidates
    from clawgit.understanding.patterns.own_words import own_words

    try:
        found = candidates(history, own_words(message.text), _turn_before(store, message), now, most=MOST)
    except ClawgitError as error:
        app.say(f"The message is stored, but memory could not be searched for what it may correct: {error}")
        return {}
    return {
        "maybe_corrects": [
            {
                "entry": f"m:{each.entry_id}" if each.entry_id else None,
                "text": each.statement,
                "path": each.path,
                "line": each.line,
            }
            for each in found
        ]
    }


def maybe_corrects_lines(data: dict[str, Any]) -> list[str]:
    """Return the entries of an answer, with the command that corrects one of them."""
    found = data.get("maybe_corrects")
    if not found:
        return []
    named = [
        f'{each["entry"] or "an entry"} "{_short(each["text"])}" ({each["path"]}:{each["line"]})'
        for each in found[:NAMED]
    ]
    which = "ENTRY" if len(named) > 1 else found[0]["entry"] or '"OLD"'
    command = f'clawgit correct {which} "NEW" --evidence {data["id"]}'
    if len(named) == 1:
        return [f"It may correct {named[0]}. If it does: {command}"]
    return ["It may correct one of these:", *(f"  {each}" for each in named), f"If it does: {command}"]


def _turn_before(store: MessageStore, message: ChatMessage) -> list[str]:
    """Return what the agent said last before a message in the same conversation."""
    from clawgit.capture.messages.message_store import Asked

    until = message.sent_at + timedelta(milliseconds=1)
    asked = Asked(
        message.channel, message.conversation, message.session or None, "assistant", until=until, limit=1
    )
    return [each.text for each in store.log(asked)]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
