"""Unix sockets: binding one in a private folder, and the process at the other end."""

from __future__ import annotations

import os
import socket
import struct
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from clawgit.client import LONGEST_ADDRESS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BACKLOG = 512
_LOCAL_PEERPID = 2  # macOS: <sys/un.h>
_HAS_CREDENTIALS = hasattr(socket, "SO_PEERCRED")  # Linux


def private_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)


def bound(path: Path) -> socket.socket:
    """Return a socket that listens at ``path``, in place of a dead process's; once it is visible, it accepts."""
    private_folder(path.parent)
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    umask = os.umask(0o177)
    try:
        with address_of(beside) as address:
            listener.bind(address)
        listener.listen(BACKLOG)
        beside.replace(path)
    except BaseException:
        listener.close()
        raise
    finally:
        os.umask(umask)
    return listener


@contextmanager
def address_of(path: Path) -> Iterator[str]:
    """Yield an address for the socket at ``path``, which may be longer than the system takes."""
    if len(os.fsencode(path)) <= LONGEST_ADDRESS:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def place_of(path: Path) -> tuple[int, int] | None:
    """Return the identity of the file at ``path``; None if there is none."""
    with suppress(OSError):
        state = path.stat()
        return state.st_dev, state.st_ino
    return None


def is_there(path: Path, mine: tuple[int, int] | None) -> bool:
    """Say whether the file at ``path`` is still ours; None for ``mine`` is not."""
    return mine is not None and place_of(path) == mine


def peer_of(connection: socket.socket) -> int | None:
    """Return the process id at the other end; None if it is another account's or unknown."""
    with suppress(OSError, struct.error):
        if _HAS_CREDENTIALS:
            credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            process, user, _ = struct.unpack("3i", credentials)
            return process if user == os.geteuid() and process > 0 else None
        (process,) = struct.unpack("i", connection.getsockopt(0, _LOCAL_PEERPID, 4))
        return int(process)
    return None
