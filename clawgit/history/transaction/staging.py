"""git's staging: taken with git's own lock, refreshed only where the operator staged nothing.

The lock is a hard link to a file of ours, so a leftover is ours exactly when both are one inode; that file becomes
the staging, and the lock stays a while longer: `git commit` reads the staging *before* it takes the lock, and would
put what it read back over ours.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from clawgit.history.authorship.commit_messages import replaced_by_own
from clawgit.history.git import index_entries
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.giving_way import note_person
from clawgit.history.git.leftovers import Staging
from clawgit.history.git.lock import POLL_SECONDS, WorkspaceBusyError, held_error
from clawgit.history.git.repository import RepositoryStateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


class StagedConflictsError(RepositoryStateError):
    """git's staging holds both sides of a merge."""

    def __init__(self) -> None:
        super().__init__(
            "The staging holds unresolved conflicts, so nothing was changed.",
            hint="Resolve them and `git add` the files, or `git reset`.",
        )


class HeldStaging:
    """The staging while its lock is ours: ``fill``, then ``publish``; ``release`` in the end."""

    def __init__(self, history: History, staging: Staging, handle: int) -> None:
        self._staging = staging
        self._handle = handle
        self._fsync = history.settings.fsync
        self._replaced = partial(replaced_by_own, history)

    def fill(self, old: Tree, new: Tree, paths: Iterable[str]) -> None:
        """Write the refreshed staging into the lock: ``paths`` follow from ``old`` to ``new``."""
        data = _refreshed(self._staging, old, new, paths, self._replaced)
        with os.fdopen(os.dup(self._handle), "wb") as file:
            file.write(data)
        if self._fsync:
            os.fsync(self._handle)

    def publish(self) -> None:
        """Make the refreshed staging git's; the lock stays.

        Its folder is not synced: the staging of before, after a loss of power, takes no word out of commit or file.
        """
        self._staging.ours.replace(self._staging.index)

    def release(self) -> None:
        self._staging.release_leftover()
        os.close(self._handle)


def hold_staging(history: History) -> HeldStaging:
    """Take git's lock on the staging, waiting for a git command that holds it."""
    staging = Staging.of(history)
    if staging.is_ours():  # without our file beside it, nobody would know that any more
        raise WorkspaceBusyError(
            f"An interrupted change left {staging.lock}.", hint="The next command that writes removes it."
        )
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
    """Refuse a staging with unresolved conflicts (`git stash pop` leaves no other trace) before anything is written."""
    try:
        index_entries.check_index(Staging.of(history).index.read_bytes())
    except index_entries.ConflictedIndexError as error:
        raise StagedConflictsError from error
    except (FileNotFoundError, index_entries.UnreadableIndexError):
        return


def is_damaged(staging: Staging) -> bool:
    """Say whether the index is missing, empty (power was lost) or not what its checksum says."""
    try:
        return not index_entries.is_whole(staging.index.read_bytes())
    except FileNotFoundError:
        return True


_UNUSUAL = (b"link", b"sdir")  # the extensions of a split and of a sparse index


def _refreshed(
    staging: Staging, old: Tree, new: Tree, paths: Iterable[str], replaced: Callable[[str], frozenset[str]]
) -> bytes:
    """Return the index whose ``paths`` followed, but those where the operator staged something else."""
    staging.scratch.unlink(missing_ok=True)
    before = staging.index.read_bytes() if staging.index.exists() else None
    is_lost = before is None or not index_entries.is_whole(before)
    if before is not None and not is_lost:
        if any(name in before for name in _UNUSUAL):  # of one that it cannot open, pygit2 complains on stderr
            refuse_unusual(staging)
        staging.scratch.write_bytes(before)
    try:
        index = pygit2.Index(str(staging.scratch))
    except pygit2.GitError:
        refuse_unusual(staging)
        raise
    if index.conflicts is not None:
        raise StagedConflictsError
    if is_lost:
        if before is not None:
            staging.scratch.with_name("damaged-index").write_bytes(before)
        for path, entry in old.files():
            index.add(_staged(path, entry))
    for path in paths:
        staged = str(index[path].id) if path in index else None
        was = old.entry(path)
        is_old = staged == (None if was is None else was.object_id)
        if not is_old and (staged is None or staged not in replaced(path)):  # an older one that git put back
            continue
        now = new.entry(path)
        if now is not None:
            index.add(_staged(path, now))
        elif staged is not None:
            index.remove(path)
    index.write()
    return staging.scratch.read_bytes()


def _staged(path: str, entry: TreeEntry) -> pygit2.IndexEntry:
    return pygit2.IndexEntry(path, pygit2.Oid(hex=entry.object_id), pygit2.enums.FileMode(entry.mode))


def refuse_unusual(staging: Staging) -> None:
    """Refuse a split or a sparse index, which nothing here can change."""
    try:
        index_entries.read_index(staging.index.read_bytes())
    except index_entries.UnusualIndexError as error:
        raise RepositoryStateError(
            "git's index is split or sparse, so clawgit cannot change anything here.",
            hint="`git update-index --no-split-index` makes a split one ordinary, `git sparse-checkout disable` a sparse one.",
        ) from error
    except (FileNotFoundError, index_entries.UnreadableIndexError):
        return
