"""Where clawgit keeps what can be made again, for all workspaces of one user."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return clawgit's folder in the user's cache; a relative ``XDG_CACHE_HOME`` is ignored."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "clawgit"
