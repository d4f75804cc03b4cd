"""An assembled context, as data and in words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked
from clawgit.context.wanted_context import hash_of

if TYPE_CHECKING:
    from clawgit.context.wanted_context import Context, FilledSlot
    from clawgit.operations.context import ContextAnswer

BAR = 24  # columns
MOST_CUTS = 5  # are told of each slot


def context_data(answer: ContextAnswer) -> dict[str, Any]:
    """Return a context as other programs read it."""
    made = answer.context
    return {
        **picked(made, "text tokens"),
        "slots": [_slot_data(each) for each in made.slots],
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
    """Return what each slot wanted and got, and what was cut, with a bar for each on a terminal."""
    most = max((each.wanted for each in made.slots), default=0)
    lines = []
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
    """Return what was used of what was wanted: full for used, light for cut."""
    if not most:
        return ""
    full, whole = (round(BAR * number / most) for number in (each.used, max(each.used, each.wanted)))
    return "█" * full + "░" * (whole - full)
