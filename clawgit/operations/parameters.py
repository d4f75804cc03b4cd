"""What a request says of its parameters beside their types."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple


class Range(NamedTuple):
    """The least and the most that a number may be."""

    least: float
    most: float = float("inf")

    def __str__(self) -> str:
        return f"{self.least:g}<=x<={self.most:g}" if self.most < float("inf") else f"x>={self.least:g}"


class Named(NamedTuple):
    """The name of a parameter that no field can have."""

    name: str


class InWords(NamedTuple):
    """A text that is not blank."""


Count = Annotated[int, Range(0)]
Share = Annotated[float, Range(0, 1)]
Listed = Annotated[int, Range(1, 100_000)]
Sentence = Annotated[str, InWords()]
Scope = Literal["main", "group"]
