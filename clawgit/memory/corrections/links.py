"""Links: the operator's words beside the entry that they are about. A link stands while the entry says the same; it changes nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import shortened

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.corrections.write_correction import Remembered

MOST_LINKS = 2  # of an entry; others end
LOW = "low"  # of a link that rests on a word or two


def statements_of(memory: Remembered) -> frozenset[str]:
    """Return what the entries say, as a ledger has it."""
    return frozenset(shortened(held.parts.statement) for held in memory.entries())


def standing_links(corrections: Iterable[Correction], statements: Collection[str]) -> list[Correction]:
    """Return the links beside what entries say now, of each statement no more than stand: plain ones first, then the newest."""
    links = [each for each in corrections if each.status is Status.LINKED and each.said in statements]
    links.sort(key=lambda link: (link.trigger_confidence != LOW, link.at))
    standing = []
    beside = Counter[str]()
    for each in reversed(links):
        beside[each.said] += 1
        if beside[each.said] <= MOST_LINKS:
            standing.append(each)
    return standing
