"""The trust of a statement: the operator's word, a reading of it, the host's word, or the outside world's."""

from __future__ import annotations

from typing import Final

OPERATOR, UNDERSTOOD, HOST, EXTERNAL = "operator", "understood", "host", "external"
TRUSTS: Final = (EXTERNAL, HOST, UNDERSTOOD, OPERATOR)  # lowest first
LOWEST = TRUSTS[0]
# Labels for statements that are not the operator's; an understood one has its quote instead.
WHOSE: Final = {
    HOST: "your agent's word, unverified",
    EXTERNAL: "from outside, unverified",
    "unknown": "nobody knows whose word",
}
