"""What a statement rests on: the operator's word, the host's, or that of the world outside."""

from __future__ import annotations

from typing import Final

OPERATOR, HOST, EXTERNAL = "operator", "host", "external"
TRUSTS: Final = (EXTERNAL, HOST, OPERATOR)  # the lowest first
LOWEST = TRUSTS[0]
