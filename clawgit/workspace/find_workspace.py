"""Finds a workspace without heavy imports: hooks and triage start here."""

from __future__ import annotations

import contextlib
import os

OWN_FILES = ".clawgit-new-*"  # in git's own list of what it ignores, from `init` until `uninstall`
LOST = "was a workspace, and its .git/clawgit is gone, with messages, open questions and records."
TO_RESTORE = "`clawgit backup --restore FILE` brings them back from a backup"


def find_workspace(named: str) -> str:
    """Return the workspace's folder: as ``named``, or the nearest one upwards from here; empty if there is none."""
    return os.path.abspath(with_home(named)) if named else workspace_above(os.getcwd())


def with_home(path: str) -> str:
    """Return a path with `~` as the home folder; an unknown user's is unchanged."""
    return os.path.expanduser(path)


def workspace_above(folder: str) -> str:
    while not os.path.isfile(os.path.join(state_folder(folder), "format")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return ""
    return folder


def lost_workspace(folder: str) -> str:
    """Return the folder at or above this one that was a workspace until its state was deleted, empty if none was."""
    while True:
        git = os.path.dirname(state_folder(folder))
        with contextlib.suppress(OSError), open(os.path.join(git, "info", "exclude"), "rb") as file:
            if OWN_FILES.encode() in file.read().splitlines() and not os.path.isdir(f"{git}/clawgit"):
                return folder
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return ""


def state_folder(root: str) -> str:
    """Return clawgit's folder in the repository of ``root``, which may be a linked worktree."""
    git = os.path.join(root, ".git")
    if os.path.isfile(git):
        with open(git, encoding="utf-8", errors="replace") as file:
            place = file.read().removeprefix("gitdir:").strip()
        git = os.path.dirname(os.path.dirname(os.path.join(root, place)))
    return os.path.join(git, "clawgit")
