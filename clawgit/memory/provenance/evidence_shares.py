"""Which piece of a change's evidence belongs to which of the entries that the change brought. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entry_ids import is_made_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.memory.provenance.pieces import Piece


class Resting:
    """The evidence of one change, shared out among the entries whose ids were made of a piece of it.

    A piece of which no id was made belongs to every entry, and every piece to an entry whose id was made of none.
    """

    def __init__(self, entries: Iterable[Piece], evidence: Sequence[str]) -> None:
        self._evidence = tuple(evidence)
        self._own = {entry: self._made_from(entry) for entry in entries} if len(evidence) > 1 else {}
        self._taken = frozenset[str]().union(*self._own.values())

    def of(self, entry: Piece) -> tuple[str, ...]:
        """Return what an entry rests on, in its order."""
        own = self._own.get(entry)
        if not own:
            return self._evidence
        return tuple(item for item in self._evidence if item in own or item not in self._taken)

    def _made_from(self, entry: Piece) -> frozenset[str]:
        name = entry.entry_id
        cited = ((item, item.partition(" ")[0]) for item in self._evidence)
        return frozenset(item for item, cites in cited if name and is_made_from(name, entry.words, cites))
