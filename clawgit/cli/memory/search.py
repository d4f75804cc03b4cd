"""`clawgit memory search`."""

from __future__ import annotations

from typing import Any, get_args

import click

from clawgit.cli.app import App, command
from clawgit.cli.memory.entry_output import search_data, search_lines
from clawgit.operations import search
from clawgit.operations.caller import Scope

_LIMITS = ("max_results", "max_tokens", "min_score")


@command("search")
@click.argument("words", nargs=-1, metavar="[QUERY]")
@click.option("--query", metavar="QUERY", help="The question, instead of the argument.")
@click.option(
    "-n",
    "--max-results",
    "--top",
    "max_results",
    type=click.IntRange(1, search.MOST_RESULTS),
    help="At most so many hits.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(0),
    help="How many tokens at most, four characters each; the default is the setting, or no limit with --max-results.",
)
@click.option("--min-score", type=click.FloatRange(0, 1), help="Leave out hits below this score.")
@click.option(
    "--tier",
    type=click.Choice(get_args(search.Tier)),
    help="Only core memory (T1), or only dated notes (T2).",
)
@click.option("--path", metavar="PATH", help="Only this file, folder or pattern, such as 'memory/2026-03-*'.")
@click.option("--category", metavar="NAME", help="Only this tag, or memory/NAME.md and memory/NAME/.")
@click.option(
    "--source",
    type=click.Choice(get_args(search.Source)),
    default="all",
    show_default=True,
    help="Only memory, only other texts (`extra`), or only messages.",
)
@click.option(
    "--mmr",
    type=click.FloatRange(0, 1),
    metavar="LAMBDA",
    help="Put unlike hits first: 1 keeps the order, 0 differs most.",
)
@click.option("--as-of", "as_of", metavar="DAY", help="Search memory as it was then (a day means its end).")
@click.option("--deep", is_flag=True, help="Also find what was taken out of memory since.")
@click.option(
    "--session",
    default="",
    metavar="KEY",
    help="The session that asks; what several ask for can be promoted. A group's is answered from what was said there.",
)
@click.option("--scope", type=click.Choice(get_args(Scope)), help="Who listens [default: by the session].")
@click.option("--for-prompt", is_flag=True, help="Leave out what strangers said: for a prompt.")
@click.option("--agent", metavar="NAME", help="Search the workspace that is registered by this name instead.")
@click.option("--all-agents", "everywhere", is_flag=True, help="Search all registered workspaces.")
@click.option("--all", "whole", is_flag=True, help="Show all hits in full.")
@click.option("--smart", is_flag=True, help="Ask the model for other words and the order.")
@click.option("--verbose", is_flag=True, help="With --smart: say what was asked, and of whom.")
def search_command(
    app: App, /, words: tuple[str, ...], query: str | None, whole: bool, **options: Any
) -> None:
    """Find the lines that answer a question.

    Ask in words or dates. Typing errors are forgiven.

    Shows the first hits, at most five and none far below the first; of a long one the line that answers and those around it.
    --all, or a limit that you give, shows all. An agent gets all. Scores are in --json.

    Messages that are kept (`clawgit chat`) are below them, cited as chat:ID.

    \b
    Examples:
      clawgit search "which API did we choose"
      clawgit search "how do we ship" --smart --verbose
      clawgit search "deploy last week" --tier T2 --top 3
      clawgit search "数据库" --path memory/ --json
      clawgit search "office address" --as-of Tuesday
      clawgit search "old hosting plan" --deep
      clawgit search "what did I say about the port" --source chat
      clawgit search "deployment patterns" --all-agents --top 3
    """
    if query is None:
        query = " ".join(words)
    reach = search.Reach(**{name: options.pop(name) for name in search.Reach._fields})
    answer = search.search_memory(app, search.SearchRequest(query, **options), reach)
    is_whole = whole or not app.names or any(options[name] is not None for name in _LIMITS)
    shown_query = "" if is_whole else query
    app.report(search_data(answer), lambda: search_lines(answer, shown_query, app.names))
