"""Who gets how much room: budgets by priority, what is taken from below, what flows on. Whole numbers in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def share_out(needs: Sequence[int], budgets: Sequence[int], total: int) -> list[int]:
    """Return what each slot gets of ``total``, the highest priority first; none gets more than it needs.

    Budgets that are more than the total lose from the lowest slot on. A slot that needs more than its budget takes from
    the lowest one below it first, whether that is in use or not. What is left over then goes to whoever still needs it,
    by priority.
    """
    held = _within(budgets, total)
    for high, need in enumerate(needs):
        for low in range(len(needs) - 1, high, -1):
            taken = min(max(0, need - held[high]), held[low])
            held[low] -= taken
            held[high] += taken
    return flow_on(needs, held, total - sum(held))


def flow_on(needs: Sequence[int], held: Sequence[int], spare: int = 0) -> list[int]:
    """Return what each slot gets when what the others do not need goes to whoever does, by priority."""
    granted = [min(max(0, need), has) for need, has in zip(needs, held, strict=True)]
    spare = max(0, spare) + sum(held) - sum(granted)
    for place, need in enumerate(needs):
        more = min(spare, max(0, need - granted[place]))
        granted[place] += more
        spare -= more
    return granted


def _within(budgets: Sequence[int], total: int) -> list[int]:
    left, held = max(0, total), []
    for budget in budgets:
        held.append(min(max(0, budget), left))
        left -= held[-1]
    return held
