"""`clawgit memory search`: finding a line again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.memory.search_chat import messages_found, with_messages_found
from clawgit.cli.memory.search_output import (
    found_data,
    found_lines,
    weak_told,
    with_doubts,
    with_entry_confidence,
)
from clawgit.errors import UsageError
from clawgit.memory.trust import EXTERNAL
from clawgit.operations.vector_wiring import enhanced_vectors, reason_told

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.index.search_limits import Limits
    from clawgit.recall.search_deep import Retired
    from clawgit.recall.search_results import Answered, Found, Wanted

MOST_RESULTS = 1000
FILES = ("memory", "extra")


@click.command("search", cls=Command)
@click.argument("words", nargs=-1, metavar="[QUERY]")
@click.option("--query", metavar="QUERY", help="The question, instead of the argument.")
@click.option(
    "--max-results",
    "--top",
    "most",
    type=click.IntRange(1, MOST_RESULTS),
    help="How many hits at most; the default is the setting.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(0),
    help="How many tokens at most, four characters each; the default is the setting, or no limit with --max-results.",
)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    help="Leave out hits below this score (0 to 1); the default is the setting.",
)
@click.option(
    "--tier", type=click.Choice(["T1", "T2"]), help="Only core memory (T1), or only dated notes (T2)."
)
@click.option("--path", metavar="PATH", help="Only this file, folder or pattern, such as 'memory/2026-03-*'.")
@click.option(
    "--category", metavar="NAME", help="Only entries with this tag, or memory/NAME.md and below memory/NAME/."
)
@click.option(
    "--source",
    type=click.Choice(["all", "memory", "extra", "chat"]),
    default="all",
    show_default=True,
    help="Only the workspace's own files, only extra ones, or only messages.",
)
@click.option(
    "--mmr",
    type=click.FloatRange(0, 1),
    metavar="LAMBDA",
    help="Put unlike hits first: 1 keeps the order, 0 differs most.",
)
@click.option("--as-of", "as_of", metavar="DAY", help="Search memory as it was then (a day means its end).")
@click.option(
    "--deep", is_flag=True, help="Also find what was taken out of memory since, and say when and by whom."
)
@click.option(
    "--session",
    default="",
    metavar="KEY",
    help="The session that asks; what several ask for can be promoted. A group's is answered from what was said there.",
)
@click.option(
    "--scope", type=click.Choice(["main", "group"]), help="Who listens; else the session's key says it."
)
@click.option(
    "--for-prompt", is_flag=True, help="Leave out what strangers said: it goes into a prompt unasked."
)
@click.option("--agent", metavar="NAME", help="Search the workspace that is registered by this name instead.")
@click.option("--all-agents", "everywhere", is_flag=True, help="Search all registered workspaces.")
@click.option("--explain", is_flag=True, help="Say what each score is made of.")
@click.option(
    "--smart", is_flag=True, help="Ask the model for other words, and it or the reranker for the order."
)
@click.option(
    "--verbose", is_flag=True, help="With --smart or `search_reranked`: say what was asked, and of whom."
)
@click.pass_obj
def search_command(app: App, /, words: tuple[str, ...], query: str | None, **options: Any) -> None:
    """Find the lines that answer a question.

    Ask in words or dates. Typing errors are forgiven.

    Messages that are kept (`clawgit chat`) are below them, cited as chat:ID.

    \b
    Examples:
      clawgit memory search "which API did we choose"
      clawgit memory search "how do we ship" --smart --verbose
      clawgit memory search "deploy last week" --tier T2 --top 3
      clawgit memory search "数据库" --path memory/ --json
      clawgit memory search "office address" --as-of 2026-01-31
      clawgit memory search "old hosting plan" --deep
      clawgit memory search "what did I say about the port" --source chat
      clawgit memory search "deployment patterns" --all-agents --top 3
    """
    from clawgit.cli.memory.chosen_workspaces import ask_all, asked_workspaces, one_answer

    asked = asked_workspaces(app, options["agent"], everywhere=options["everywhere"])
    query = query if query is not None else " ".join(words)
    answers, missed = ask_all(
        app, asked, lambda history, agent: _answered(app, history, agent, query, options)
    )
    found = one_answer(answers, missed)
    for told in filter(None, (*found.notes, reason_told(found.by, answers[0].agent), weak_told(found))):
        app.say(told)
    app.report(found_data(found) | dict(answers[0].extra), lambda: found_lines(found, answers[0].zone))


def _is_not_to_be_kept(query: str) -> bool:
    from clawgit.understanding.triage.triage_message import asks_to_forget

    return asks_to_forget(query)


def _answered(app: App, history: History, agent: str, query: str, options: dict[str, Any]) -> Answered:
    """Return what one workspace answers; only the searches of its own agent are noted."""
    from clawgit.context.audience import SESSION_VARIABLE, group_asking
    from clawgit.recall.search_results import Answered, Found

    wanted, zone = _wanted(history, query, options), app.now(history).tzinfo
    host_session = app.environment.get(SESSION_VARIABLE, "")
    group = group_asking(host_session, options["session"], options["scope"] or "")
    if group is not None:
        from clawgit.cli.memory.group_memory import search_in_group

        return Answered(agent, search_in_group(app, history, wanted, group), wanted, zone=zone)
    if options["for_prompt"] and _is_not_to_be_kept(query):
        return Answered(agent, Found(), wanted, zone=zone)
    if options["source"] == "chat":
        return Answered(agent, messages_found(app, history, wanted, options), wanted, zone=zone)
    if options["as_of"] is not None:
        found, extra = _searched_as_of(app, history, wanted, options)
        return Answered(agent, found, wanted, extra, zone)
    found = with_messages_found(app, history, _searched(app, history, wanted, options), wanted, options)
    if options["for_prompt"]:
        found = found._replace(results=tuple(each for each in found.results if each.trust != EXTERNAL))
    found = with_doubts(history, found)
    if not options["deep"]:
        found = with_entry_confidence(history, found, app.now(history).date())
    if not agent:
        app.note_tip(history)
        _note(app, history, wanted.query, options["session"], found)
    return Answered(agent, found, wanted, zone=zone)


def _searched(app: App, history: History, wanted: Wanted, options: dict[str, Any]) -> Found:
    from clawgit.recall.search import search

    beside = _retired() if options["deep"] else None

    def find(each: Wanted) -> Found:
        return search(history, each, app.now(history), beside=beside, vectors=enhanced_vectors(app, history))

    if not (options["smart"] or history.settings.search_reranked):
        return find(wanted)
    from clawgit.operations.model_wiring import smart_found

    return smart_found(app, history, find, wanted, verbose=options["verbose"], by_model=options["smart"])


def _retired() -> Callable[[History], AbstractContextManager[Retired]]:
    from clawgit.recall.search_deep import open_retired

    return open_retired


def _searched_as_of(
    app: App, history: History, wanted: Wanted, options: dict[str, Any]
) -> tuple[Found, dict[str, Any]]:
    from clawgit.recall.search_as_of import search_as_of

    if options["deep"]:
        raise UsageError("--as-of and --deep ask for different things.", hint="Give one of them.")
    if options["smart"]:
        raise UsageError("--smart searches memory as it is now.", hint="Leave out --as-of or --smart.")
    moment = moment_asked(app, history, options["as_of"])
    found, state = search_as_of(
        history, wanted, moment, app.now(history), vectors=enhanced_vectors(app, history)
    )
    if not state.seen:
        app.say("No records go back that far; only the dates of commits were used.")
    told = {"commit": state.commit.commit_id, "by": "records" if state.seen else "commit dates"}
    return found, {"asOf": {"at": moment.isoformat(), **told}}


def moment_asked(app: App, history: History, word: str) -> datetime:
    """Return the time that ``word`` means in the workspace's zone."""
    from clawgit.history.states.revisions import moment_meant

    moment = moment_meant(word, app.now(history).tzinfo)
    if moment is None:
        raise UsageError(f"{word!r} is no day or time.", hint="Write it as 2026-03-19 or 2026-03-19T10:22.")
    return moment


def _note(app: App, history: History, query: str, session: str, found: Found) -> None:
    """Note what was found; an answer never fails because that cannot be noted."""
    from clawgit.recall.search_hits import note_found
    from clawgit.workspace.records.sqlite_files import RecordsError

    try:
        note_found(history, query, session, found, app.now(history))
    except RecordsError as error:
        app.say(f"This search was not noted: {error}")


def _wanted(history: History, query: str, options: dict[str, Any]) -> Wanted:
    from clawgit.recall.search_results import Wanted

    least = options["min_score"]
    if least is not None and math.isnan(least):
        raise UsageError("The score is not a number.", hint="Give one from 0 to 1.")
    settings, tokens = history.settings, options["max_tokens"]
    if tokens is None:
        tokens = 0 if options["most"] else settings.search_max_tokens
    return Wanted(
        query,
        options["most"] or settings.search_max_results,
        settings.search_min_score if least is None else least,
        _limits(history, options),
        explain=options["explain"],
        trade=options["mmr"],
        tokens=tokens,
        guesses=tokens > 0 and least is None,
    )


def _limits(history: History, options: dict[str, Any]) -> Limits:
    from clawgit.recall.index.search_limits import Limits
    from clawgit.recall.index.searched_files import path_meant

    for name in ("path", "category"):
        _refuse_bytes(name, options[name] or "")
    path = path_meant(history.root, f"{options['path']}/").rstrip("/") if options["path"] else None
    category = (options["category"] or "").removeprefix("#")
    source = options["source"] if options["source"] in FILES else None
    return Limits(options["tier"], path or None, category or None, source)


def _refuse_bytes(name: str, told: str) -> None:
    """Refuse what cannot be compared with any text: the shell hands on bytes that are no UTF-8."""
    try:
        told.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The {name} is not UTF-8, so nothing that is searched has it.", hint="Write it in UTF-8."
        ) from error
