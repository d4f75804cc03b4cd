"""clawgit's own references: intents, rescued and past commits, proposals, quarantine.

Only the holder of the workspace lock writes them, so a lock file that git keeps beside one is a leftover.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.lock import POLL_SECONDS, held_error
from clawgit.history.git.ordinary_repository import head_branch, ref_target
from clawgit.workspace.safe_files import sync_folder

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History

OURS = "refs/clawgit/"
INTENT = OURS + "intent/"
RESCUE = OURS + "rescue/"
PAST = OURS + "past/"
PROPOSALS = OURS + "proposals/"
REJECTED = OURS + "rejected/"
QUARANTINE = OURS + "quarantine/"
BRANCHES = "refs/heads/"
ABANDONED_SECONDS = 1.0


def intent_ref(branch: str) -> str:
    """Return the reference that names the change about to be made on ``branch``."""
    return INTENT + branch.removeprefix(BRANCHES)


def branch_of(intent: str) -> str:
    """Return the branch that an intent reference is about."""
    return BRANCHES + intent.removeprefix(INTENT)


def set_ref(history: History, name: str, commit_id: str) -> None:
    """Point one of our references at a commit, whatever it named before."""
    history.repo.references.create(name, commit_id, force=True)


def delete_ref(history: History, name: str) -> None:
    """Remove one of our references; silent where there is none. A git that packs references is waited for a moment."""
    deadline = time.monotonic() + ABANDONED_SECONDS
    while (history.folder / "packed-refs.lock").exists() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)  # libgit2 forgets what it could not remove
    with suppress(KeyError):
        history.repo.references.delete(name)


def pin(history: History, prefix: str, commit_id: str) -> str:
    """Keep ``commit_id`` reachable under ``prefix`` and return the reference's name."""
    name = prefix + commit_id[:16]
    set_ref(history, name, commit_id)
    return name


def move_branch(history: History, branch: str, old: str | None, new: str) -> bool:
    """Move ``branch`` from ``old`` to ``new``; False when somebody else moved it first.

    Waits for a git process that holds the branch. An error after git took the new value counts as
    success, also where somebody committed on top of it at once: the branch is read again before judging.
    """
    deadline = time.monotonic() + history.settings.lock_wait_seconds
    while True:
        try:
            return _swap(history, branch, old, new)
        except (pygit2.GitError, OSError, ValueError) as error:
            now = history.target(branch)
            if now != old:
                return history.objects.contains(now, new)
            is_late = time.monotonic() > deadline
            was_held = isinstance(error, FileExistsError) and not is_late
            if not was_held and not _lock_of(history, branch).exists():
                raise
        if is_late:
            raise held_error(_lock_of(history, branch))
        time.sleep(POLL_SECONDS)


def _swap(history: History, branch: str, old: str | None, new: str) -> bool:
    if old is None:
        history.repo.references.create(branch, new)
        return True
    place = history.folder / branch
    if history.is_ordinary and not place.is_symlink() and not place.is_dir():
        return _replace(history, branch, old, new)
    reference = history.repo.references.get(branch)
    if reference is None or str(reference.target) != old:
        return False
    reference.set_target(pygit2.Oid(hex=new), "clawgit")
    return True


def _replace(history: History, branch: str, old: str, new: str) -> bool:
    """Do what libgit2 does to move a branch, but sync only the branch: git does not sync its logs either."""
    place, lock = history.folder / branch, _lock_of(history, branch)
    is_moved = False
    place.parent.mkdir(parents=True, exist_ok=True)  # git takes an empty folder away when it packs references
    handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        if ref_target(history.folder, branch) != old:
            return False
        _note_in_logs(history, branch, f"{old} {new} {_now_by(history)}\tclawgit\n")
        os.write(handle, f"{new}\n".encode())
        if history.settings.fsync:
            os.fsync(handle)
        lock.replace(place)
        is_moved = True
    finally:
        os.close(handle)
        if not is_moved:
            lock.unlink(missing_ok=True)
    if history.settings.fsync:
        with suppress(OSError):  # the branch has moved, whatever the disk says now
            sync_folder(place.parent)
    return True


def _now_by(history: History) -> str:
    """Return who moves a branch, as git's logs have it, and when."""
    who = "unknown <unknown>"
    with suppress(KeyError, ValueError, pygit2.GitError):
        own = history.repo.default_signature
        who = f"{own.name} <{own.email}>"
    return f"{who} {int(time.time())} {time.strftime('%z')}"


def _note_in_logs(history: History, branch: str, line: str) -> None:
    """Add a line to git's log of the branch, and of HEAD where that is on it; where there is to be none, there is none."""
    logs = history.folder / "logs"
    is_wanted = history.configured("core.logAllRefUpdates").lower() not in ("false", "no", "off", "0")
    for log in (logs / branch, *((logs / "HEAD",) if head_branch(history.folder) == branch else ())):
        if is_wanted or log.exists():
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as file:
                file.write(line.encode("utf-8", "surrogateescape"))


def _lock_of(history: History, ref: str) -> Path:
    return history.folder / f"{ref}.lock"


def remove_leftover_locks(history: History) -> None:
    """Remove the lock files that killed writers left beside our own references."""
    with suppress(FileNotFoundError):  # a folder that git takes away while it packs references
        for lock in (history.folder / "refs" / "clawgit").rglob("*.lock"):
            lock.unlink(missing_ok=True)


def is_leftover_of(history: History, branch: str, commit_id: str) -> bool:
    """Say whether git's lock on ``branch`` was left by a clawgit that was killed moving it to ``commit_id``.

    It holds that commit then, or nothing yet: git and libgit2 make the lock first and fill it last.
    """
    lock = _lock_of(history, branch)
    try:
        held = lock.read_text("ascii", "replace").strip()
        return held == commit_id or (not held and _stays(lock))
    except OSError:
        return False


def _stays(lock: Path) -> bool:
    """Say whether nobody has touched ``lock`` for a second, waiting for that if it is younger."""
    seen = lock.stat()
    time.sleep(max(0.0, min(ABANDONED_SECONDS, seen.st_mtime + ABANDONED_SECONDS - time.time())))
    now = lock.stat()
    return (now.st_ino, now.st_mtime_ns, now.st_size) == (seen.st_ino, seen.st_mtime_ns, seen.st_size)


def remove_branch_lock(history: History, branch: str) -> None:
    """Remove git's lock on ``branch``; callers know that it is a leftover."""
    _lock_of(history, branch).unlink(missing_ok=True)
