"""`clawgit memory`: what is remembered."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import change_data
from clawgit.cli.lazy_group import LazyGroup
from clawgit.cli.memory.entry_output import entry_data, entry_line
from clawgit.cli.text_argument import text_argument
from clawgit.errors import UsageError
from clawgit.operations.changes import say_change, say_kept
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.remember import Remembered
    from clawgit.memory.entry_states import EntryState
    from clawgit.understanding.facts.routing import Route

COMMANDS = {  # with the first sentence of its help
    "add": ("memory.memory:add_command", "Remember TEXT as one entry."),
    "compact": ("memory.compact:compact_command", "Archive old notes by quarter."),
    "get": ("memory.get:get_command", "Print lines of a file, or a message by its id."),
    "index": ("memory.index:index_command", "Update the search index, or rebuild it."),
    "list": ("memory.memory:list_command", "List entries with origin and confidence."),
    "promote": ("memory.promote:promote_command", "Move notes worth keeping to core memory."),
    "revive": ("memory.memory:revive_command", "Bring back a removed file or entry."),
    "search": ("memory.search:search_command", "Find the lines that answer a question."),
    "status": ("memory.index:status_command", "Show what is searched, and the index's state."),
}
SOURCES = ("operator", "host", "unknown", *AGENT_NAMES)
_OTHER_TIERS = {
    "T0": "`clawgit soul blame` says where each line of the soul comes from.",
    "T2": "`clawgit why PATH:LINE` says where a line of a dated note comes from.",
}
TAGS = ("event", "knowledge", "skill", "decision")


@click.command("revive", cls=Command)
@click.argument("what", metavar="PATH|ENTRY|COMMIT")
@click.pass_obj
def revive_command(app: App, what: str) -> None:
    """Bring back a removed file or entry.

    A file comes back as it last was. COMMIT is an edit from an older copy of a file, which `status` names: the entries
    that it dropped come back. The result is a new commit.

    \b
    Examples:
      clawgit memory search "hosting plan" --deep
      clawgit memory revive m:7k2x9d
      clawgit memory revive memory/2026-01-20.md
      clawgit memory revive 1a2b3c4
    """
    from clawgit.recall.index.searched_files import path_meant
    from clawgit.recall.revive import revive

    app.only_operator("bring back what was taken out of memory")
    history = app.history()
    done = revive(history, path_meant(history.root, what), app.intent(history))
    say_change(
        app, done.recorded, f"Back: {done.text} ({done.path})." if done.text else f"Back: {done.path}."
    )
    data = change_data(done.recorded) | {"path": done.path}
    app.report(data, lambda: [done.recorded.commit_id] if done.recorded.commit_id else [])


def confidence_asked(_context: click.Context, _option: click.Parameter, said: str | None) -> int | None:
    """Return hundredths for `0.6` and for `60%`.

    Raises:
        click.BadParameter: It is no number, less than nothing or more than sure.
    """
    if said is None:
        return None
    share = _share(said.strip())
    if share is None or not 0 <= share <= 1:
        raise click.BadParameter(
            f"{said!r} is no confidence: say 0.6 or 60%, from 0 to 1 or from 0% to 100%."
        )
    return round(share * 100)


def _share(said: str) -> float | None:
    with suppress(ValueError):
        return float(said.removesuffix("%")) / (100 if said.endswith("%") else 1)
    return None


@click.group("memory", cls=LazyGroup, table=COMMANDS)
def memory_group() -> None:
    """Add, search and tidy what is remembered."""


@click.command("add", cls=Command)
@text_argument("text")
@click.option("--tag", type=click.Choice(TAGS), help="The entry's one primary tag.")
@click.option("--to", "path", metavar="PATH", help="The file, whatever TEXT is about.")
@click.option(
    "--shared", is_flag=True, help="To the memory that all workspaces share; its orchestrator only."
)
@click.option("--evidence", metavar="chat:ID", help="The operator's message that says so; for a host.")
@click.option("--quote", default="", metavar="TEXT", help="The words of that message that do.")
@click.pass_obj
def add_command(app: App, /, text: str, tag: str | None, path: str | None, **told: Any) -> None:
    """Remember TEXT as one entry.

    The entry is committed at once.

    What is of the day goes to the day's note; a lasting fact, preference or decision to MEMORY.md; a lesson to AGENTS.md, or
    to TOOLS.md if it is about a tool. These three rest on the operator's word: what others say goes to memory/learned.md and
    memory/lessons.md. A tag, given or at the end of TEXT, decides over the words: decision and knowledge last, skill is a lesson.

    With --evidence a host writes to MEMORY.md: the message has to be the operator's own, and to say all of TEXT. Where it
    does not, TEXT is kept below memory/ as the host's words.

    \b
    Examples:
      clawgit memory add "Chose REST over GraphQL for the Acme API." --tag decision
      clawgit memory add "Never deploy on a Friday."
      clawgit memory add "Standup moved to 9:30." --to memory/2026-03-19.md
      clawgit memory add "Releases are on Thursdays." --shared
      clawgit memory add "User is allergic to nuts." --evidence chat:5m0q7r2k1x9d3f8a
    """
    if told["evidence"]:
        _add_with_message(app, text, (path or "", tag), told)
        return
    from clawgit.cli.memory.chosen_workspaces import open_shared
    from clawgit.history.authorship.actors import OPERATOR
    from clawgit.history.remember import Filed, remember

    history = open_shared(app) if told["shared"] else app.history()
    intent = app.intent(history)
    if intent.actor != OPERATOR:
        from clawgit.agents.vetoed_words import refuse_vetoed

        refuse_vetoed(history, text, intent)
    where, why, kind = path or "", "you said so", None
    if path is None or app.as_json:  # who named the file waits for no judgement of what the text is about
        routed = _route(history, intent, text, tag)
        kind = routed.kind.name.lower()
        where, why = (routed.path, routed.why) if path is None else (path, why)
    done = remember(history, text, intent, Filed(where, tag))
    say_kept(app, done.recorded.kept)
    app.say(_said(done, why))
    app.report(
        change_data(done.recorded) | {"path": done.path, "entry": done.entry_id, "kind": kind, "why": why},
        lambda: [done.recorded.commit_id] if done.recorded.commit_id else [],
    )


def _add_with_message(app: App, text: str, filed: tuple[str, str | None], told: dict[str, Any]) -> None:
    from clawgit.agents.message_door import Cited, add_by_message
    from clawgit.cli.memory.door_output import open_door, report_passed
    from clawgit.history.remember import Filed

    if told["shared"]:
        raise UsageError("--evidence is for the memory of this workspace.", hint="Leave --shared out.")
    with open_door(app) as door:
        cited = Cited(told["evidence"], told["quote"])
        report_passed(app, add_by_message(text, cited, Filed(*filed), door))


def _route(history: History, intent: Intent, text: str, tag: str | None) -> Route:
    from clawgit.history.authorship.actors import trust_of
    from clawgit.memory.entries.entries import Tag
    from clawgit.understanding.facts.routing import route

    return route(
        text,
        trust=trust_of(intent.actor),
        on=intent.now.date(),
        tag=Tag(tag) if tag is not None else None,
        locked=history.settings.soul_policy == "locked",
    )


def _said(done: Remembered, why: str) -> str:
    if done.recorded.outcome == "nothing":
        return f"{done.path} has this already: {done.line}"
    if done.recorded.outcome == "repeated":
        return f"The op {done.recorded.op} was applied before."
    return f"Remembered in {done.path}: {done.line}\nWhy there: {why}."


@click.command("list", cls=Command)
@click.option("--tag", type=click.Choice(TAGS), help="Only entries with this tag.")
@click.option("--tier", type=click.Choice(["T0", "T1", "T2"]), help="T1: only these files have entries.")
@click.option("--source", metavar="ACTOR", help="Only entries whose present words came from that actor.")
@click.option(
    "--trust", type=click.Choice(["operator", "host", "external"]), help="Only entries that rest on this."
)
@click.option(
    "--min-confidence",
    callback=confidence_asked,
    metavar="SURE",
    help="Only entries at least this sure: 0.6 or 60%.",
)
@click.option("--since", metavar="DAY", help="Only entries that are there since that day.")
@click.option("-n", "--limit", type=click.IntRange(1, 100_000), help="At most so many.")
@click.pass_obj
def list_command(app: App, /, **wanted: Any) -> None:
    """List entries with origin and confidence.

    Both are computed from the history. Shows which correction applies to an entry.

    Entries are the list items of MEMORY.md and of the undated files below memory/.

    \b
    Examples:
      clawgit memory list --tag decision --limit 10
      clawgit memory list --trust host --json
      clawgit memory list --min-confidence 60% --since 2026-03-01
    """
    from clawgit.history.provenance.entries_at_tip import list_states

    _refuse_unfit(wanted)
    history = app.history()
    if wanted["since"] is not None:
        wanted["since"] = app.moment(wanted["since"], history).date()
    fitting = [state for state in list_states(history, app.now(history).date()) if _fits(state, wanted)]
    states = fitting[: wanted["limit"]]
    app.report(
        [entry_data(state) for state in states],
        lambda: [entry_line(state) for state in states] or ["No entries."],
    )
    if len(fitting) > len(states):
        app.say(f"{len(fitting) - len(states):,} more entries are not listed.")


def _refuse_unfit(wanted: dict[str, Any]) -> None:
    """Refuse filters that no entry can ever pass, and say what does."""
    if wanted["source"] not in (None, *SOURCES):
        raise UsageError(
            f"{wanted['source']!r} is nobody who could have said it.",
            hint=f"Sources are {', '.join(SOURCES)}.",
        )
    if wanted["tier"] in _OTHER_TIERS:
        raise UsageError(f"Entries live in T1, not in {wanted['tier']}.", hint=_OTHER_TIERS[wanted["tier"]])


def _fits(state: EntryState, wanted: dict[str, Any]) -> bool:
    tag = state.entry.tag.value if state.entry.tag else None
    return (
        wanted["tag"] in (None, tag)
        and wanted["tier"] in (None, state.tier.value)
        and wanted["source"] in (None, state.source)
        and wanted["trust"] in (None, state.trust)
        and state.confidence >= (wanted["min_confidence"] or 0)
        and (wanted["since"] is None or state.since >= wanted["since"])
    )
