"""A small record of ours that every change writes again, and that may get lost."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write a file of ours that its owner alone reads, whatever the umask is."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def rewrite_record(folder: Path, name: str, data: bytes) -> None:
    """Write a small record of ours over the one before: for what is read under the same lock, and may get lost.

    A renaming would have some file systems write it out at once, for every change.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(folder / name, flags, 0o600)
    try:
        longer = os.fstat(handle).st_size - len(data)
        whole = data + b"\n" * longer  # one call, so that a killed writer leaves the old record or the new
        if os.pwrite(handle, whole, 0) < len(whole):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if longer > 0:
            os.ftruncate(handle, len(data))
    finally:
        os.close(handle)
