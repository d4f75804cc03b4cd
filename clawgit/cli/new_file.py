"""Files that a command writes where it is told to: never over another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO


def new_file(path: Path) -> TextIO:
    """Make a file that only its owner reads.

    Raises:
        ClawgitError: There is one already.
    """
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
