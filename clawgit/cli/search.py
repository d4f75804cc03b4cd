"""`clawgit memory search` and `memory get`: finding a line again, and reading on from it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.cited import CITED, saying_data, saying_line
from clawgit.cli.search_chat import get_message, messages_found, with_messages_found
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from clawgit.history.repository import History
    from clawgit.history.trees import Tree
    from clawgit.recall.answers import Found, Result, Wanted

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
    help="So many hits; else the setting's.",
)
@click.option(
    "--min-score", type=click.FloatRange(0, 1), help="Leave out hits below this (0 to 1); else the setting's."
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
@click.option("--as-of", "as_of", metavar="DAY", help="Search memory as it stood then (a day means its end).")
@click.option(
    "--deep", is_flag=True, help="Also find what was taken out of memory since, and say when and by whom."
)
@click.option(
    "--session",
    default="",
    metavar="KEY",
    help="The session that asks; what several ask for can be promoted.",
)
@click.option("--explain", is_flag=True, help="Say what each score is made of.")
@click.pass_obj
def search_command(app: App, /, words: tuple[str, ...], query: str | None, **options: Any) -> None:
    """Find the lines that answer a question, in words or in dates, typing errors forgiven.

    Messages that are kept (`clawgit chat`) stand below them, cited as chat:ID.

    \b
    Examples:
      clawgit memory search "which API did we choose"
      clawgit memory search "deploy last week" --tier T2 --top 3
      clawgit memory search "数据库" --path memory/ --json
      clawgit memory search "office address" --as-of 2026-01-31
      clawgit memory search "old hosting plan" --deep
      clawgit memory search "what did I say about the port" --source chat
    """
    history = app.history()
    extra: dict[str, Any] = {}
    wanted = _wanted(history, query if query is not None else " ".join(words), options)
    if options["source"] == "chat":
        found = messages_found(app, history, wanted, options)
    elif options["as_of"] is not None:
        found, extra = _searched_as_of(app, history, wanted, options)
    else:
        found = _searched(app, history, wanted, options)
    for note in found.notes:
        app.say(note)
    app.report(found_data(found) | extra, lambda: _lines(found, app.now(history).tzinfo))


@click.command("get", cls=Command)
@click.argument("path")
@click.option("--from", "first", type=int, metavar="N", help="The first line, counted from 1.")
@click.option("--lines", "count", type=int, metavar="N", help="So many lines; else to the end.")
@click.option("--as-of", "as_of", metavar="DAY", help="As the file read then, to read on from such a search.")
@click.pass_obj
def get_command(app: App, path: str, first: int | None, count: int | None, as_of: str | None) -> None:
    """Print lines of a file that is searched, or a message by its id; what is not there has no lines.

    \b
    Examples:
      clawgit memory get memory/2026-01-20.md --from 45 --lines 15
      clawgit memory get MEMORY.md
      clawgit memory get chat:7k2x9d3m4qv8w1ec
    """
    from clawgit.recall.get import get_lines

    history = app.history()
    extra: dict[str, Any] = {}
    if path.startswith(CITED):
        got, extra = get_message(app, history, path, first, count)
    else:
        tree = None if as_of is None else _tree_as_of(app, history, as_of)
        got = get_lines(history, path, first, count, tree=tree)
    data = {"path": got.path, "from": got.first, "lines": got.lines, "text": got.text} | extra
    app.report(data, lambda: [got.text.removesuffix("\n")] if got.lines else [])


def _searched(app: App, history: History, wanted: Wanted, options: dict[str, Any]) -> Found:
    from clawgit.cli.backup import note_tip
    from clawgit.recall.search import search

    if options["deep"]:
        from clawgit.recall.retired import open_retired

        found = search(history, wanted, app.now(history), beside=open_retired)
    else:
        found = search(history, wanted, app.now(history))
    note_tip(app, history)
    found = with_messages_found(app, history, found, wanted, options)
    _note(app, history, wanted.query, options["session"], found)
    return found


def _searched_as_of(
    app: App, history: History, wanted: Wanted, options: dict[str, Any]
) -> tuple[Found, dict[str, Any]]:
    from clawgit.recall.as_of import search_as_of

    if options["deep"]:
        raise UsageError("--as-of and --deep ask for different things.", hint="Give one of them.")
    moment = _moment(app, history, options["as_of"])
    found, state = search_as_of(history, wanted, moment, app.now(history))
    if not state.seen:
        app.say("No records reach back so far: told by the dates of commits alone.")
    told = {"commit": state.commit.commit_id, "by": "records" if state.seen else "commit dates"}
    return found, {"asOf": {"at": moment.isoformat(), **told}}


def _moment(app: App, history: History, word: str) -> datetime:
    from clawgit.history.revisions import moment_meant

    moment = moment_meant(word, app.now(history).tzinfo)
    if moment is None:
        raise UsageError(f"{word!r} is no day or time.", hint="Write it as 2026-03-19 or 2026-03-19T10:22.")
    return moment


def _tree_as_of(app: App, history: History, word: str) -> Tree:
    from clawgit.history.as_of import as_of

    state = as_of(history, _moment(app, history, word), app.now(history))
    return history.tree_of(state.commit.commit_id)


def _note(app: App, history: History, query: str, session: str, found: Found) -> None:
    """Note what was found; an answer never fails because that cannot be noted."""
    from clawgit.recall.hits import note_found
    from clawgit.workspace.stores import RecordsError

    try:
        note_found(history, query, session, found, app.now(history))
    except RecordsError as error:
        app.say(f"This search was not noted: {error}")


def _wanted(history: History, query: str, options: dict[str, Any]) -> Wanted:
    from clawgit.recall.answers import Wanted
    from clawgit.recall.limits import Limits

    least = options["min_score"]
    if least is not None and math.isnan(least):
        raise UsageError("The score is not a number.", hint="Give one from 0 to 1.")
    settings, source = history.settings, options["source"]
    return Wanted(
        query,
        options["most"] or settings.search_max_results,
        settings.search_min_score if least is None else least,
        Limits(options["tier"], options["path"], options["category"], source if source in FILES else None),
        explain=options["explain"],
        trade=options["mmr"],
    )


def found_data(found: Found) -> dict[str, Any]:
    """Return an answer as other programs read it."""
    return {
        "results": [_result_data(result) for result in found.results],
        "mode": "core",
        "provider": "none",
        "model": "",
        "notes": list(found.notes),
    }


def _result_data(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = {
        "path": result.path,
        "startLine": result.first,
        "endLine": result.last,
        "score": result.score,
        "snippet": result.snippet,
        "source": result.source,
        "tier": result.tier,
        "citation": result.citation,
        "headings": list(result.titles),
        "entries": list(result.entries),
    }
    if result.instead_of:
        data["corrects"] = [
            {"path": old.path, "startLine": old.first, "endLine": old.last, "text": old.text}
            for old in result.instead_of
        ]
    if result.retirement is not None:
        gone = result.retirement
        data["retired"] = {
            "since": gone.since.isoformat(),
            "on": gone.on.isoformat() if gone.on else None,
            "by": gone.by or None,
            "commit": gone.commit_id or None,
        }
    if result.message is not None:
        data["message"] = saying_data(result.message)
    if result.parts:
        data["explain"] = [
            {"part": part.name, "value": part.value, "why": part.words} for part in result.parts
        ]
    return data


def _lines(found: Found, zone: tzinfo | None) -> list[str]:
    lines = []
    for result in found.results:
        headings = f"  ({' › '.join(result.titles)})" if result.titles else ""
        lines.append(
            f"{result.citation}  {result.score:.2f}  {result.tier}{headings}{_gone(result)}{_said(result, zone)}"
        )
        lines += [f"    {line}" for line in result.snippet.split("\n")]
        lines += [f"    instead of, in {old.path}:{old.first}: {old.text}" for old in result.instead_of]
        lines += [f"    {part.value:+6.2f}  {part.words}" for part in result.parts]
    return lines or ["Nothing was found."]


def _said(result: Result, zone: tzinfo | None) -> str:
    return f"  ({saying_line(result.message, zone)})" if result.message else ""


def _gone(result: Result) -> str:
    gone = result.retirement
    if gone is None:
        return ""
    if gone.on is None:
        return "  retired: gone from the folder, or left behind with its branch"
    return f"  retired on {gone.on:%Y-%m-%d} by {gone.by} ({gone.commit_id[:12]})"
