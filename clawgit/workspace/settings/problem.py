"""Bad content in a file, as a value: reading goes on without it."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Problem(NamedTuple):
    """What is wrong, and where; ``line`` is 0 when no single line is to blame, ``key`` "" when no setting is."""

    path: str
    line: int
    key: str
    message: str
    severity: Literal["error", "warning"]

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.message}"
