"""The models of the command line: from the settings in force, keys of the environment, and the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.agents.models.choose_model import PATIENCE, missing_for_models, model_named, reranker_named
from clawgit.agents.models.model import Asker, ask_for_name
from clawgit.errors import ClawgitError, Complaint
from clawgit.http_client import Patience
from clawgit.workspace.records.records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clawgit.agents.models.smart_search import Helpers, Smart
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller
    from clawgit.recall.search_results import Hits, Query

SEARCH, NAMING = "search", "session-end"
SECONDS = 20  # for an answer that is not necessary
BRIEFLY = Patience(SECONDS, tries=2, pause=0.3)


def asker_for(
    caller: Caller, history: History, purpose: str, *, patience: Patience | None = None
) -> Asker | None:
    """Return the asker of the configured model for ``purpose``; None without a model."""
    model = model_named(history.settings, caller.environment, history.root, patience=patience or PATIENCE)
    if model is None:
        return None
    records = history.state / RECORDS
    most = history.settings.model_daily_tokens
    return Asker(model, records, most, lambda: caller.now(history), purpose)


def namer_of_sessions(caller: Caller, history: History) -> Callable[[Sequence[ChatMessage]], str]:
    """Return the function that names ended conversations; without a model, and after a failure, names are empty."""
    if not history.settings.model:
        return lambda _: ""
    failed: list[ClawgitError] = []

    def name(messages: Sequence[ChatMessage]) -> str:
        try:
            asker = None if failed else asker_for(caller, history, NAMING, patience=BRIEFLY)
            if asker is None:
                return ""
            return ask_for_name(asker, messages)
        except ClawgitError as error:
            failed.append(error)
            caller.say(f"The talk's own words name the session: {error}")
            return ""

    return name


def smart_found(
    caller: Caller,
    history: History,
    find: Callable[[Query], Hits],
    question: Query,
    *,
    verbose: bool,
    by_model: bool,
) -> Hits:
    """Return the hits of ``find``, helped by the model or the reranker; without help, unchanged with the reason.

    Unless ``by_model``, only the reranker is asked, and briefly: the user did not ask for help.
    """
    from clawgit.agents.models.smart_search import smart_search

    hits, smart = smart_search(find, question, _helpers(caller, history, by_model=by_model))
    if verbose:
        caller.say_each(_told(smart))
    return hits._replace(notes=(*hits.notes, *smart.reasons))


def about_models(caller: Caller) -> list[Complaint]:
    try:
        history = caller.history()
    except ClawgitError:
        return []
    if caller.in_force is None:
        return []
    return list(missing_for_models(caller.in_force, caller.environment, history.root))


def _helpers(caller: Caller, history: History, *, by_model: bool) -> Helpers:
    from clawgit.agents.models.smart_search import Helpers

    patience = BRIEFLY
    if not by_model:
        patience = Patience(history.settings.reranker_budget_ms / 1000, tries=1)
    asker = None
    try:
        if by_model:
            asker = asker_for(caller, history, SEARCH, patience=patience)
        reranker = reranker_named(history.settings, caller.environment, patience)
    except ClawgitError as error:
        return Helpers(lacking=f"The hits are in plain order: {error}")
    return Helpers(asker, reranker, "" if asker or reranker else _lacking(caller, by_model=by_model))


def _lacking(caller: Caller, *, by_model: bool) -> str:
    keys = ("model", "reranker_url") if by_model else ("reranker_url",)
    for key in keys:
        if key in caller.held_settings:
            return f"The hits are in plain order: {key} needs `clawgit approve {key}`."
    unset = "`reranker_url` is not"
    if by_model:
        unset = "neither `model` nor `reranker_url` is"
    return f"The hits are in plain order: {unset} set in CONFIG.md."


def _told(smart: Smart) -> Iterator[str]:
    if smart.asked:
        yield f"Asked {smart.asked} for other words."
    for query in smart.queries:
        yield f"Also searched for: {query}"
    if smart.sent:
        yield f"Asked {smart.sent_to} to put these in order: {', '.join(smart.sent)}"
    if smart.asked:
        yield f"Used {smart.tokens:,} tokens."
