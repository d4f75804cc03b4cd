"""Who else may read a file that clawgit writes: whoever could before, and in a shared folder whom the umask lets."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

_PRIVATE = 0o600
_BY_UMASK = 0o666


def is_shared(folder: os.stat_result) -> bool:
    """Say whether another account has a part in a folder, such as a host that runs under its own.

    It owns the folder, or is in a group that may do more there than everybody; many accounts have a group to themselves.
    """
    group, others = folder.st_mode >> 3 & 7, folder.st_mode & 7
    if folder.st_uid != os.geteuid() or others & 2:
        return True
    if group <= others or folder.st_mode & stat.S_ISGID:
        return group > others
    is_own = folder.st_gid == folder.st_uid
    return not is_own and (folder.st_gid != os.getegid() or group & 2 > 0)


def replaced(folder: int, name: str) -> os.stat_result | None:
    """Return the file that is to be replaced in an open folder, None where there is none."""
    with suppress(FileNotFoundError):
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    return None


def mode_at_first(folder: int, before: os.stat_result | None) -> int:
    """Return the mode with which to open the new file, which the umask narrows."""
    return _BY_UMASK if before is None and is_shared(os.fstat(folder)) else _PRIVATE


def settle_mode(handle: int, before: os.stat_result | None, *, executable: bool) -> None:
    """Give a new file mode and group of the one ``before`` it, and its owner where that is allowed."""
    made = os.fstat(handle)
    mode = stat.S_IMODE((made if before is None else before).st_mode)
    if before is not None and (before.st_uid, before.st_gid) != (made.st_uid, made.st_gid):
        for owner in (before.st_uid, -1):
            with suppress(PermissionError):
                os.fchown(handle, owner, before.st_gid)
                break
    os.fchmod(handle, mode | 0o100 if executable else mode & ~0o111)
