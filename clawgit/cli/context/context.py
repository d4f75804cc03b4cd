"""`clawgit context`: what a conversation begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.context.external_sources import RunProgram
    from clawgit.context.receipts.context_diff import SlotDiff
    from clawgit.context.slot_text import SlotText
    from clawgit.context.wanted_context import Context, WantedContext
    from clawgit.history.git.repository import History


_FOR_PROGRAMS = frozenset(("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"))


class _ContextGroup(Command, click.Group):
    """A group with the options of a command: without a subcommand it assembles."""


@click.group("context", cls=_ContextGroup, invoke_without_command=True)
@click.option(
    "--query", default="", metavar="TEXT", help="What the conversation is about; `-` reads it from stdin."
)
@click.option("--session", default="", metavar="KEY", help="Or the session whose last messages say so.")
@click.option(
    "--part", type=click.Choice(["stable", "recall"]), help="Only what stays, or only what is of now."
)
@click.option(
    "--host",
    type=click.Choice(["openclaw", "claude-code", "codex"]),
    help="Leave out what this host puts into the prompt itself, and fit its limits.",
)
@click.option(
    "--scope",
    type=click.Choice(["main", "group"]),
    help="group: others listen, so only who the agent is, and notes of that session; else its key decides.",
)
@click.option("--as-of", "as_of", metavar="DAY", help="As memory was then (a day means its end).")
@click.option(
    "--explain",
    is_flag=True,
    help="Say what each slot wanted and got, and what was cut, instead of the text.",
)
@click.pass_context
def context_group(ctx: click.Context, /, **options: Any) -> None:
    """Print what a conversation begins with.

    That is who the agent is, whom it serves, what holds, and what matters now.

    Eight slots within `context_budget_tokens`, by priority. The first part stays the same until memory changes, so that a
    provider's prompt cache keeps it; the second has the day, the latest notes and what a search finds. What does
    not rest on your own words is fenced as data. Nothing that was corrected, retired or lost a conflict is in it.

    \b
    Examples:
      clawgit context --query "when do we deploy?"
      clawgit context --session agent:main:main --part recall --json
      clawgit context --host openclaw --explain
      clawgit context --as-of 2026-01-31 --query "office address"
    """
    if ctx.invoked_subcommand is None:
        _assemble(ctx.find_object(App) or App({}), options)


def _assemble(app: App, options: dict[str, Any]) -> None:
    from clawgit.cli.context.context_output import context_data, explain_lines, text_lines

    history, wanted = app.history(), _wanted(app, options)
    made = assembled(app, history, wanted, options["as_of"])
    made = made._replace(notes=(*made.notes, *_untrusted(app)))
    if options["as_of"] is None:
        app.note_tip(history)
        made = made if options["explain"] else _with_receipt(app, history, made, wanted)
    for note in made.notes:
        app.say(note)
    app.report(context_data(made), lambda: explain_lines(made) if options["explain"] else text_lines(made))


def _untrusted(app: App) -> list[str]:
    """Return why a source that CONFIG.md names gives nothing: its value, or its program, is not the one that was trusted."""
    waiting = app.in_force.waiting if app.in_force is not None else {}
    sources = ("crm_context_source", "external_context_source")
    return [f"{key} gives nothing: it needs `clawgit approve {key}`." for key in sources if key in waiting]


def _with_receipt(app: App, history: History, made: Context, wanted: WantedContext) -> Context:
    """Keep what is injected; a context is given also where that cannot be kept."""
    from clawgit.context.receipts.keep_receipt import keep_receipt
    from clawgit.workspace.records.sqlite_files import RecordsError

    try:
        return keep_receipt(history, made, wanted, app.now(history))
    except RecordsError as error:
        return made._replace(notes=(*made.notes, f"No receipt was kept: {error}"))


def _wanted(app: App, options: dict[str, Any]) -> WantedContext:
    import sys

    from clawgit.context.audience import GROUP, SESSION_VARIABLE, group_asking
    from clawgit.context.wanted_context import WantedContext

    query = options["query"]
    if query == "-":
        query = sys.stdin.buffer.read().decode("utf-8", "replace")
    session, scope = options["session"], options["scope"] or ""
    group = group_asking(app.environment.get(SESSION_VARIABLE, ""), session, scope)
    if group is not None:
        session, scope = group, GROUP
    return WantedContext(query, session, options["part"] or "", options["host"] or "", scope)


def assembled(app: App, history: History, wanted: WantedContext, as_of: str | None) -> Context:
    """Return a context as it is now, or as it was on a day."""
    from clawgit.cli.vector_wiring import enhanced_vectors
    from clawgit.context.assemble_context import assemble_context, assemble_earlier

    now, vectors = app.now(history), enhanced_vectors(app, history)
    if as_of is None:
        run = _program_runner(app, history)
        return assemble_context(history, wanted, now, vectors=vectors, run=run)
    from clawgit.cli.memory.search import moment_asked
    from clawgit.history.states.tip_at_time import as_of as state_at

    moment = moment_asked(app, history, as_of)
    commit = state_at(history, moment, now).commit
    return assemble_earlier(history, wanted, moment, commit.commit_id, vectors=vectors)


def _program_runner(app: App, history: History) -> RunProgram:
    """Return what runs a trusted source of the settings: for a moment only, since a conversation waits."""

    def run(argv: Sequence[str], question: bytes) -> bytes:
        from clawgit.agents.models.run_program import Program
        from clawgit.context.external_sources import MOST_BYTES

        environment = {name: value for name, value in app.environment.items() if name in _FOR_PROGRAMS}
        words = (str(history.root / argv[0]), *argv[1:])
        return Program(words, history.root, environment, app.patience, MOST_BYTES).answer(question)

    return run


@context_group.command("diff", cls=Command)
@click.argument("old", metavar="A")
@click.argument("new", metavar="B")
@click.option("--query", default="", metavar="TEXT", help="Of days: what the conversation is about.")
@click.option(
    "--host", type=click.Choice(["openclaw", "claude-code", "codex"]), help="Of days: for this host."
)
@click.pass_obj
def diff_command(app: App, old: str, new: str, query: str, host: str | None) -> None:
    """Show what differs between two contexts.

    Sorted by slot. A and B are receipts (r:…) or days.

    \b
    Examples:
      clawgit context diff r:4f1c2a9b3d r:77a0c1d2e3
      clawgit context diff 2026-01-31 2026-03-19 --query "office address" --json
    """
    from clawgit.context.receipts.context_diff import diff_contexts
    from clawgit.context.wanted_context import WantedContext

    history, wanted = app.history(), WantedContext(query, host=host or "")
    found = diff_contexts(*(_slots_of(app, history, word, wanted) for word in (old, new)))
    app.report(
        [each._asdict() for each in found],
        lambda: [line for each in found for line in _diff_lines(each)] or ["They say the same."],
    )


def _slots_of(app: App, history: History, word: str, wanted: WantedContext) -> list[SlotText]:
    from clawgit.context.receipts.keep_receipt import RECEIPT, find_receipt
    from clawgit.context.receipts.rebuild_context import rebuild_context

    if word.startswith(RECEIPT):
        return list(rebuild_context(history, find_receipt(history, word, app.now(history))).slots)
    return [each.filled for each in assembled(app, history, wanted, word).slots]


def _diff_lines(each: SlotDiff) -> list[str]:
    sides = (("-", each.gone), ("+", each.new))
    said = (
        f"{sign} {place}: {line}" for sign, side in sides for place, text in side for line in text.split("\n")
    )
    return [f"{each.name}:", *said]
