"""The texts that come with clawgit, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from clawgit.errors import ConfigurationError

_PACKAGE = Path(__file__).resolve().parents[1]


def data_folder(kind: Literal["templates", "hooks", "docs"]) -> Path:
    """Return the folder of the files that are not code; a wheel carries them inside the package."""
    for folder in (_PACKAGE / "_data" / kind, _PACKAGE.parent / kind):
        if folder.is_dir():
            return folder
    raise ConfigurationError(f"clawgit's own {kind} are missing.", hint="Install clawgit again.")


def read_template(name: str) -> bytes:
    """Return the template ``name``, such as ``agents/memory-miner/SOUL.md``, byte for byte."""
    path = data_folder("templates") / name
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"The template {name} is missing.", hint="Install clawgit again.") from error
