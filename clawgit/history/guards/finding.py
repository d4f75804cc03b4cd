"""What a guard reads, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from clawgit.history.objects import TreeEntry


@dataclass(frozen=True, slots=True)
class Finding:
    """One objection: which rule, where, in a sentence, and the way out."""

    rule: str
    path: str
    sentence: str
    way_out: str
    line: int | None = None


class Before(Protocol):
    """The state that is left."""

    def entry(self, path: str) -> TreeEntry | None:
        """Return what stands at ``path``."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of the file at ``path``."""


class After(Before, Protocol):
    """The state that would be."""

    def changed_paths(self) -> tuple[str, ...]:
        """Return the paths in which the two states differ."""
