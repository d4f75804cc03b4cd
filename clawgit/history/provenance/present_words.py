"""Since when a statement reads as it does, and on which messages that rests: who corrects it must have spoken later."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.provenance.fold_update import present_fold
from clawgit.memory.provenance.pieces import ENTRY
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class PresentWords(NamedTuple):
    """When a statement came to read so, and the messages (`chat:…`) that it rests on."""

    at: datetime = _NEVER
    messages: tuple[str, ...] = ()


def present_words(history: History, words: str, entry_id: str) -> PresentWords:
    """Return since when an entry says these words under this id; what no commit brought is as old as can be."""
    with present_fold(history) as store:
        rows = [row for _, row in store.wordings(entry_id, words)]
        origin = store.origin(ENTRY + words)
    if rows:
        return PresentWords(_moment(rows[-1].at), _messages(rows[-1].said.split("\n")))
    return PresentWords() if origin is None else PresentWords(_moment(origin.at))


def _moment(at: str) -> datetime:
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        return _NEVER


def _messages(evidence: Iterable[str]) -> tuple[str, ...]:
    cited = (item.partition(" ")[0] for item in evidence)
    return tuple(item for item in cited if item.startswith(MESSAGE))
