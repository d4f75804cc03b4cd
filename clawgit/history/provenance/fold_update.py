"""Bringing the fold up to the present: what came since, or all of it where history was rewritten."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.git.refs import PAST
from clawgit.history.git.tips import remembered_tips
from clawgit.history.provenance.fold_store import open_fold, read_only_fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.reading.git_log import LoggedChange

OLDEST_FIRST = ("--reverse", "--date-order")


def renew_fold(history: History, store: FoldStore) -> None:
    """Read what the store has not read yet; where that cannot be kept, into memory.

    Raises:
        ClawgitError: git could not read the history; the store stays as it was.
    """
    try:
        _renew(history, store)
    except sqlite3.OperationalError:  # the disk is full, or may only be read
        store.go_on_in_memory()
        _renew(history, store)


@contextmanager
def present_fold(history: History) -> Iterator[FoldStore]:
    """Open the fold to read what it says of the present; one that is up to date takes no turn of a writer's.

    Where git cannot read the history, it says what it said before.
    """
    store = read_only_fold(history.state)
    if store is not None:
        with closing(store):
            if _is_present(history, store):
                yield store
                return
    with open_fold(history.state) as store:
        with suppress(ClawgitError):
            renew_fold(history, store)
        yield store


def _is_present(history: History, store: FoldStore) -> bool:
    try:
        return store.tips() == _tips(history)
    except ClawgitError:
        return True


def _renew(history: History, store: FoldStore) -> None:
    tips, known = _tips(history), store.tips()
    if tips == known:  # nearly always; what reads history and folds it takes a while to load
        return
    from clawgit.history.provenance.fold_steps import Folding, StepReader

    changes = _newer(history, store, tips, known) if known else None
    if changes is None:
        store.clear()
        changes = _changes(history, tips, frozenset())
    reader, folding = StepReader(history), Folding(store)
    for change in changes:
        step = reader.step(change)
        claims = change.trailers.all("Clawgit-Claims") if step.actor == OPERATOR else ()
        folding.take(step, claims, change.committed_at)
    folding.finish(tips)


def _newer(
    history: History, store: FoldStore, tips: frozenset[str], known: frozenset[str]
) -> Iterable[LoggedChange] | None:
    """Return what came since the store was renewed; None where everything has to be read again.

    The order of commits decides who was first, so an older one that came since means to begin anew.
    """
    from clawgit.history.reading.git_log import git_output

    asked = ("rev-list", "--max-count=1", *sorted(known), *(f"^{name}" for name in sorted(tips)))
    if git_output(history, *asked).strip():
        return None
    changes = list(_changes(history, tips, known))
    oldest = min((change.committed_at for change in changes), default=None)
    return None if oldest is None or oldest < store.newest() else changes


def _tips(history: History) -> frozenset[str]:
    """Return where reading starts: the branch, what was left out of it, and what may be left out by now."""
    found = [history.tip().commit_id, *history.refs(PAST).values(), *remembered_tips(history).values()]
    return frozenset(name for name in found if name is not None)


def _changes(history: History, tips: frozenset[str], known: frozenset[str]) -> Iterator[LoggedChange]:
    """Yield the commits that ``tips`` reach and ``known`` do not, oldest first.

    What was seen earlier comes before the branch as it is now, whatever the dates say: a clock that went
    back makes nobody the first to have said something.
    """
    from clawgit.history.reading.git_log import WITH_FILES, read_changes

    head = frozenset({history.tip().commit_id or ""}) & tips
    earlier = tips - head
    for names, read in ((earlier, known), (head, known | earlier)):
        asked = (*sorted(names), *(f"^{name}" for name in sorted(read)))
        yield from read_changes(history, *OLDEST_FIRST, *WITH_FILES, *asked)
