"""Half-written files and locks that a killed writer leaves beside the history, once no writer can still use them."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.lock import is_locked
from clawgit.workspace.safe_files import TEMPORARY_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clawgit.history.git.repository import History

HALF_AN_OBJECT = "tmp_object_git2_"
HALF_A_PACK = "clawgit-half-"  # not tmp_: `git prune` would delete it during the write
HALVES_OF_GIT = ("tmp_pack_", "tmp_idx_")  # of a killed git that joined packs
OF_ONE_CHANGE = "clawgit-change-"  # prefix of a pack's name
JOINED = "clawgit-changes-"
KEEPER = ".keep"
PACKING = "maintenance.lock"
OLD_SECONDS = 3600
OLD_LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Staging:
    """The places of one working tree's staging."""

    index: Path
    lock: Path
    ours: Path

    @classmethod
    def of(cls, history: History) -> Staging:
        git_folder = history.git_folder
        own = "staging" if git_folder == history.folder else f"staging.{git_folder.name}"
        return cls(git_folder / "index", git_folder / "index.lock", history.state / own)

    def is_ours(self) -> bool:
        """Say whether a clawgit took the present lock (a dead one, if this process holds the workspace lock)."""
        for own in (self.ours, self.index):
            with suppress(OSError):
                if self.lock.samefile(own):
                    return True
        return False

    def release_leftover(self) -> None:
        """Remove a killed clawgit's lock; a foreign lock stays."""
        if self.is_ours():
            self.lock.unlink()
        self.ours.unlink(missing_ok=True)


class PresentLock(NamedTuple):
    """One of git's lock files; ``is_ours`` if a clawgit took it."""

    path: Path
    seconds: int
    is_ours: bool


def present_locks(history: History) -> Iterator[PresentLock]:
    staging = Staging.of(history)
    shared = (history.folder / name for name in ("packed-refs.lock", "config.lock"))
    branches = sorted((history.folder / "refs" / "heads").rglob("*.lock"))
    for path in (staging.lock, history.git_folder / "HEAD.lock", *shared, *branches):
        with suppress(OSError):
            seconds = int(time.time() - path.stat().st_mtime)
            yield PresentLock(path, seconds, path == staging.lock and staging.is_ours())


def leftover_locks(history: History) -> list[PresentLock]:
    """Return abandoned locks: a dead clawgit's, and any older than a minute."""
    is_held = is_locked(history.state / "lock")
    locks = present_locks(history)
    return [lock for lock in locks if (not is_held if lock.is_ours else lock.seconds >= OLD_LOCK_SECONDS)]


def remove_old_leftovers(history: History) -> None:
    """Remove half-written objects and files older than any write takes, and unpin packs that a killed writer kept.

    Callers hold the workspace lock.
    """
    _remove_old(history.folder / "objects", (HALF_AN_OBJECT, PACKING))
    _remove_old(history.state, (TEMPORARY_PREFIX,))
    folder = history.folder / "objects" / "pack"
    with suppress(FileNotFoundError):
        names = _remove_old(folder, (HALF_A_PACK, *HALVES_OF_GIT))
        for name in names:
            pack, _, ending = name.rpartition(".")
            if name.startswith((OF_ONE_CHANGE, JOINED)):
                if ending == "keep":
                    (folder / name).unlink(missing_ok=True)
                elif ending == "idx" and f"{pack}.pack" not in names:
                    _unlink_old(folder / name)


def _remove_old(folder: Path, prefixes: tuple[str, ...]) -> set[str]:
    """Remove old entries with these prefixes, and return all names in the folder."""
    names = set(os.listdir(folder))  # noqa: PTH208 - names; most are left alone
    for name in names:
        if name.startswith(prefixes):
            _unlink_old(folder / name)
    return names


def _unlink_old(path: Path) -> None:
    with suppress(OSError):
        if time.time() - path.lstat().st_mtime > OLD_SECONDS:
            path.unlink()
