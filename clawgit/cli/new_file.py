"""Files that a command writes where it is told to: never over another, nor among the memories."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.memory.tiers import tier_of
from clawgit.workspace.place import workspace_above

if TYPE_CHECKING:
    from typing import TextIO


def new_file(path: Path) -> TextIO:
    """Make a file that only its owner reads.

    Raises:
        ClawgitError: There is one already, or it would be a file of memories, which changes alone make.
    """
    _refuse_memory(path)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError as error:
        raise ClawgitError(f"{path} exists, so it was left alone.", hint="Give another name.") from error
    return os.fdopen(handle, "w", encoding="utf-8")


def write_new_file(path: Path, data: bytes) -> None:
    """Write a new file whole, or none.

    Raises:
        ClawgitError: There is one already.
        OSError: It cannot be written; nothing is left of it.
    """
    with new_file(path) as file:
        try:
            file.buffer.write(data)
            file.flush()
        except OSError:
            path.unlink(missing_ok=True)
            raise


def _refuse_memory(path: Path) -> None:
    place = path.resolve()
    root = workspace_above(str(place.parent))
    if root and tier_of(place.relative_to(Path(root).resolve()).as_posix()) is not None:
        raise ClawgitError(
            f"{path} would be a file of memories in {root}, so it was not made.",
            hint="Name a file elsewhere.",
        )
