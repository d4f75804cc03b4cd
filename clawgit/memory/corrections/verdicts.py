"""What the validator judges, and what it comes to: an exchange, entries in their files, a verdict. Pure values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import Parted, parted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.memory.corrections.correction_log import Status
    from clawgit.memory.entries.entries import Entry

HIGH, MEDIUM = "high", "medium"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the operator says now, in his own words, and what the agent said ``before``, the latest message first.

    ``confidence`` is triage's, that the message corrects anything at all. ``since``: what of it was corrected by then, and how.
    """

    told: str
    confidence: str
    before: tuple[str, ...] = ()
    since: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Held:
    """An entry, and the file that it is in."""

    path: str
    entry: Entry

    @property
    def parts(self) -> Parted:
        """Return its words in parts."""
        return parted(self.entry.text)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an exchange comes to.

    ``wrong`` are entries with the statements that they should make, ``right`` those that read right already. ``asks``: the
    likeliest entry and what it may have to say, where that is for the operator to answer.
    """

    status: Status
    said: str = ""
    correct: str = ""
    wrong: tuple[tuple[Held, str], ...] = ()
    right: tuple[Held, ...] = ()
    note: str = ""
    asks: tuple[Held, str] | None = None


@dataclass(frozen=True, slots=True)
class Righting:
    """A statement corrected: what it says instead, and which parts gave way to which (none: all of it)."""

    correct: str
    exchanges: tuple[tuple[str, str], ...] = ()

    @property
    def values(self) -> str:
        """Return what gave way and what came, as one text."""
        return " ".join(value for pair in self.exchanges for value in pair)
