"""What has the machine start the service (a unit of systemd, an agent of launchd).

What was written is noted with its hash, so that exactly that is removed again, and nothing that somebody edited since.
"""

from __future__ import annotations

import plistlib
import shlex
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.workspace.user import user_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LABEL = "org.clawgit.service"
MINUTES = 5
NOTE = "runner-installed.json"


def service_unit(kind: str, command: Sequence[str], config: Path, home: Path) -> tuple[Path, str]:
    """Return the file that has ``command`` run as long as the machine does, and its text; ``config`` is `~/.config`, for systemd."""
    if kind == "launchd":
        about = {"Label": LABEL, "ProgramArguments": list(command), "RunAtLoad": True, "ThrottleInterval": 30}
        about |= {"KeepAlive": {"SuccessfulExit": False}, "ProcessType": "Background", "Umask": 0o077}
        return home / f"Library/LaunchAgents/{LABEL}.plist", plistlib.dumps(about).decode()
    return config / "systemd/user/clawgit.service", _service(command)


def install_unit(path: Path, text: str, note: Path) -> bool:
    """Write the file and note what was written; say whether it is new or changed."""
    with user_file.changing_user_file(note):
        noted = _noted(note)
        _refuse_foreign(path, noted)
        is_new = _read(path) != text
        user_file.write_user_file(note, {**noted, str(path): _hash(text)})
        if is_new:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return is_new


def uninstall_units(note: Path, *, dry_run: bool) -> list[Path]:
    """Remove all files that were written, none where one was edited since, and systemd's links; return them."""
    if dry_run:
        return [path for path in map(Path, _noted(note)) if path.exists()]
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
    words = shlex.join(command).replace("%", r"\%")
    return f"*/{MINUTES} * * * * {words} >/dev/null 2>&1"


def _noted(note: Path) -> dict[str, str]:
    try:
        digests: Mapping[str, object] = user_file.read_user_file(note) or {}
    except user_file.UserFileError as error:
        raise ClawgitError(f"{note} {error}.", hint=f"Remove {note} and the units yourself.") from error
    return {str(path): str(digest) for path, digest in digests.items()}


def _refuse_foreign(path: Path, noted: Mapping[str, str]) -> None:
    there = _read(path)
    if there is not None and noted.get(str(path)) != _hash(there):
        why_not = f"{path} was not written by clawgit, or edited since, so nothing was changed."
        raise ClawgitError(why_not, hint="Move it away, then try again.")


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ClawgitError(f"{path} cannot be read.") from error


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _words(command: Sequence[str]) -> str:
    words = []
    for word in command:
        escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
        words.append(f'"{escaped}"')
    return " ".join(words)


def _service(command: Sequence[str]) -> str:
    """Return the unit of the service; workspaces may be anywhere, so no folder is closed to it."""
    return f"""\
[Unit]
Description=clawgit: look after the memory of your agents

[Service]
Type=notify
ExecStart={_words(command)}
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
