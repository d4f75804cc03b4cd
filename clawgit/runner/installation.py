"""The files that let the machine start the service: a unit of systemd, an agent of launchd.

Each file's hash is noted, so that exactly this file is removed again, and none that was edited since.
"""

from __future__ import annotations

import plistlib
import shlex
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.workspace.user import user_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LABEL = "org.clawgit.service"
MINUTES = 5
NOTE = "runner-installed.json"


class TimerUnit(NamedTuple):
    """A file for systemd or launchd."""

    path: Path
    text: str


def service_unit(kind: str, command: Sequence[str], config: Path, home: Path) -> TimerUnit:
    """Return the file that runs ``command`` as long as the machine; ``kind`` is `systemd` or `launchd`, ``config`` is `~/.config`."""
    if kind == "launchd":
        about = {"Label": LABEL, "ProgramArguments": list(command), "RunAtLoad": True, "ThrottleInterval": 30}
        about |= {"KeepAlive": {"SuccessfulExit": False}, "ProcessType": "Background", "Umask": 0o077}
        return TimerUnit(home / f"Library/LaunchAgents/{LABEL}.plist", plistlib.dumps(about).decode())
    words = []
    for word in command:
        escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
        words.append(f'"{escaped}"')
    return TimerUnit(config / "systemd/user/clawgit.service", _SERVICE.format(command=" ".join(words)))


def install_unit(unit: TimerUnit, note: Path) -> bool:
    """Write the file and note its hash; say whether it is new or changed."""
    with user_file.changing_user_file(note):
        noted = _noted(note)
        _refuse_foreign(unit.path, noted)
        is_new = _read(unit.path) != unit.text
        user_file.write_user_file(note, {**noted, str(unit.path): _hash(unit.text)})
        if is_new:
            unit.path.parent.mkdir(parents=True, exist_ok=True)
            unit.path.write_text(unit.text, "utf-8")
    return is_new


def installed_units(note: Path) -> list[Path]:
    return [path for path in map(Path, _noted(note)) if path.exists()]


def uninstall_units(note: Path) -> list[Path]:
    """Remove all noted files and systemd's links, or none if one was edited; return the files."""
    with user_file.changing_user_file(note):
        noted = _noted(note)
        there = [path for path in map(Path, noted) if path.exists()]
        for path in there:
            _refuse_foreign(path, noted)
        for path in there:
            link = path.parent / "default.target.wants" / path.name
            if link.is_symlink() and link.resolve() == path.resolve():
                link.unlink()
            path.unlink()
        user_file.write_user_file(note, {})
    return there


def crontab_line(command: Sequence[str]) -> str:
    command_line = shlex.join(command).replace("%", r"\%")
    return f"*/{MINUTES} * * * * {command_line} >/dev/null 2>&1"


def _noted(note: Path) -> dict[str, str]:
    try:
        digests: Mapping[str, object] = user_file.read_user_file(note) or {}
    except user_file.UserFileError as error:
        raise ClawgitError(f"{note} {error}.", hint=f"Remove {note} and the units yourself.") from error
    return {str(path): str(digest) for path, digest in digests.items()}


def _refuse_foreign(path: Path, noted: Mapping[str, str]) -> None:
    there = _read(path)
    if there is not None and noted.get(str(path)) != _hash(there):
        text = f"{path} was not written by clawgit, or edited since, so nothing was changed."
        hint = "Move it away, then try again."
        raise ClawgitError(text, hint=hint)


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ClawgitError(f"{path} cannot be read.") from error


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# It closes no folder, since workspaces may be anywhere.
_SERVICE = """\
[Unit]
Description=clawgit: look after the memory of your agents

[Service]
Type=notify
ExecStart={command}
WatchdogSec=120
Restart=on-failure
RestartSec=30
KillMode=mixed
TimeoutStartSec=120
TimeoutStopSec=180
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
UMask=0077

[Install]
WantedBy=default.target
"""
