"""Messages that are cited as chat:ID: by a search, by what rests on them, by a person who wants to read one."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.capture.messages.open_messages import ask_briefly, has_messages, open_messages
from clawgit.errors import ClawgitError
from clawgit.operations.paths import user_path
from clawgit.plan import MESSAGE
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.operations.caller import Caller

FILE = "file:"


def cited_messages(caller: Caller, history: History, items: Iterable[str]) -> dict[str, ChatMessage]:
    """Return the messages that evidence names and that are still kept, by their citation; the rest of it is passed by."""
    cited = dict.fromkeys(citation(item) for item in items if item.startswith(MESSAGE))
    if not cited or not has_messages(history):
        return {}

    def kept(store: MessageStore) -> dict[str, ChatMessage | None]:
        return {item: store.get(item.removeprefix(MESSAGE)) for item in cited}

    found = ask_briefly(history, caller.now(history), kept)
    return {item: message for item, message in found.items() if message and not message.is_vetoed}


def evidence_messages(caller: Caller, history: History, items: Iterable[str]) -> dict[str, ChatMessage]:
    """Return the messages behind evidence; where they cannot be read, none, and why is said."""
    try:
        return cited_messages(caller, history, items)
    except ClawgitError as error:
        caller.say(f"Messages were not read: {error}")
        return {}


def messages_called(caller: Caller, history: History, word: str) -> dict[str, frozenset[str]]:
    """Return what kept messages come from that is called so, by its full name, with how these messages are cited."""
    if word.startswith(MESSAGE) or not has_messages(history):
        return {}
    try:
        with open_messages(history, caller.now(history)) as store:
            return store.sources_called(word) or store.sources_called(_from_here(word))
    except ClawgitError as error:
        caller.say(f"Messages were not read, so no sender, channel or file is known: {error}")
        return {}


def _from_here(word: str) -> str:
    """Return a path as an import from the current folder notes it; any other word stays."""
    name = word.removeprefix(FILE)
    with suppress(OSError, ValueError):  # a shell can be in a folder that was removed
        if "/" in name:
            return FILE + redact(str(user_path(name).resolve()))
        return word
    return word


def resting_on(history: History, cited: str) -> list[LoggedChange]:
    from clawgit.history.reading.git_log import read_named
    from clawgit.history.undo.undo_targets import Changes, Source

    commits = [commit.commit_id for commit in Changes(history).of_source(Source(cited))]
    found = read_named(history, commits)
    return [found[commit_id] for commit_id in commits if commit_id in found]


def citation(item: str) -> str:
    return item.partition(" ")[0]
