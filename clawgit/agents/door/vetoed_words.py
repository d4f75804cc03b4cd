"""What the operator asked not to be remembered: nobody else may bring it into memory while that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.understanding.evidence.said_words import is_light, lacking, read, spelled

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History


TELLING = 4  # characters of a value that tells what was said, in whatever words


class VetoedError(ClawgitError):
    """A statement says what is not to be remembered."""


def refuse_vetoed(history: History, statement: str, intent: Intent) -> None:
    """Refuse a statement that says what a message says of the last day which is not to be remembered.

    Raises:
        VetoedError: It does, and is not the operator's.
    """
    if intent.actor == OPERATOR or not has_messages(history):
        return
    with open_messages(history, intent.now) as store:
        said = [message.text for message in store.vetoed() if message.role == "user"]
    if any(says_the_same(statement, text, intent.now.date()) for text in said):
        raise VetoedError(
            "The operator asked that this not be remembered, so nothing was written.",
            hint="Leave it out of memory, notes and files.",
        )


def says_the_same(statement: str, text: str, on: date) -> bool:
    """Say whether a statement has a telling value of a text, or at least half of its telling words from there."""
    stated = read(spelled(statement), on)
    said = read(spelled(text), on)
    words = [item for item in stated.items if not is_light(item)]
    missing = [item for item in lacking(stated, said) if not is_light(item)]
    shared = [value.shown for value in stated.values if value.shown not in missing]
    if any(len(value) >= TELLING for value in shared):
        return True
    return bool(words) and 2 * len(missing) <= len(words)
