"""What `why` answers: a statement, and what is behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.memory.entries.statement_lookup import CERTAIN

if TYPE_CHECKING:
    from clawgit.history.provenance.wordings import Wording
    from clawgit.memory.corrections.corrected_entries import KnownCorrection
    from clawgit.memory.entry_states import EntryState

BY_ID, BY_PLACE = "its id", "its place"


class WhyError(ClawgitError):
    """Nothing like that was ever said here."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Another statement that may be the one that was asked for."""

    words: str
    place: str
    entry_id: str | None


@dataclass(frozen=True, slots=True)
class Why:
    """A statement and what is behind it; ``state`` is None for what is no entry (any more).

    ``sure`` is how certainly this is what was asked for, of 100, ``by`` how it was found, ``others`` what
    is as good. The wordings are in the order of time; ``corrected`` are the entries that a correction names.
    """

    words: str
    place: str
    trust: str
    wordings: tuple[Wording, ...]
    sure: int = CERTAIN
    by: str = BY_ID
    note: str = ""
    others: tuple[Alike, ...] = ()
    state: EntryState | None = None
    corrections: tuple[KnownCorrection, ...] = ()
    corrected: tuple[EntryState, ...] = ()
