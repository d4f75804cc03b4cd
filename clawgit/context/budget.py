"""Who gets how much room: by priority, and what one does not need flows on. Whole numbers in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def share_out(needs: Sequence[int], total: int) -> list[int]:
    """Return what each slot gets of ``total``, the highest priority first: what it needs, as far as there is any left.

    A budget bounds what a slot asks for, and holds nothing back from a higher one that needs more than its own.
    """
    left, granted = max(0, total), []
    for need in needs:
        granted.append(min(max(0, need), left))
        left -= granted[-1]
    return granted


def flow_on(needs: Sequence[int], held: Sequence[int]) -> list[int]:
    """Return what each slot gets when what the others do not need goes to whoever does, by priority."""
    granted = [min(max(0, need), has) for need, has in zip(needs, held, strict=True)]
    missing = (need - has for need, has in zip(needs, granted, strict=True))
    more = share_out(list(missing), sum(held) - sum(granted))
    return [has + another for has, another in zip(granted, more, strict=True)]
