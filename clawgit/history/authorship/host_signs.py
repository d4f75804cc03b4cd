"""What in the environment says that a host runs this process, and who acts then."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

ACTOR_VARIABLE = "CLAWGIT_ACTOR"
HOST_SIGNS = {  # what a host's shell has in its environment, and whose that is
    "OPENCLAW_SHELL": "OpenClaw",
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE_SESSION_ID": "Claude Code",
    "CODEX_THREAD_ID": "Codex",
}
_OPERATOR, _HOST, _UNKNOWN = "operator", "host", "unknown"
_SEEN = "host-seen"
_LEFT_BEHIND = {".openclaw": "OpenClaw", "openclaw-workspace-state.json": "OpenClaw"}


def host_sign(environment: Mapping[str, str]) -> str:
    """Return the variable that shows a host, empty where there is none."""
    return next((name for name in HOST_SIGNS if environment.get(name)), "")


def acting(environment: Mapping[str, str], has_older_terminal: Callable[[], bool]) -> str:
    """Return whom the environment names as the actor; the name is not checked.

    A host's process is the operator's only where CLAWGIT_ACTOR says so and its terminal is older than the host's sign.
    It is never one of clawgit's agents: their jobs begin without a sign.
    """
    named = environment.get(ACTOR_VARIABLE, _OPERATOR)
    if named in ("", _UNKNOWN) or not host_sign(environment):
        return named
    return (
        _OPERATOR if named == _OPERATOR and ACTOR_VARIABLE in environment and has_older_terminal() else _HOST
    )


def without_signs(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which nothing says that a host runs the process."""
    return {name: value for name, value in environment.items() if name not in HOST_SIGNS}


def unattended(environment: Mapping[str, str], actor: str) -> str:
    """Return the sign of a host in whose process the operator acts, empty where nothing speaks against him."""
    return host_sign(environment) if actor == _OPERATOR else ""


def note_host(state: Path, environment: Mapping[str, str]) -> None:
    """Note in clawgit's own folder that a host's process was here, for `status`; without room nothing is noted."""
    sign = host_sign(environment)
    if sign and not (state / _SEEN).exists():
        from clawgit.workspace.rewritten_record import write_private  # noqa: PLC0415 - seldom: each command starts so

        with suppress(OSError):
            write_private(state / _SEEN, f"{HOST_SIGNS[sign]}\n")


def host_seen(root: Path, state: Path) -> str:
    """Return the host that was at ``root`` at least once, by what was noted or by what it left; empty if none."""
    with suppress(OSError):
        return (state / _SEEN).read_text().strip()
    return next((host for name, host in _LEFT_BEHIND.items() if (root / name).exists()), "")
