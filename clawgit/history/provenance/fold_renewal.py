"""Folding what came since the fold was renewed, or all of history: loaded where something came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.provenance.fold_steps import Folding, StepReader
from clawgit.history.reading.git_log import WITH_FILES, git_output, read_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.authorship.actors import Authorship
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.reading.git_log import LoggedChange

OLDEST_FIRST = ("--reverse", "--date-order")


def fold_what_came(history: History, store: FoldStore, present: Authorship) -> None:
    """Read what the tips reach and the store does not know, or everything where that is not enough.

    Raises:
        ClawgitError: git could not read the history.
    """
    tips = frozenset(present.tips)
    known = store.tips()
    is_same = known and store.era() == present.era
    changes = _newer(history, store, tips, known) if is_same else None
    if changes is None:
        store.clear()
        changes = _changes(history, tips, frozenset())
    reader = StepReader(history)
    folding = Folding(store)
    for change in changes:
        step = reader.step(change)
        claims = change.trailers.all("Clawgit-Claims") if step.actor == OPERATOR else ()
        folding.take(step, claims, change.committed_at)
    folding.finish(tips, present.era)


def _newer(
    history: History, store: FoldStore, tips: frozenset[str], known: frozenset[str]
) -> Iterable[LoggedChange] | None:
    """Return what came since the store was renewed; None where everything has to be read again.

    The order of commits decides who was first, so an older one that came since means to begin again.
    """
    asked = ("rev-list", "--max-count=1", *sorted(known), *(f"^{name}" for name in sorted(tips)))
    if git_output(history, *asked).strip():
        return None
    changes = list(_changes(history, tips, known))
    oldest = min((change.committed_at for change in changes), default=None)
    return None if oldest is None or oldest < store.newest() else changes


def _changes(history: History, tips: frozenset[str], known: frozenset[str]) -> Iterator[LoggedChange]:
    """Yield the commits that ``tips`` reach and ``known`` do not, oldest first.

    What was seen earlier comes before the branch as it is now, whatever the dates say: a clock that went
    back makes nobody the first to have said something.
    """
    head = frozenset({history.tip().commit_id or ""}) & tips
    earlier = tips - head
    for names, read in ((earlier, known), (head, known | earlier)):
        asked = (*sorted(names), *(f"^{name}" for name in sorted(read)))
        yield from read_changes(history, *OLDEST_FIRST, *WITH_FILES, *asked)
