"""`clawgit memory`: statements and files of memory."""

from __future__ import annotations

from typing import Any

import click

from clawgit.cli.app import App, any_limit_option, change_data, command, commit_lines, text_argument
from clawgit.cli.lazy_group import MEANT, REMEMBER, SEARCH, LazyGroup
from clawgit.memory.trust import TRUSTS

COMMANDS = {  # with the first sentence of its help
    "add": REMEMBER,
    "compact": ("memory.old_notes:compact_command", "Archive old notes by quarter."),
    "get": ("memory.memory:get_command", "Print lines of a file, or a message by its id."),
    "index": ("memory.index:index_command", "Update the search index, or rebuild it."),
    "list": ("memory.memory:list_command", "List entries with origin and confidence."),
    "promote": ("memory.old_notes:promote_command", "Move notes worth keeping to core memory."),
    "revive": ("memory.memory:revive_command", "Bring back a removed file or entry."),
    "search": SEARCH,
    "show": ("memory.memory:show_command", "Print what memory says, or said on a day."),
    "status": ("memory.index:status_command", "Show what is searched, and the index's state."),
}
TAGS = ("event", "knowledge", "skill", "decision")


@command("revive")
@click.argument("what", metavar="PATH|ENTRY")
def revive_command(app: App, what: str) -> None:
    """Bring back a removed file or entry.

    A file comes back as it last was. The result is a new commit.

    \b
    Examples:
      clawgit search "hosting plan" --deep
      clawgit memory revive m:7k2x9d
      clawgit memory revive memory/2026-01-20.md
    """
    from clawgit.operations.memory import revive_memory

    done = revive_memory(app, what)
    data = change_data(done.recorded) | {"path": done.path}
    app.report(data, lambda: commit_lines(done.recorded.commit_id))


@click.group("memory", cls=LazyGroup, table=COMMANDS, meant=MEANT)
def memory_group() -> None:
    """Add, search and tidy what is remembered."""


@command("add")
@text_argument("text")
@click.option("--tag", type=click.Choice(TAGS), help="The entry's one primary tag.")
@click.option("--to", metavar="PATH", help="The file, whatever TEXT is about.")
@click.option("--shared", is_flag=True, help="To the memory that all share; its orchestrator only.")
@click.option("--evidence", metavar="chat:ID", help="The operator's message that says so; for a host.")
@click.option("--quote", default="", metavar="TEXT", help="The words of that message that do.")
def add_command(app: App, /, text: str, shared: bool, **request_options: Any) -> None:
    """Remember TEXT as one entry.

    The entry is committed at once.

    What you say goes to MEMORY.md, a lesson ("Lesson: …") to AGENTS.md, or to TOOLS.md if it is about a tool; what has the
    tag event goes to the day's note. What others say goes to memory/learned.md and
    memory/lessons.md. --tag decides over the words.

    With --evidence your agent writes to MEMORY.md, if the message is your own and says all of TEXT.

    \b
    Examples:
      clawgit remember "Chose REST over GraphQL for the Acme API." --tag decision
      clawgit remember "Never deploy on a Friday."
      clawgit remember "Standup moved to 9:30." --to memory/2026-03-19.md
      clawgit remember "Releases are on Thursdays." --shared
      clawgit remember "User is allergic to nuts." --evidence chat:5m0q7r2k1x9d3f8a
    """
    from clawgit.cli.memory.entry_output import added_data, changed_lines
    from clawgit.operations.memory import AddRequest, add_memory

    request = AddRequest(text, **request_options)
    answer = add_memory(app, request, is_shared=shared, needs_kind=app.as_json)
    app.report(added_data(answer), lambda: changed_lines(answer))


@command("get")
@click.argument("path")
@click.option("--from", "first", type=int, metavar="N", help="The first line, counted from 1.")
@click.option("--lines", type=int, metavar="N", help="How many lines; the default is to the end.")
@click.option("--as-of", "as_of", metavar="DAY", help="As the file read then, to read on from such a search.")
@click.option("--session", default="", metavar="KEY", help="Who asks: a group's reads its own alone.")
@click.option("--scope", type=click.Choice(["main", "group"]), help="Who listens [default: by the session].")
@click.option("--agent", metavar="NAME", help="From the workspace that is registered by this name.")
def get_command(app: App, /, path: str, agent: str | None, **request_options: Any) -> None:
    """Print lines of a file, or a message by its id.

    A line that does not exist is not printed.

    \b
    Examples:
      clawgit memory get memory/2026-01-20.md --from 45 --lines 15
      clawgit memory get MEMORY.md
      clawgit memory get chat:7k2x9d3m4qv8w1ec
    """
    from clawgit.cli.memory.entry_output import lines_data, lines_read
    from clawgit.operations.memory import GetRequest, get_memory

    answer = get_memory(app, GetRequest(path, **request_options), agent=agent)
    app.report(lines_data(answer), lambda: lines_read(answer))


@command("list")
@click.option("--tag", type=click.Choice(TAGS), help="Only entries with this tag.")
@click.option("--source", metavar="A", help="Only words of A: you, agent, unknown, jobs, or a job's name.")
@click.option("--trust", type=click.Choice((*TRUSTS[::-1], "unknown")), help="Only what rests on this.")
@click.option("--since", metavar="DAY", help="Only entries that are there since that day.")
@any_limit_option
def list_command(app: App, /, **options: Any) -> None:
    """List entries with origin and confidence.

    Both are computed from the history. Shows which correction applies to an entry.

    Entries are the list items of MEMORY.md and of the undated files below memory/.

    \b
    Examples:
      clawgit memory list --tag decision --limit 10
      clawgit memory list --trust host --json
      clawgit memory list --since "3 days ago"
    """
    from clawgit.cli.memory.entry_output import entries_data, entry_line
    from clawgit.operations.memory import ListRequest, list_entries

    listed = list_entries(app, ListRequest(**options))
    app.report(
        entries_data(listed),
        lambda: [entry_line(state, note, app.names) for state, note in listed.entries] or ["No entries."],
    )
    if listed.more:
        app.say(f"{listed.more:,} more entries are not listed.")


@command("show")
@click.option("--as-of", "as_of", metavar="DAY", help="As memory was then (a day means its end).")
def show_command(app: App, as_of: str | None) -> None:
    """Print what memory says, or said on a day.

    What was corrected or removed since stands there as it was believed then.

    \b
    Examples:
      clawgit memory show
      clawgit memory show --as-of Tuesday
    """
    from clawgit.cli.memory.entry_output import held_data, held_lines
    from clawgit.operations.memory import show_memory

    entries = show_memory(app, as_of)
    app.report(held_data(entries), lambda: held_lines(entries))
