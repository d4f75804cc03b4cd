"""Whether a host is among the processes that a process descends from: a sign that was taken out of an environment is still above it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, host_sign

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

_MOST_ANCESTORS = 64
_PS_SECONDS = 5
_HAS_PROC = os.path.exists("/proc/self/environ")  # without pathlib: git calls the hooks at every commit


def bear_sign_from_above(environment: MutableMapping[str, str]) -> None:
    """Set the sign of a host that only a process above this one has, unless it is said that neither it nor the operator acts.

    Only where there is /proc: elsewhere looking takes as long as the command.
    """
    if not _HAS_PROC or environment.get(ACTOR_VARIABLE) not in (None, "operator") or host_sign(environment):
        return
    for above in _environments(os.getppid()):
        sign = "" if above is None else host_sign(above)
        if above is not None and sign:
            environment[sign] = above[sign]
            return


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
        if _HAS_PROC:
            environment, above = _linux_process(process)
        else:
            environment, above = _told_by_ps(process)
        yield environment
        if environment is None:
            return
        process = above


def _linux_process(process: int) -> tuple[dict[str, str] | None, int]:
    try:
        with open(f"/proc/{process}/environ", "rb") as environ, open(f"/proc/{process}/stat", "rb") as stat:
            environment, status = environ.read(), stat.read()
    except OSError:
        return None, 0
    pairs = (each.partition("=") for each in os.fsdecode(environment).split("\0"))
    above = status.rpartition(b")")[2].split()[1]  # the name of the program may hold spaces
    return {name: value for name, _, value in pairs}, int(above)


def _told_by_ps(process: int) -> tuple[dict[str, str] | None, int]:
    """Return the same where there is no /proc: `ps` prints the environment behind the command."""
    import subprocess

    command = ["ps", "-E", "-ww", "-o", "ppid=,command=", "-p", str(process)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=_PS_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return None, 0
    above, _, said = done.stdout.strip().partition(" ")
    pairs = (each.partition("=") for each in said.split() if "=" in each)
    return {name: value for name, _, value in pairs}, int(above) if above.isdecimal() else 0
