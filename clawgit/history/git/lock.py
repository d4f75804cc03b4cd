"""The kernel lock that each writer of a repository holds, its queue, and what git deletes beside a writer.

A `git gc` that prunes at once deletes objects that no reference named when it looked. Writers wait until it is over,
and check afterwards whether one that began meanwhile deleted any. git's own pace (two weeks) deletes nothing that is being written.
A `git rebase --autostash` that ended early leaves edits in a commit without a reference.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.git import libgit2 as pygit2

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

POLL_SECONDS = 0.002
PATIENCE_SECONDS = 0.05
PROCESSES = Path("/proc")
_AUTOSTASH = "autostash"


class WorkspaceBusyError(ClawgitError):
    """Another process holds a lock and did not release it in time."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


@contextmanager
def workspace_lock(state: Path, *, wait_seconds: float, holder: str) -> Iterator[bool]:
    """Hold the workspace for one writer, and say whether it had to queue; a killed holder's lock goes with its process.

    Two locks, since a polled one starves: the last holder would take it again before anyone polls. ``queue`` is held
    only while waiting, so that holder has to queue, and the longest waiter polls more often.
    """
    deadline = time.monotonic() + wait_seconds
    queue, stood = _take(state / "queue", deadline, state, patience=PATIENCE_SECONDS)
    try:
        lock, waited = _take(state / "lock", deadline, state)
    finally:
        os.close(queue)
    try:
        name = f"{os.getpid()} {holder}\n".encode()
        longer = os.fstat(lock).st_size - len(name)
        # no truncation: it makes some file systems write out at once
        os.pwrite(lock, name + b"\n" * longer, 0)
        yield stood or waited
    finally:
        os.close(lock)


def _take(path: Path, deadline: float, state: Path, *, patience: float = 0.0) -> tuple[int, bool]:
    """Open and lock ``path``, polling at first every ``patience`` if that is longer; say also whether it had to wait."""
    began, waited = time.monotonic(), False
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            now, waited = time.monotonic(), True
            if now < deadline:
                time.sleep(max(POLL_SECONDS, patience / (1 + 10 * (now - began))))
                continue
            os.close(handle)
            process = "unknown process"
            with suppress(OSError):
                process = "process " + (state / "lock").read_text("utf-8", "replace").strip()
            sentence = f"Another clawgit process holds the workspace ({process})."
            hint = "Try again when it is done; nothing was changed."
            raise WorkspaceBusyError(sentence, hint=hint) from None
        return handle, waited


def taken(handle: int) -> bool:
    """Try to lock an open file, and say whether it worked; a process that only looks is waited for."""
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            try:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            fcntl.flock(handle, fcntl.LOCK_UN)
            time.sleep(POLL_SECONDS)
        else:
            return True


@contextmanager
def only_holder(path: Path, *, wait_seconds: float = 0.0) -> Iterator[int | None]:
    """Hold a lock file; None if another process keeps it. A child that inherits the handle holds it too."""
    deadline = time.monotonic() + wait_seconds
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        is_ours = taken(handle)
        while not is_ours and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            is_ours = taken(handle)
        yield handle if is_ours else None
    finally:
        os.close(handle)


def is_locked(path: Path) -> bool:
    """Say whether a process holds a lock file now; the look blocks no other process."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def held_error(lock: Path) -> WorkspaceBusyError:
    age = "an unknown time"
    with suppress(OSError):
        age = f"{max(0, int(time.time() - lock.stat().st_mtime))} seconds"
    sentence = f"Another git process holds {lock} (for {age}), so nothing was changed."
    hint = "If no git command is running, `clawgit doctor --fix` removes it."
    return WorkspaceBusyError(sentence, hint=hint)


def pruning_process(folder: Path) -> str:
    """Return the id of a gc on this machine that was given a time to prune, empty if none runs."""
    with suppress(OSError):
        process = (folder / "gc.pid").read_text("ascii", "replace").partition(" ")[0]
        words = (PROCESSES / process / "cmdline").read_bytes().split(b"\0") if process.isdigit() else []
        if any(word.startswith(b"--prune=") for word in words):
            return process
    return ""


def outlast_pruning(folder: Path, *, wait_seconds: float) -> None:
    deadline = time.monotonic() + wait_seconds
    while process := pruning_process(folder):
        if time.monotonic() >= deadline:
            sentence = f"`git gc --prune` (process {process}) takes away what is just being written, so nothing was changed."
            hint = "Try again when it is done; `git gc` alone disturbs nobody."
            raise WorkspaceBusyError(sentence, hint=hint)
        time.sleep(POLL_SECONDS)


def are_stored(objects: Path, object_ids: Iterable[str]) -> bool:
    """Say whether these objects are on the disk now, whatever libgit2 has cached."""
    packed = [name for name in object_ids if not (objects / name[:2] / name[2:]).exists()]
    if not packed:
        return True
    now = pygit2.Odb(str(objects))
    return all(pygit2.Oid(hex=name) in now for name in packed)


def left_autostash(git_folder: Path) -> str:
    """Return the commit that holds such edits, empty if there is none or the rebase goes on."""
    for folder in (git_folder / "rebase-merge", git_folder / "rebase-apply"):
        with suppress(OSError):
            if [each.name for each in folder.iterdir()] == [_AUTOSTASH]:
                return (folder / _AUTOSTASH).read_text("ascii", "replace").strip()
    return ""
