"""Memory that is asked for while others listen: it answers from what was said in that very conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.context.file_slots import is_note_of
from clawgit.context.wanted_context import GROUP, is_said_in, scope_of
from clawgit.errors import ClawgitError
from clawgit.plan import MESSAGE
from clawgit.recall.get_lines import get_lines
from clawgit.recall.search import refuse_blank
from clawgit.recall.search_messages import Candidates, search_messages
from clawgit.recall.search_results import Found, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller


class InGroupError(ClawgitError):
    """What is asked for is not told to others."""


class _SaidInGroup(NamedTuple):
    store: MessageStore
    session: str

    def candidates(self, words: Sequence[str], days: tuple[datetime, datetime] | None) -> Candidates:
        """Return messages of the group's session alone."""
        return self.store.candidates(words, days, session=self.session)


def search_in_group(caller: Caller, history: History, wanted: Wanted, group: str) -> Found:
    """Search what was said in a group."""
    refuse_blank(wanted)
    now = caller.now(history)
    if scope_of(group) != GROUP or not has_messages(history):
        return Found()
    with open_messages(history, now) as store:
        return search_messages(_SaidInGroup(store, group), wanted, now)


def refuse_in_group(caller: Caller, history: History, path: str, group: str) -> None:
    """Refuse what others must not read."""
    if path.startswith(MESSAGE):
        is_theirs = _is_said(caller, history, path.removeprefix(MESSAGE), group)
    else:
        is_theirs = is_note_of(get_lines(history, path).text.encode(), group)
    if not is_theirs:
        raise InGroupError(
            f"{path} is not shown where others listen.",
            hint="In a group memory answers from what was said there. Ask your operator in a private talk.",
        )


def _is_said(caller: Caller, history: History, chat_id: str, group: str) -> bool:
    if not has_messages(history):
        return False
    with open_messages(history, caller.now(history)) as store:
        message = store.get(chat_id)
    return message is not None and is_said_in(message, group)
