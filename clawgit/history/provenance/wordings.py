"""How a statement read once, back to the change that first said it, and since when it reads as it does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.reading.git_log import read_named
from clawgit.memory.provenance.pieces import ENTRY, Text
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.memory.provenance.fold import Seen

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Wording:
    """How a statement read once, where, the change that made it read so, and what of its evidence it rests on.

    ``claimed``: by the operator, later.
    """

    words: str
    path: str
    change: LoggedChange
    evidence: tuple[str, ...]
    claimed: bool = False


def wordings_of(history: History, store: FoldStore, words: str, entry_id: str) -> tuple[Wording, ...]:
    """Return every change that made the statement read as it does or did, oldest first.

    Followed is what took whose place in each commit; an id alone, which may occur twice or be exchanged,
    joins nothing.
    """
    rows = _followed(store, words, entry_id)
    places = {(row.commit_id, row.words): row.path for row in rows}
    resting = {(row.commit_id, row.words): tuple(filter(None, row.said.split("\n"))) for row in rows}
    for said in dict.fromkeys([words, *(row.words for row in rows)]):
        origin = store.origin(ENTRY + said)
        if origin is not None:
            places.setdefault((origin.commit_id, said), "")
    changes = read_named(history, (commit_id for commit_id, _ in places), with_files=True)
    claims = store.claims()
    found = [
        Wording(
            said,
            path or path_in(history, changes[commit_id], ENTRY + said),
            changes[commit_id],
            resting.get((commit_id, said), changes[commit_id].evidence),
            commit_id in claims,
        )
        for (commit_id, said), path in places.items()
    ]
    return tuple(sorted(found, key=lambda wording: wording.change.moment))


def path_in(history: History, change: LoggedChange, key: str) -> str:
    """Return the file of ``change`` in which a piece stands, empty if none has it."""
    for file in change.files:
        data = b"" if file.new is None else history.objects.blob(file.new)
        if file.path.endswith(".md") and any(piece.key == key for piece in Text(data).pieces):
            return file.path
    return ""


def _followed(store: FoldStore, words: str, entry_id: str) -> list[Seen]:
    """Return what the history says of a statement and of all that it took the place of, in the order of time."""
    waiting, met = [(words, entry_id)], {(words, entry_id)}
    rows: list[tuple[int, Seen]] = []
    while waiting:
        said, name = waiting.pop()
        for number, row in store.wordings(name, said):
            rows.append((number, row))
            earlier = (row.before, row.before_id)
            if row.before and earlier not in met:
                met.add(earlier)
                waiting.append(earlier)
    return [row for _, row in sorted(rows, key=lambda pair: pair[0])]


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
