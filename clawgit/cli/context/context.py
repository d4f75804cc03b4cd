"""`clawgit context`: what a conversation begins with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, get_args

import click

from clawgit.cli.app import App, Command, ListingGroup, picked
from clawgit.context.wanted_context import Context, FilledSlot, hash_of
from clawgit.operations.context import (
    ContextAnswer,
    ContextRequest,
    HostName,
    Part,
    diff_contexts_of,
    get_context,
)
from clawgit.operations.parameters import Scope

if TYPE_CHECKING:
    from clawgit.context.receipts import SlotDiff


BAR = 24  # columns
MOST_CUTS = 5  # are told of each slot


def context_data(answer: ContextAnswer) -> dict[str, Any]:
    made = answer.context
    return {
        **picked(made, "text tokens"),
        "slots": [_slot_data(each) for each in made.slots],
        "opening": {"used": made.opening_tokens, "sources": list(made.asked)},
        "receipt": made.receipt or None,
        "stable": {"text": made.stable, "hash": hash_of(made.stable)},
        "recall": {"text": made.recalled, "hash": hash_of(made.recalled)},
        **picked(made, "query day=on"),
        "commit": made.commit_id or None,
        "tree": made.tree_id or None,
        "counter": made.counter,
    }


def _slot_data(each: FilledSlot) -> dict[str, Any]:
    return picked(each, "name budget wanted used") | {
        "sources": list(dict.fromkeys(passage.place for passage in each.filled.passages)),
        "cut": [picked(cut, "place why") for cut in each.filled.cuts],
        "notes": each.filled.notes,
    }


def context_lines(answer: ContextAnswer) -> list[str]:
    """Return the context itself, or how its slots came out."""
    made = answer.context
    if answer.explained:
        return _explain_lines(made)
    return made.text.rstrip("\n").split("\n") if made.text else []


def _explain_lines(made: Context) -> list[str]:
    most = max((each.wanted for each in made.slots), default=0)
    lines = [f"    asks: {question}" for question in made.asked]
    for each in made.slots:
        bar = f"  {_bar(each, most)}" if sys.stdout.isatty() else ""
        lines.append(
            f"{each.name:<12}{each.budget:>7} budget {each.wanted:>7} wanted {each.used:>7} used{bar}"
        )
        cuts = each.filled.cuts
        lines += [f"    cut: {cut.place} ({cut.why})" for cut in cuts[:MOST_CUTS]]
        lines += [f"    and {len(cuts) - MOST_CUTS} more"] if len(cuts) > MOST_CUTS else []
        lines += [f"    {note}" for note in each.filled.notes]
    day = f"{made.on:%Y-%m-%d}"
    return [*lines, f"{made.tokens} tokens ({made.counter}), {day}, commit {made.commit_id[:12] or 'none'}"]


def _bar(each: FilledSlot, most: int) -> str:
    if not most:
        return ""
    full, whole = (round(BAR * number / most) for number in (each.used, max(each.used, each.wanted)))
    return "█" * full + "░" * (whole - full)


@click.group("context", cls=ListingGroup, invoke_without_command=True)
@click.option(
    "--query", default="", metavar="TEXT", help="What the conversation is about; `-` reads it from stdin."
)
@click.option("--session", default="", metavar="KEY", help="Or the session whose last messages say so.")
@click.option(
    "--part",
    type=click.Choice(get_args(Part)),
    help="Only what stays; only what is of now; or what stays, and little of the rest.",
)
@click.option(
    "--host",
    type=click.Choice(get_args(HostName)),
    help="Leave out what this host puts into the prompt itself, and fit its limits.",
)
@click.option(
    "--scope",
    type=click.Choice(get_args(Scope)),
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
      clawgit context --as-of "last month" --query "office address"
    """
    if ctx.invoked_subcommand is None:
        _assemble(ctx.find_object(App) or App({}), options)


def _assemble(app: App, options: dict[str, Any]) -> None:
    if options["query"] == "-":
        options["query"] = sys.stdin.buffer.read().decode("utf-8", "replace")
    answer = get_context(app, ContextRequest(**options))
    app.report(context_data(answer), lambda: context_lines(answer))


@context_group.command("diff", cls=Command)
@click.argument("old", metavar="A")
@click.argument("new", metavar="B")
@click.option("--query", default="", metavar="TEXT", help="Of days: what the conversation is about.")
@click.option("--host", type=click.Choice(get_args(HostName)), help="Of days: for this host.")
@click.pass_obj
def diff_command(app: App, old: str, new: str, query: str, host: str | None) -> None:
    """Show what differs between two contexts.

    Sorted by slot. A and B are receipts (r:…) or days.

    \b
    Examples:
      clawgit context diff r:4f1c2a9b3d r:77a0c1d2e3
      clawgit context diff 2026-01-31 2026-03-19 --query "office address" --json
    """
    slots = diff_contexts_of(app, old, new, query=query, host=host or "")
    app.report(
        [each._asdict() for each in slots],
        lambda: [line for each in slots for line in _diff_lines(each)] or ["They say the same."],
    )


def _diff_lines(each: SlotDiff) -> list[str]:
    sides = (("-", each.gone), ("+", each.new))
    said = (
        f"{sign} {place}: {line}" for sign, side in sides for place, text in side for line in text.split("\n")
    )
    return [f"{each.name}:", *said]
