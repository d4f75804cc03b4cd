"""The service's sockets: how one is bound in a folder of the account's own, and who is at its other end."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from clawgit.history.authorship.host_signs import host_sign
from clawgit.recall.vectors.owner_protocol import address_of

if TYPE_CHECKING:
    from collections.abc import Iterator

BACKLOG = 512
_MOST_ANCESTORS = 64
_LOCAL_PEERPID = 2  # macOS: <sys/un.h>
_PS_SECONDS = 5
_HAS_CREDENTIALS = hasattr(socket, "SO_PEERCRED")  # Linux, which has /proc as well


def private_folder(folder: Path) -> None:
    """Make the folder, or close it to everybody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)


def bound(path: Path) -> socket.socket:
    """Return a socket that listens at ``path``, in the place of one that a dead process left there."""
    private_folder(path.parent)
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    umask = os.umask(0o177)
    try:
        with address_of(path) as address:
            listener.bind(address)
    except BaseException:
        listener.close()
        raise
    finally:
        os.umask(umask)
    listener.listen(BACKLOG)
    return listener


def place_of(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at ``path`` from any other that is there later; None if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def is_there(path: Path, mine: tuple[int, int] | None) -> bool:
    """Say whether the file at ``path`` is still ours; one that was gone before it was looked at is not."""
    return mine is not None and place_of(path) == mine


def peer_of(connection: socket.socket) -> int | None:
    """Return the id of the process at the other end, None where that is another account or not told."""
    with suppress(OSError, struct.error):
        if _HAS_CREDENTIALS:
            told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            process, user, _ = struct.unpack("3i", told)
            return process if user == os.geteuid() and process > 0 else None
        (process,) = struct.unpack("i", connection.getsockopt(0, _LOCAL_PEERPID, 4))
        return int(process)
    return None


def host_sign_of(process: int) -> str | None:
    """Return the sign of a host in a process's environment or in that of one it descends from, empty without.

    None where the process itself cannot be looked at: then nothing is known, and nothing may be granted.
    """
    is_first = True
    for environment in _environments(process):
        if environment is None:
            return None if is_first else ""  # another account's process is above: no host of this one
        sign = host_sign(environment)
        if sign:
            return sign
        is_first = False
    return None if is_first else ""


def _environments(process: int) -> Iterator[dict[str, str] | None]:
    """Yield the environments of a process and of all above it, up to the first that cannot be read."""
    for _ in range(_MOST_ANCESTORS):
        if process <= 1:
            return
        if _HAS_CREDENTIALS:
            environment, above = _linux_process(process)
        else:
            environment, above = _told_by_ps(process)
        yield environment
        if environment is None:
            return
        process = above


def _linux_process(process: int) -> tuple[dict[str, str] | None, int]:
    folder = Path("/proc") / str(process)
    try:
        environment = (folder / "environ").read_bytes()
        status = (folder / "stat").read_text("utf-8", "replace")
    except OSError:
        return None, 0
    pairs = (each.partition("=") for each in os.fsdecode(environment).split("\0"))
    above = status.rpartition(")")[2].split()[1]  # the name of the program may hold spaces
    return {name: value for name, _, value in pairs}, int(above)


def _told_by_ps(process: int) -> tuple[dict[str, str] | None, int]:
    """Return the same where there is no /proc: `ps` prints the environment behind the command."""
    command = ["ps", "-E", "-ww", "-o", "ppid=,command=", "-p", str(process)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=_PS_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return None, 0
    above, _, said = done.stdout.strip().partition(" ")
    pairs = (each.partition("=") for each in said.split() if "=" in each)
    return {name: value for name, _, value in pairs}, int(above) if above.isdecimal() else 0


def own_streams() -> tuple[TextIO, TextIO, TextIO]:
    """Return input, output and errors as Python makes them when it starts."""
    return (
        os.fdopen(0, closefd=False),
        os.fdopen(1, "w", errors="backslashreplace", closefd=False),
        os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False),
    )
