"""Which orders become principles tonight, and which are proposed: they turn one round, find no room, or are not plain."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.soul_keeper.soul_keeper import MOST_EDITS, SOUL, SoulKeeper, Suggested
from clawgit.history.provenance.principle_origins import Origin, principle_origins
from clawgit.identity.principle_edits import (
    OrderedPrinciple,
    PrincipleEdit,
    says_already,
    turned_round,
    with_edits,
)
from clawgit.memory.trust import HOST
from clawgit.plan import Evidence
from clawgit.text.words.tokens import count_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.repository import History

_ASKED = "The operator asked for this more than once, or when he corrected the agent."
_TURNED = "The operator asked for the opposite since."
_UNSURE = "The operator said this more than once. Only he can say whether it is an order for good."
_ROOM = "soul_max_tokens leaves no room for it."


class _Sorted(NamedTuple):
    """Orders that are made, and those that the operator decides."""

    fitting: list[OrderedPrinciple]
    turning: list[tuple[OrderedPrinciple, str]]
    unsure: list[OrderedPrinciple]
    crowded: list[OrderedPrinciple]


def order_keepers(history: History, orders: Iterable[OrderedPrinciple]) -> list[SoulKeeper]:
    """Return the agents for orders, each for one change or one proposal; at most three of either are made in a night."""
    soul = history.tip().tree.read(SOUL)
    if soul is None:
        return []
    limit = history.settings.soul_max_tokens
    found = _sorted(soul, [order for order in orders if not says_already(soul, order)], limit)
    made = sorted(found.fitting, key=lambda order: order.corrects)
    keepers = [
        SoulKeeper(tuple(_suggested(order, "", _ASKED) for order in some), _basis(corrects))
        for corrects, some in groupby(made, key=lambda order: order.corrects)
    ]
    return keepers + list(_proposed(history, soul, found))[:MOST_EDITS]


def _sorted(soul: bytes, orders: Iterable[OrderedPrinciple], limit: int) -> _Sorted:
    found = _Sorted([], [], [], [])
    for order in orders:
        turned = turned_round(soul, order)
        if turned is not None:
            found.turning.append((order, turned.text))
        elif not order.is_plain:
            found.unsure.append(order)
        elif not _fits(soul, [*found.fitting, order], limit):
            found.crowded.append(order)
        elif len(found.fitting) < MOST_EDITS:
            found.fitting.append(order)
    return found


def _fits(soul: bytes, orders: Iterable[OrderedPrinciple], limit: int) -> bool:
    after = with_edits(soul, [PrincipleEdit("", order.text) for order in orders]) or b""
    return _tokens(after) <= limit


def _proposed(history: History, soul: bytes, found: _Sorted) -> Iterator[SoulKeeper]:
    for order, old in found.turning:
        yield SoulKeeper((_suggested(order, old, _TURNED),), _basis(order.corrects))
    for order in found.unsure:
        yield SoulKeeper((_suggested(order, "", _UNSURE),), _basis(order.corrects), HOST)
    if found.crowded:
        weak = [PrincipleEdit(each, "") for each in least_supported(history)]
        for order in found.crowded:
            room = _room_for(soul, order, weak, history.settings.soul_max_tokens)
            gone = tuple(Suggested(edit, (), _ROOM) for edit in room)
            yield SoulKeeper((*gone, _suggested(order, "", _ASKED)), _basis(order.corrects))


def least_supported(history: History) -> list[str]:
    """Return the principles that may go where there is no room, the least supported first: what was inferred, nothing that was asked for."""
    tip = history.tip().commit_id
    origins = [] if tip is None else principle_origins(history, SOUL, tip)
    weak = [each for each in origins if each.origin is Origin.INFERENCE]
    return [
        each.principle.text
        for each in sorted(weak, key=lambda each: (each.support, -each.change.committed_at))
    ]


def _room_for(
    soul: bytes, order: OrderedPrinciple, weak: list[PrincipleEdit], limit: int
) -> list[PrincipleEdit]:
    """Return the fewest removals that leave room for an order; none where no such few do."""
    for count in range(1, min(MOST_EDITS, len(weak) + 1)):
        after = with_edits(soul, [*weak[:count], PrincipleEdit("", order.text)])
        if after is not None and _tokens(after) <= limit:
            return weak[:count]
    return []


def _suggested(order: OrderedPrinciple, old: str, why: str) -> Suggested:
    evidence = tuple(Evidence(each.evidence_id, each.quote) for each in order.given)
    return Suggested(PrincipleEdit(old, order.text), evidence, why)


def _basis(corrects: bool) -> str:
    origin = Origin.CORRECTION if corrects else Origin.ORDER
    return str(origin.value)


def _tokens(soul: bytes) -> int:
    return count_pieces(soul.decode("utf-8", "replace"))
