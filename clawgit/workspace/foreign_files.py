"""Opens a file that a host or a request names, without blocking on a pipe or device in its place."""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path


def open_regular(path: str | Path) -> BufferedReader:
    """Open a file for reading; a link to one counts as one.

    Raises:
        OSError: It is not there, cannot be opened, or is a pipe, a device, a socket or a folder.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - triage loads no pathlib; opening a device may have an effect
        _refuse_irregular(mode)
        # a pipe that is put there meanwhile does not block either
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no name of a file") from error
    try:
        _refuse_irregular(os.fstat(handle).st_mode)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _refuse_irregular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe, a socket or a device, and no file")
