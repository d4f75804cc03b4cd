"""Where git looks for a repository's hooks, and whether other repositories look there too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

HOOKS_PATH = "core.hooksPath"
HOOK_NAMES = (
    "pre-commit",
    "pre-merge-commit",
    "commit-msg",
    "post-commit",
    "post-merge",
    "post-checkout",
    "post-rewrite",
    "pre-push",
)


class HooksPathError(ClawgitError):
    """git looks for hooks where none can be put, or where they would run in other repositories too."""


class HooksPlace(NamedTuple):
    """The folder, what `core.hooksPath` says, and whether it lies in the working tree or outside of the repository."""

    folder: Path
    configured: str = ""
    in_files: bool = False
    is_shared: bool = False


def hooks_place(history: History) -> HooksPlace:
    """Return where git looks for the hooks of this working tree.

    Raises:
        HooksPathError: `core.hooksPath` names no folder that could hold hooks.
    """
    own = history.folder / "hooks"
    configured = history.setting(HOOKS_PATH)
    if configured is None:
        return HooksPlace(own)
    if not configured or configured.startswith("%"):
        raise HooksPathError(
            f"core.hooksPath is {configured!r}, where no hooks can be put.",
            hint="`git config --unset core.hooksPath`, or name a folder.",
        )
    folder = Path(os.path.normpath(history.root / Path(configured).expanduser()))
    if folder.exists() and not folder.is_dir():
        raise HooksPathError(
            f"core.hooksPath is {configured}, which is no folder, so git runs no hooks here.",
            hint=f"`git config core.hooksPath {own}` switches them on for this repository.",
        )
    in_files = _is_below(folder, history.root) and not _is_below(folder, history.folder)
    return HooksPlace(folder, configured, in_files, is_shared(history, folder))


def is_shared(history: History, folder: Path) -> bool:
    """Say whether ``folder`` lies outside of the repository and of this working tree: others may use it."""
    return not _is_below(folder, history.root) and not _is_below(folder, history.folder)


def _is_below(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())
