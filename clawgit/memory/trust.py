"""What a statement rests on: the operator's word, a reading of it, the host's word, or that of the world outside."""

from __future__ import annotations

from typing import Final

OPERATOR, UNDERSTOOD, HOST, EXTERNAL = "operator", "understood", "host", "external"
TRUSTS: Final = (EXTERNAL, HOST, UNDERSTOOD, OPERATOR)  # the lowest first
LOWEST = TRUSTS[0]
# What is said of a statement that is not the operator's; of one that is understood, its quote says it.
WHOSE: Final = {
    HOST: "your agent's word, unverified",
    EXTERNAL: "from outside, unverified",
    "unknown": "nobody knows whose word",
}
