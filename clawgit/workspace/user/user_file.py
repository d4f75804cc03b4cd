"""A JSON file among the user's settings: only the user can write it, one process at a time, and it is replaced whole."""

from __future__ import annotations

import fcntl
import json
import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MAX_BYTES = 4 * 1024 * 1024


def cache_folder() -> Path:
    """Return clawgit's folder in the user's cache; a relative ``XDG_CACHE_HOME`` is ignored."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "clawgit"


class UserFileError(Exception):
    """The file is not trustworthy; the message gives the reason, to follow the file's name."""


def user_config_dir(env: Mapping[str, str], home: Path) -> Path:
    """Return clawgit's folder among the user's settings; a relative ``XDG_CONFIG_HOME`` is ignored."""
    named = Path(env.get("XDG_CONFIG_HOME", ""))
    return (named if named.is_absolute() else home / ".config") / "clawgit"


def read_user_file(path: Path) -> dict[str, Any] | None:
    """Return the file's content, None if there is none; a UserFileError if it is not trustworthy."""
    try:
        with path.open("rb") as file:
            writable = os.fstat(file.fileno()).st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            owner = os.fstat(file.fileno()).st_uid
            data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserFileError(f"cannot be read ({error.strerror})") from error
    if writable or owner not in (os.geteuid(), 0):
        raise UserFileError("can be written by others")
    with suppress(ValueError, RecursionError):
        fields = json.loads(data)
        if isinstance(fields, dict):
            return fields
    raise UserFileError("is damaged")


@contextmanager
def changing_user_file(path: Path) -> Iterator[None]:
    """Lock the file for changes; writers wait for each other."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    lock = os.open(path.with_suffix(".lock"), flags, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def write_user_file(path: Path, data: Any) -> None:
    """Replace the file, synced; call it within `changing_user_file`."""
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    write_file(path.parent, path.name, FileContent(text.encode()))
