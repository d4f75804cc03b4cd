"""From a statement to the message behind it, and from a message to what rests on it; citations are chat:ID."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.open_messages import ask_briefly, has_messages
from clawgit.errors import ClawgitError
from clawgit.history.provenance.trust_lookup import open_beside
from clawgit.history.provenance.why import UnknownWordsError, Why, find_why, find_why_line
from clawgit.history.reading.git_log import LoggedChange, read_named
from clawgit.operations.paths import line_named, looks_like_commit, workspace_path
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime, tzinfo

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller


FOUND_FIRST = "No statement has these words together; a search finds this one first."


class WhyAnswer(NamedTuple):
    """The origin of a statement, the messages of its evidence by citation, and the operator's words ``beside`` it."""

    why: Why
    messages: Mapping[str, ChatMessage]
    zone: tzinfo | None
    beside: str = ""


class RestingOn(NamedTuple):
    """A message, None if it is not stored, and the changes that rest on it."""

    cited: str
    message: ChatMessage | None
    changes: list[LoggedChange]
    zone: tzinfo | None


def find_origin(caller: Caller, what: str) -> WhyAnswer | RestingOn:
    """Find the origin of a statement (an id, a line of a file, words, a commit); of a message, what rests on it."""
    history = caller.history()
    zone = caller.now(history).tzinfo
    if what.startswith(MESSAGE):
        from clawgit.history.undo.undo_targets import Changes, ChangeSource

        message = cited_messages(caller, history, [what]).get(what)
        commits = [commit.commit_id for commit in Changes(history).of_source(ChangeSource(what))]
        changes = read_named(history, commits)
        if message is None:
            caller.say(f"{what} is not kept, or not any more.")
        return RestingOn(what, message, list(filter(None, map(changes.get, commits))), zone)
    try:
        why = why_named(history, what, caller.now(history))
    except UnknownWordsError:
        searched = _searched(history, what, caller.now(history))
        if searched is None:
            raise
        why = searched
    if why.note:
        caller.say(why.note)
    items = [item for wording in why.wordings for item in wording.evidence]
    items += [item for correction in why.corrections for item in correction.evidence]
    entry_id = ""
    if why.state is not None:
        entry_id = why.state.entry.entry_id or ""
    with open_beside(history, caller.now(history).date()) as evidence:
        beside = evidence.of_line(why.words, entry_id, why.trust)
    messages: Mapping[str, ChatMessage] = {}
    try:
        messages = cited_messages(caller, history, items)
    except ClawgitError as error:
        caller.say(f"Messages were not read: {error}")
    return WhyAnswer(why, messages, zone, beside)


def why_named(history: History, what: str, now: datetime) -> Why:
    """Return what is behind an id, words, a line of a file, or the only statement that a commit brought."""
    if looks_like_commit(what):
        from clawgit.operations.meant_statement import commit_named, one_statement

        if commit_named(history, what, now) is not None:
            line = one_statement(history, what, now)
            what = line.mark or line.place
    place = line_named(history.root, what)
    if place is None:
        return find_why(history, what, now.date())
    return find_why_line(history, workspace_path(history.root, place[0]), place[1], now.date())


def _searched(history: History, words: str, now: datetime) -> Why | None:
    """Return the origin of a search's first hit; None where the search only guesses."""
    from clawgit.recall.search import search
    from clawgit.recall.search_results import LOW, Query

    hits = search(history, Query(words, most=1), now)
    if not hits.results or hits.confidence == LOW:
        return None
    first = hits.results[0].standing or hits.results[0]  # a corrected line, not the ledger
    if history.tip().tree.entry(first.path) is None:
        return None
    why = find_why_line(history, first.path, first.best or first.first, now.date())
    return why._replace(note=" ".join(filter(None, (FOUND_FIRST, why.note))))


def cited_messages(caller: Caller, history: History, items: Iterable[str]) -> dict[str, ChatMessage]:
    """Return the stored messages in the evidence, by citation; other evidence is ignored."""
    cited = dict.fromkeys(citation(item) for item in items if item.startswith(MESSAGE))
    if not cited or not has_messages(history):
        return {}

    def read_cited(store: MessageStore) -> dict[str, ChatMessage | None]:
        return {item: store.get(item.removeprefix(MESSAGE)) for item in cited}

    messages = ask_briefly(history, caller.now(history), read_cited)
    return {item: message for item, message in messages.items() if message and not message.is_vetoed}


def citation(item: str) -> str:
    return item.partition(" ")[0]
