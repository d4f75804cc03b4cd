"""Bringing the fold up to the present: what came since, or all of it where history was rewritten."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.vouching import authorship
from clawgit.history.provenance.fold_store import open_fold, read_only_fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore


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
    with read_only_fold(history.state) as store:
        if store is not None and _is_present(history, store):
            yield store
            return
    with open_fold(history.state) as store:
        try:
            renew_fold(history, store)
        except ClawgitError as error:
            from clawgit.history.git.git_program import GitProgramError

            if not isinstance(error, GitProgramError):  # no git, or not in time: nothing is wrong
                history.objects.unread = error.message
        store.read_on()
        yield store


def _is_present(history: History, store: FoldStore) -> bool:
    try:
        return store.is_up_to(authorship(history))
    except ClawgitError:
        return True


def _renew(history: History, store: FoldStore) -> None:
    present = authorship(history)
    if store.is_up_to(present):  # nearly always; what reads history and folds it takes a while to load
        return
    from clawgit.history.provenance.fold_renewal import fold_what_came

    fold_what_came(history, store, present)
