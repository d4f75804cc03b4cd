"""What the account's service says of itself, for whoever asks without talking to it: `status`, a second start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.client import LOCK, service_folder
from clawgit.errors import ConfigurationError
from clawgit.history.git.lock import is_locked

if TYPE_CHECKING:
    from collections.abc import Mapping


class Standing(NamedTuple):
    """What a service says of itself: its process, since when it runs, its version, what is wrong with workspaces."""

    process: int
    since: str
    version: str
    is_stale: bool = False  # its code is older than what is installed
    aside: Mapping[str, str] = {}  # workspace: why it is left alone for now
    workspaces: int = 0
    http: str = ""  # where it answers over HTTP, too
    problem: str = ""  # with the list of workspaces
    worker: str = ""  # what is wrong with the process that makes commands quick


def folder_of(environment: Mapping[str, str]) -> Path:
    folder = service_folder(environment)
    if not folder:
        raise ConfigurationError("HOME is not set, so the service has no folder.", hint="Set HOME.")
    return Path(folder)


def read_standing(folder: Path) -> Standing | None:
    """Return what the service that runs says of itself; None if none does."""
    path = folder / LOCK
    if not is_locked(path):
        return None
    try:
        said = json.loads(path.read_bytes())
        return Standing(**{name: said[name] for name in Standing._fields if name in said})
    except (OSError, ValueError, TypeError):
        return Standing(0, "a moment ago", "unknown")  # it is just about to say so
