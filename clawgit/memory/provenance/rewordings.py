"""Which statement took the place of which in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.provenance.pieces import ENTRY
from clawgit.memory.provenance.stamps import REBIND_LIKENESS
from clawgit.text.comparing.similarity import facts_differ, likeness

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clawgit.memory.provenance.pieces import Piece

MOST_PAIRS = 250_000


def too_many(new: Collection[object], old: Collection[object]) -> bool:
    """Say whether comparing each with each would take longer than a second or two."""
    return len(new) * len(old) > MOST_PAIRS


def earlier_wordings(added: Sequence[Piece], removed: Sequence[Piece]) -> dict[Piece, Piece]:
    """Return added entry → the removed one whose place it took: the same words, else the same id, else close words.

    Close words count only where one of the two has no id, and never where facts differ.
    """
    if not added or not removed:
        return {}
    new = [piece for piece in added if piece.form == ENTRY]
    old = [piece for piece in removed if piece.form == ENTRY]
    staying = {piece.words for piece in new}
    gone = [piece for piece in old if piece.words not in staying]
    by_words, by_id = (
        _grouped((piece.words, piece) for piece in old),
        _grouped((piece.entry_id, piece) for piece in gone),
    )
    close = not too_many(new, gone)
    found = {}
    for piece in new:
        same = by_words.get(piece.words) or (by_id.get(piece.entry_id) if piece.entry_id else None)
        candidates = same or [each for each in gone if close and _is_close(each, piece)]
        if candidates:
            found[piece] = max(
                candidates,
                key=lambda each: (each.entry_id == piece.entry_id, likeness(each.words, piece.words)),
            )
    return found


def _grouped(pairs: Iterable[tuple[str | None, Piece]]) -> dict[str | None, list[Piece]]:
    groups: dict[str | None, list[Piece]] = {}
    for key, piece in pairs:
        groups.setdefault(key, []).append(piece)
    return groups


def _is_close(old: Piece, new: Piece) -> bool:
    one_is_free = old.entry_id is None or new.entry_id is None
    alike = one_is_free and likeness(old.words, new.words) >= REBIND_LIKENESS
    return alike and not facts_differ(old.words, new.words)
