"""The trust of a statement: the operator's word, a reading of it, the host's word, or the outside world's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

OPERATOR, UNDERSTOOD, HOST, EXTERNAL = "operator", "understood", "host", "external"
TRUSTS: Final = (EXTERNAL, HOST, UNDERSTOOD, OPERATOR)  # lowest first
LOWEST = TRUSTS[0]
UNHEARD = (HOST, "unknown")  # their mentions do not count, only the operator's
# Labels for statements that are not the operator's; an understood one has its quote instead.
WHOSE: Final = {
    HOST: "your agent's word, unverified",
    EXTERNAL: "from outside, unverified",
    "unknown": "nobody knows whose word",
}


def lowest(trusts: Iterable[str]) -> str:
    return min(trusts, key=rank_of)


def rank_of(trust: str) -> int:
    return TRUSTS.index(trust) if trust in TRUSTS else 0
