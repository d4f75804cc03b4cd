"""Finds a workspace without heavy imports: hooks and triage start here."""

from __future__ import annotations

import os


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


def state_folder(root: str) -> str:
    """Return clawgit's folder in the repository of ``root``, which may be a linked worktree."""
    git = os.path.join(root, ".git")
    if os.path.isfile(git):
        with open(git, encoding="utf-8", errors="replace") as file:
            place = file.read().removeprefix("gitdir:").strip()
        git = os.path.dirname(os.path.dirname(os.path.join(root, place)))
    return os.path.join(git, "clawgit")
