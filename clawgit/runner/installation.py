"""The files that let the machine start the service: a unit of systemd, an agent of launchd.

The last line of each has the hash of what is above it, so that a file that was edited since is left alone.
"""

from __future__ import annotations

import plistlib
import shlex
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

LABEL = "org.clawgit.service"
MINUTES = 5
_MARK = "Written by `clawgit runner install`: "


class TimerUnit(NamedTuple):
    """A file for systemd or launchd."""

    path: Path
    text: str


def service_unit(kind: str, command: Sequence[str], config: Path, home: Path) -> TimerUnit:
    """Return the file that runs ``command`` as long as the machine; ``kind`` is `systemd` or `launchd`, ``config`` is `~/.config`."""
    systemd, launchd = unit_paths(config, home)
    if kind == "launchd":
        about = {"Label": LABEL, "ProgramArguments": list(command), "RunAtLoad": True, "ThrottleInterval": 30}
        about |= {"KeepAlive": {"SuccessfulExit": False}, "ProcessType": "Background", "Umask": 0o077}
        return TimerUnit(launchd, _marked(plistlib.dumps(about).decode(), "<!-- {} -->\n"))
    words = []
    for word in command:
        escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
        words.append(f'"{escaped}"')
    return TimerUnit(systemd, _marked(_SERVICE.format(command=" ".join(words)), "# {}\n"))


def unit_paths(config: Path, home: Path) -> tuple[Path, Path]:
    return config / "systemd/user/clawgit.service", home / f"Library/LaunchAgents/{LABEL}.plist"


def install_unit(unit: TimerUnit) -> bool:
    """Write the file; say whether it is new or changed."""
    if _read(unit.path) == unit.text:
        return False
    refuse_foreign([unit.path])
    unit.path.parent.mkdir(parents=True, exist_ok=True)
    unit.path.write_text(unit.text, "utf-8")
    return True


def uninstall_units(paths: Iterable[Path]) -> None:
    """Remove the files and systemd's links to them."""
    for path in paths:
        link = path.parent / "default.target.wants" / path.name
        if link.is_symlink() and link.resolve() == path.resolve():
            link.unlink()
        path.unlink()


def crontab_line(command: Sequence[str]) -> str:
    command_line = shlex.join(command).replace("%", r"\%")
    return f"*/{MINUTES} * * * * {command_line} >/dev/null 2>&1"


def _marked(text: str, comment: str) -> str:
    return text + comment.format(_MARK + sha256(text.encode()).hexdigest())


def refuse_foreign(paths: Iterable[Path]) -> None:
    """Raise for a file that somebody else wrote or edited."""
    for path in paths:
        text = _read(path)
        if text is None:
            continue
        *lines, mark = text.splitlines(keepends=True) or [""]
        digest = sha256("".join(lines).encode()).hexdigest()
        if _MARK + digest not in mark:
            sentence = f"{path} was not written by clawgit, or edited since, so nothing was changed."
            raise ClawgitError(sentence, hint="Move it away, then try again.")


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ClawgitError(f"{path} cannot be read.") from error


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
