"""git's staging: locked with git's own lock, refreshed only where the operator staged nothing.

The lock is a hard link to a file of ours, so a leftover is ours exactly if both are one inode. That file becomes the
staging, and the lock stays longer: `git commit` reads the staging *before* it takes the lock, and would write what it
read over ours.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.history.authorship.commit_messages import replaced_by_own
from clawgit.history.git import index_entries
from clawgit.history.git.giving_way import note_person
from clawgit.history.git.leftovers import Staging
from clawgit.history.git.lock import POLL_SECONDS, WorkspaceBusyError, held_error
from clawgit.history.git.repository import History, RepositoryStateError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.index_entries import StagingIndex
    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.trees import Tree
    from clawgit.history.transaction.working_tree import Draft


class StagedConflictsError(RepositoryStateError):
    """git's staging holds both sides of a merge."""

    def __init__(self) -> None:
        hint = "Resolve them and `git add` the files, or `git reset`."
        super().__init__("The staging holds unresolved conflicts, so nothing was changed.", hint=hint)


class HeldStaging:
    """The staging while we hold its lock: ``fill``, then ``publish``; ``release`` in the end."""

    def __init__(self, history: History, staging: Staging, handle: int) -> None:
        self._history = history
        self._staging = staging
        self._handle = handle

    def fill(self, old: Tree, new: Tree | Draft, paths: Iterable[str]) -> None:
        """Write the refreshed staging into the lock: ``paths`` follow from ``old`` to ``new``."""
        index = _refreshed(self._history, old, new, paths)
        with os.fdopen(self._handle, "wb", closefd=False) as file:
            file.write(index.data)
        if self._history.settings.fsync:
            os.fsync(self._handle)
        self._history.index = index

    def publish(self) -> None:
        """Make the refreshed staging git's; the lock stays. Its folder is not synced: the old staging loses no text."""
        self._staging.ours.replace(self._staging.index)

    def release(self) -> None:
        self._staging.release_leftover()
        os.close(self._handle)


def hold_staging(history: History) -> HeldStaging:
    """Take git's lock on the staging, waiting for a git command that holds it."""
    staging = Staging.of(history)
    if staging.is_ours():  # without our file beside it, the lock would look foreign
        hint = "The next command that writes removes it."
        raise WorkspaceBusyError(f"An interrupted change left {staging.lock}.", hint=hint)
    staging.ours.unlink(missing_ok=True)
    mode = 0o644
    with suppress(FileNotFoundError):
        mode = staging.index.stat().st_mode & 0o777
    handle = os.open(staging.ours, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    deadline = time.monotonic() + history.settings.lock_wait_seconds
    while True:
        try:
            os.link(staging.ours, staging.lock)
        except FileExistsError:
            if time.monotonic() < deadline:
                time.sleep(POLL_SECONDS)
                continue
            os.close(handle)
            staging.ours.unlink()
            raise held_error(staging.lock) from None
        except OSError:
            os.close(handle)
            staging.ours.unlink(missing_ok=True)
            raise
        note_person(staging.index, history.state)
        return HeldStaging(history, staging, handle)


def follow(history: History, old: Tree, new: Tree, paths: Iterable[str]) -> None:
    staging = hold_staging(history)
    try:
        staging.fill(old, new, paths)
        staging.publish()
    finally:
        staging.release()


def refuse_conflicts(history: History) -> None:
    """Refuse a staging with unresolved conflicts (the only trace of a `git stash pop`) before anything is written."""
    with suppress(index_entries.UnusualIndexError, index_entries.DamagedIndexError):
        _read(history)


def refuse_unusual(history: History) -> None:
    """Refuse a split or a sparse index, which only git can change."""
    with suppress(StagedConflictsError, index_entries.DamagedIndexError):
        _read_usual(history)


def is_damaged(history: History) -> bool:
    """Say whether the index is missing, empty (after a power loss) or has a wrong checksum."""
    try:
        _read(history)
    except index_entries.DamagedIndexError:
        return True
    except (StagedConflictsError, index_entries.UnusualIndexError):
        return False
    return False


def _read(history: History) -> StagingIndex:
    """Return git's index, from the cache if unchanged: 10,000 entries take two milliseconds. A missing one is damaged."""
    try:
        data = (history.git_folder / "index").read_bytes()
        if history.index is None or history.index.data != data:
            history.index = index_entries.look_through(data)
    except index_entries.ConflictedIndexError as error:
        raise StagedConflictsError from error
    except FileNotFoundError as error:
        raise index_entries.DamagedIndexError from error
    return history.index


def _read_usual(history: History) -> StagingIndex:
    try:
        return _read(history)
    except index_entries.UnusualIndexError as error:
        sentence = "git's index is split or sparse, so clawgit cannot change anything here."
        hint = "`git update-index --no-split-index` makes a split one ordinary, `git sparse-checkout disable` a sparse one."
        raise RepositoryStateError(sentence, hint=hint) from error


def _refreshed(history: History, old: Tree, new: Tree | Draft, paths: Iterable[str]) -> StagingIndex:
    """Return the index with ``paths`` updated, except those that the operator staged otherwise; a lost one stages ``old``."""
    try:
        index = _read_usual(history)
    except index_entries.DamagedIndexError:
        with suppress(FileNotFoundError):
            data = (history.git_folder / "index").read_bytes()
            if data:
                (history.state / "damaged-index").write_bytes(data)
        files = {os.fsencode(path): entry for path, entry in old.files()}
        index = index_entries.no_index().with_entries(files)
    entries: dict[bytes, TreeEntry | None] = {}
    for path in paths:
        name = os.fsencode(path)
        staged = index.staged_id(name)
        was = old.entry(path)
        is_old = staged == (None if was is None else was.object_id)
        # also an older one that git put back
        if is_old or (staged is not None and staged in replaced_by_own(history, path)):
            entries[name] = new.entry(path)
    return index.with_entries(entries)
