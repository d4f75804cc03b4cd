"""Whether a host runs this process, by its environment and those of its ancestors, and who the actor is then."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping
    from pathlib import Path

ACTOR_VARIABLE = "CLAWGIT_ACTOR"
BEGUN_BY_HOST = "CLAWGIT_BEGUN_BY_HOST"  # set for a job, which starts without a sign in its environment
HOST_SIGNS = {  # variables in a host's shell → host
    "OPENCLAW_SHELL": "OpenClaw",
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE_SESSION_ID": "Claude Code",
    "CODEX_THREAD_ID": "Codex",
}
_OPERATOR, _HOST, _UNKNOWN = "operator", "host", "unknown"
_SEEN = "host-seen"
_LEFT_BEHIND = {".openclaw": "OpenClaw", "openclaw-workspace-state.json": "OpenClaw"}
_MOST_ANCESTORS = 64
_PS_SECONDS = 5
_HAS_PROC = os.path.exists("/proc/self/environ")  # without pathlib: git calls the hooks at every commit


def host_sign(environment: Mapping[str, str]) -> str:
    """Return the name of a host's variable, empty if there is none."""
    return next(filter(environment.get, HOST_SIGNS), "")


def acting(environment: Mapping[str, str], has_older_terminal: Callable[[], bool]) -> str:
    """Return the actor that the environment names; the name is not checked.

    A host's process is the operator's only if CLAWGIT_ACTOR says so and its terminal is older than the host's sign.
    It is never one of clawgit's agents: their jobs start without a sign.
    """
    named = environment.get(ACTOR_VARIABLE, _OPERATOR)
    if named in ("", _UNKNOWN) or not host_sign(environment):
        return named
    says_so = named == _OPERATOR and ACTOR_VARIABLE in environment
    if says_so and has_older_terminal():
        return _OPERATOR
    return _HOST


def without_signs(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name not in HOST_SIGNS}


def unattended(environment: Mapping[str, str], actor: str) -> str:
    """Return the sign of the host in whose process the operator acts, empty if there is none."""
    if actor == _OPERATOR:
        return host_sign(environment)
    return ""


def note_host(state: Path, environment: Mapping[str, str]) -> None:
    """Note in clawgit's own folder that a host's process was here, for `status`, unless the disk is full."""
    sign = host_sign(environment)
    if sign and not (state / _SEEN).exists():
        from clawgit.workspace.safe_files import write_private

        with suppress(OSError):
            write_private(state / _SEEN, f"{HOST_SIGNS[sign]}\n")


def host_seen(root: Path, state: Path) -> str:
    """Return the host that was at ``root`` before, by a note or by its files; empty if none."""
    with suppress(OSError):
        return (state / _SEEN).read_text().strip()
    return next((host for name, host in _LEFT_BEHIND.items() if (root / name).exists()), "")


class _Process(NamedTuple):
    """A process: its environment (None if unreadable), its parent, and its terminal (empty for none)."""

    environment: dict[str, str] | None
    above: int
    terminal: str


def bear_sign_from_above(environment: MutableMapping[str, str]) -> None:
    """Take over the sign of a host from an ancestor, if there is /proc."""
    if not _HAS_PROC or environment.get(ACTOR_VARIABLE) in (_HOST, _UNKNOWN) or host_sign(environment):
        return
    for process in _upwards(os.getppid()):
        above = process.environment or {}
        sign = host_sign(above)
        if sign:
            environment[sign] = above[sign]
            return


def has_older_terminal() -> bool:
    """Say whether this process has a terminal older than the host's sign: one of an ancestor above all that bear it.

    A terminal that a host's process made (`script`, `tmux`) does not count.
    """
    here, *above = _upwards(os.getpid()) or [_NOBODY]
    if not here.terminal or here.terminal not in _open_terminals():
        return False
    bearing = [at for at, each in enumerate(above, 1) if each.environment and host_sign(each.environment)]
    outside = above[max(bearing, default=0) :]
    return any(each.environment is not None and each.terminal == here.terminal for each in outside)


def host_sign_of(process: int) -> str | None:
    """Return the sign of a host in a process's environment or an ancestor's, empty without; None if it is unreadable."""
    above = _upwards(process)
    if not above or above[0].environment is None:
        return None
    # an ancestor may be another account's: not a host of this account
    signs = (host_sign(each.environment) for each in above if each.environment is not None)
    return next(filter(None, signs), "")


def _upwards(process: int) -> list[_Process]:
    processes: list[_Process] = []
    while process > 1 and len(processes) < _MOST_ANCESTORS:
        each = _linux_process(process) if _HAS_PROC else _told_by_ps(process)
        processes.append(each)
        if each.environment is None:
            break
        process = each.above
    return processes


def _linux_process(process: int) -> _Process:
    try:
        with open(f"/proc/{process}/environ", "rb") as environ, open(f"/proc/{process}/stat", "rb") as stat:
            environment = environ.read()
            status = stat.read()
    except OSError:
        return _NOBODY
    pairs = (each.partition("=") for each in os.fsdecode(environment).split("\0"))
    fields = status.rpartition(b")")[2].split()  # the program's name may hold spaces
    terminal = "" if fields[4] == b"0" else fields[4].decode()
    return _Process({name: value for name, _, value in pairs}, int(fields[1]), terminal)


def _told_by_ps(process: int) -> _Process:
    """Return the same without /proc: `ps` prints the environment behind the command."""
    import subprocess

    command = ["ps", "-E", "-ww", "-o", "ppid=,tty=,command=", "-p", str(process)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=_PS_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return _NOBODY
    above, terminal, *words = [*done.stdout.split(), "", ""]
    pairs = (each.partition("=") for each in words if "=" in each)
    number = int(above) if above.isdecimal() else 0
    return _Process({name: value for name, _, value in pairs}, number, terminal.strip("?-"))


def _open_terminals() -> list[str]:
    """Return the terminals at this process's input and errors, named as in `_Process`; git gives its hooks no input."""
    terminals = []
    for number in (0, 2):
        with suppress(OSError):
            if not os.isatty(number):
                continue
            device = os.fstat(number).st_rdev
            major = os.major(device)
            minor = os.minor(device)
            on_linux = str(minor & 0xFF | major << 8 | (minor & ~0xFF) << 12)  # as in /proc/PID/stat
            terminals.append(on_linux if _HAS_PROC else os.ttyname(number).rpartition("/")[2])
    return terminals


_NOBODY = _Process(None, 0, "")
