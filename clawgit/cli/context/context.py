"""`clawgit context`: what a conversation begins with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, get_args

import click

from clawgit.cli.app import App, Command, ListingGroup, picked
from clawgit.context.slots import reasons_of
from clawgit.context.wanted_context import Context, FilledSlot, hash_of
from clawgit.operations.caller import Scope
from clawgit.operations.context import (
    ContextAnswer,
    ContextDiff,
    ContextRequest,
    HostName,
    Part,
    diff_contexts_of,
    get_context,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


BAR = 24  # columns
MOST_REASONS, MOST_PLACES = 5, 3  # are told of each slot, and of each reason


def context_data(answer: ContextAnswer) -> dict[str, Any]:
    made = answer.context
    slot_data = _explained_slot if answer.explained else _slot_data
    return {
        **picked(made, "text tokens"),
        "slots": [slot_data(each) for each in made.slots],
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


def _explained_slot(each: FilledSlot) -> dict[str, Any]:
    return _slot_data(each) | {
        "lines": [{"place": place, "why": why} for place, why in reasons_of(each.filled)]
    }


def context_lines(answer: ContextAnswer) -> list[str]:
    """Return the context itself, or how its slots came out."""
    made = answer.context
    if answer.explained:
        return _explain_lines(made)
    return made.text.rstrip("\n").split("\n") if made.text else []


def _explain_lines(made: Context) -> list[str]:
    most = max((max(each.wanted, each.used) for each in made.slots), default=0)
    lines = [f"    asks: {question}" for question in made.asked]
    for each in made.slots:
        wanted = f", {each.wanted} wanted" if each.wanted > each.used else ""
        lines.append(f"{each.name:<12}{_bar(each, most):<{BAR}} {each.used} of {each.budget} tokens{wanted}")
        lines += _grouped("in", reasons_of(each.filled))
        lines += _grouped("cut", each.filled.cuts)
        lines += [f"    {note}" for note in each.filled.notes]
    day = f"{made.on:%Y-%m-%d}"
    return [*lines, f"{made.tokens} tokens ({made.counter}), {day}, commit {made.commit_id[:12] or 'none'}"]


def _bar(each: FilledSlot, most: int) -> str:
    """Return what a slot costs, and what it wanted besides."""
    if not most:
        return ""
    full, whole = (round(BAR * number / most) for number in (each.used, max(each.used, each.wanted)))
    return "█" * full + "░" * (whole - full)


def _grouped(sign: str, reasons: Iterable[tuple[str, str]]) -> list[str]:
    """Return places by their reasons: some of each, and of a few reasons."""
    places: dict[str, dict[str, None]] = {}
    for place, why in reasons:
        places.setdefault(why, {})[place] = None
    lines = []
    for why, each in list(places.items())[:MOST_REASONS]:
        more = f" and {len(each) - MOST_PLACES} more" if len(each) > MOST_PLACES else ""
        lines.append(f"    {sign}: {', '.join(list(each)[:MOST_PLACES])}{more} ({why})")
    if len(places) > MOST_REASONS:
        lines.append(f"    {sign}: more, for {len(places) - MOST_REASONS} other reasons (--json lists all)")
    return lines


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
    help="Instead of the text: a bar for each slot, and why each line is in it or was cut.",
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
@click.argument("old", metavar="[A]", default="")
@click.argument("new", metavar="[B]", default="")
@click.option(
    "--session", default="", metavar="KEY", help="Without A and B: the last two turns of this session."
)
@click.option("--query", default="", metavar="TEXT", help="Of days: what the conversation is about.")
@click.option("--host", type=click.Choice(get_args(HostName)), help="Of days: for this host.")
@click.pass_obj
def diff_command(app: App, old: str, new: str, session: str, query: str, host: str | None) -> None:
    """Show what differs between two contexts.

    Without A and B: what the last turn was given that the turn before was not, and the other way round. Else A and B are
    receipts (r:…) or days. Sorted by slot, each line with the reason why it came or went.

    \b
    Examples:
      clawgit context diff
      clawgit context diff --session agent:main:main --json
      clawgit context diff r:4f1c2a9b3d r:77a0c1d2e3
      clawgit context diff 2026-01-31 2026-03-19 --query "office address" --json
    """
    if old and not new:
        raise click.UsageError("Name two receipts or days, or none for the last two turns.")
    diff = diff_contexts_of(app, old, new, query=query, host=host or "", session=session)
    app.report(_diff_data(diff), lambda: _diff_lines(diff))


def _diff_data(diff: ContextDiff) -> dict[str, Any]:
    slots = [
        {"name": each.name, "gone": _passages_data(each.gone), "new": _passages_data(each.new)}
        for each in diff.slots
    ]
    return {"from": diff.old, "to": diff.new, "slots": slots}


def _passages_data(side: Iterable[tuple[str, str, str]]) -> list[dict[str, str]]:
    return [{"place": place, "text": text, "why": why} for place, text, why in side]


def _diff_lines(diff: ContextDiff) -> list[str]:
    lines = [f"From {diff.old} to {diff.new}:"]
    if not diff.slots:
        lines.append("They say the same.")
    for each in diff.slots:
        lines.append(f"{each.name}:")
        for sign, side in (("-", each.gone), ("+", each.new)):
            for place, text, why in side:
                first, *rest = text.split("\n")
                reason = f"  ({why})" if why else ""
                lines.append(f"{sign} {place}: {first}{reason}")
                lines += [f"{sign} {place}: {line}" for line in rest]
    return lines
