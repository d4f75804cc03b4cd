"""What git, run by somebody else, takes away or puts aside beside a writer.

A `git gc` that prunes at once takes what nothing named yet when it looked. Whoever writes waits until it is over,
and looks afterwards whether one that began meanwhile took anything. git's own pace (two weeks) takes nothing that is
being written. A `git rebase --autostash` that ended early leaves edits in a commit that no reference names.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.lock import POLL_SECONDS, WorkspaceBusyError

if TYPE_CHECKING:
    from collections.abc import Iterable

PROCESSES = Path("/proc")
_AUTOSTASH = "autostash"


def pruning_process(folder: Path) -> str:
    """Return the process id of a gc on this machine that was told when to prune, empty where none is at work."""
    with suppress(OSError):
        process = (folder / "gc.pid").read_text("ascii", "replace").partition(" ")[0]
        words = (PROCESSES / process / "cmdline").read_bytes().split(b"\0") if process.isdigit() else []
        if any(word.startswith(b"--prune=") for word in words):
            return process
    return ""


def outlast_pruning(folder: Path, *, wait_seconds: float) -> None:
    """Return once no such gc is at work.

    Raises:
        WorkspaceBusyError: It was at work all the time.
    """
    deadline = time.monotonic() + wait_seconds
    while process := pruning_process(folder):
        if time.monotonic() >= deadline:
            raise WorkspaceBusyError(
                f"`git gc --prune` (process {process}) takes away what is just being written, so nothing was changed.",
                hint="Try again when it is done; `git gc` alone disturbs nobody.",
            )
        time.sleep(POLL_SECONDS)


def are_stored(objects: Path, object_ids: Iterable[str]) -> bool:
    """Say whether each of these objects is on the disk now, whatever libgit2 remembers."""
    packed = [name for name in object_ids if not (objects / name[:2] / name[2:]).exists()]
    if not packed:
        return True
    now = pygit2.Odb(str(objects))
    return all(pygit2.Oid(hex=name) in now for name in packed)


def left_autostash(git_folder: Path) -> str:
    """Return the commit of such edits, empty where no rebase left any or one is still going on."""
    for folder in (git_folder / "rebase-merge", git_folder / "rebase-apply"):
        with suppress(OSError):
            if [each.name for each in folder.iterdir()] == [_AUTOSTASH]:
                return (folder / _AUTOSTASH).read_text("ascii", "replace").strip()
    return ""
