"""`clawgit memory get`: reading on from a line that was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.memory.search import moment_asked
from clawgit.cli.memory.search_chat import get_message
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


@click.command("get", cls=Command)
@click.argument("path")
@click.option("--from", "first", type=int, metavar="N", help="The first line, counted from 1.")
@click.option("--lines", "count", type=int, metavar="N", help="How many lines; the default is to the end.")
@click.option("--as-of", "as_of", metavar="DAY", help="As the file read then, to read on from such a search.")
@click.option(
    "--session", default="", metavar="KEY", help="The session that asks: a group's reads its own alone."
)
@click.option(
    "--scope", type=click.Choice(["main", "group"]), help="Who listens; else the session's key says it."
)
@click.option("--agent", metavar="NAME", help="From the workspace that is registered by this name.")
@click.pass_obj
def get_command(
    app: App,
    /,
    path: str,
    first: int | None,
    count: int | None,
    as_of: str | None,
    agent: str | None,
    **asking: Any,
) -> None:
    """Print lines of a file, or a message by its id.

    A line that does not exist is not printed.

    \b
    Examples:
      clawgit memory get memory/2026-01-20.md --from 45 --lines 15
      clawgit memory get MEMORY.md
      clawgit memory get chat:7k2x9d3m4qv8w1ec
    """
    from clawgit.cli.memory.chosen_workspaces import asked_workspaces
    from clawgit.context.wanted_context import SESSION_VARIABLE, group_asking
    from clawgit.recall.get_lines import get_lines

    history = app.history(None if agent is None else asked_workspaces(app, agent, everywhere=False)[0].root)
    extra: dict[str, Any] = {}
    host_session = app.environment.get(SESSION_VARIABLE, "")
    group = group_asking(host_session, asking["session"], asking["scope"] or "")
    if group is not None:
        from clawgit.cli.memory.group_memory import refuse_in_group

        refuse_in_group(app, history, path, group)
    if path.startswith(MESSAGE):
        got, extra = get_message(app, history, path, first, count)
    else:
        tree = None if as_of is None else _tree_as_of(app, history, as_of)
        got = get_lines(history, path, first, count, tree=tree)
    data = {"path": got.path, "from": got.first, "lines": got.lines, "text": got.text} | extra
    app.report(data, lambda: [got.text.removesuffix("\n")] if got.lines else [])


def _tree_as_of(app: App, history: History, word: str) -> Tree:
    from clawgit.history.states.revisions import as_of

    state = as_of(history, moment_asked(app, history, word), app.now(history))
    return history.tree_of(state.commit.commit_id)
