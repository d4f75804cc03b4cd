"""What the command line hands to whoever asks a model: the settings in force, keys from the environment, the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.models.reranker import Reranker
    from clawgit.agents.smart_search import Helpers, Smart
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.cli.app import App
    from clawgit.history.doctor.complaint import Complaint
    from clawgit.history.git.repository import History
    from clawgit.http_client import Patience
    from clawgit.recall.search_results import Found, Wanted

SEARCH, NAMING = "search", "session-end"
SECONDS = 20  # that somebody waits for what is nice to have
SOON = 4  # and whoever did not ask for it


def asker_for(app: App, history: History, purpose: str, *, patience: Patience | None = None) -> Asker | None:
    """Return who asks the model of the settings in force for ``purpose``, None where there is none.

    Raises:
        ConfigurationError: The key in the environment cannot be one.
    """
    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.models.choose_model import PATIENCE, model_named
    from clawgit.agents.models.token_meter import Meter
    from clawgit.workspace.records.records import RECORDS

    model = model_named(history.settings, app.environment, history.root, patience=patience or PATIENCE)
    if model is None:
        return None
    records = history.state / RECORDS
    meter = Meter(records, history.settings.model_daily_tokens, lambda: app.now(history))
    return Asker(model, meter, purpose)


def namer_of_sessions(app: App, history: History) -> Callable[[Sequence[ChatMessage]], str]:
    """Return who names ended conversations: the model, empty where there is none; one that failed is not asked again."""
    if not history.settings.model:
        return lambda _: ""
    from clawgit.agents.session_naming import ask_for_name
    from clawgit.http_client import Patience

    failed: list[ClawgitError] = []

    def name(messages: Sequence[ChatMessage]) -> str:
        try:
            patience = Patience(SECONDS, tries=2, pause=0.3)
            asker = None if failed else asker_for(app, history, NAMING, patience=patience)
            return "" if asker is None else ask_for_name(asker, messages)
        except ClawgitError as error:
            failed.append(error)
            app.say(f"The talk's own words name the session: {error}")
            return ""

    return name


def smart_found(
    app: App,
    history: History,
    find: Callable[[Wanted], Found],
    wanted: Wanted,
    *,
    verbose: bool,
    by_model: bool,
) -> Found:
    """Return what ``find`` finds with the help of the model or the reranker; without help, as it is, and why.

    Unless ``by_model``, the reranker alone is asked, and it has to answer soon: nobody waits for what he did not ask for.
    """
    from clawgit.agents.smart_search import smart_search

    helpers = _helpers(app, history) if by_model else _reranker_alone(app, history)
    found, smart = smart_search(find, wanted, helpers)
    if verbose:
        for line in _told(smart):
            app.say(line)
    return found._replace(notes=(*found.notes, *smart.reasons))


def about_models(app: App) -> list[Complaint]:
    """Return what the model and the reranker lack, as far as the settings can be read."""
    from clawgit.agents.models.model_diagnosis import missing_for_models

    try:
        history = app.history()
    except ClawgitError:
        return []
    return (
        [] if app.in_force is None else list(missing_for_models(app.in_force, app.environment, history.root))
    )


def _helpers(app: App, history: History) -> Helpers:
    from clawgit.agents.smart_search import Helpers
    from clawgit.http_client import Patience

    patience = Patience(SECONDS, tries=2, pause=0.3)
    try:
        asker = asker_for(app, history, SEARCH, patience=patience)
        reranker = _reranker(app, history, patience)
    except ClawgitError as error:
        return Helpers(lacking=f"The hits are in plain order: {error}")
    return Helpers(asker, reranker, "" if asker or reranker else _lacking(app))


def _reranker_alone(app: App, history: History) -> Helpers:
    from clawgit.agents.smart_search import Helpers
    from clawgit.http_client import Patience

    try:
        reranker = _reranker(app, history, Patience(SOON, tries=1))
    except ClawgitError as error:
        return Helpers(lacking=f"The hits are in plain order: {error}")
    return Helpers(None, reranker, "" if reranker else _lacking(app, "reranker_url"))


def _reranker(app: App, history: History, patience: Patience) -> Reranker | None:
    from clawgit.agents.models.choose_model import reranker_named

    return reranker_named(history.settings, app.environment, patience)


def _lacking(app: App, *named: str) -> str:
    keys = named or ("model", "reranker_url")
    waiting = [] if app.in_force is None else [key for key in keys if key in app.in_force.waiting]
    if waiting:
        return f"The hits are in plain order: {waiting[0]} needs `clawgit approve {waiting[0]}`."
    unset = "neither `model` nor `reranker_url` is" if not named else f"`{named[0]}` is not"
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
