"""Keeping the repository small: loose objects and small packs are packed together, nothing is ever pruned."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, run_git
from clawgit.history.git.leftovers import JOINED
from clawgit.history.git.refs import BRANCHES

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History

# As git estimates, but from four of the 256 folders: of one alone, 4,000 objects in all go unseen once in forty times.
SAMPLE = ("17", "5b", "a3", "e9")
LOOSE_IN_SAMPLE = 32
MOST_PACKS = 16  # of 25 changes each, whose objects are whole ones
TASKS = ("--task=loose-objects", "--task=incremental-repack")


def needs_maintenance(history: History) -> bool:
    """Say whether about 2,000 loose objects have gathered, or the packs of 400 changes."""
    objects = history.folder / "objects"
    packs = sum(1 for _ in (objects / "pack").glob(f"{JOINED}*.pack"))
    return packs > MOST_PACKS or sum(_count(objects / name) for name in SAMPLE) > LOOSE_IN_SAMPLE


def _count(folder: Path) -> int:
    with suppress(FileNotFoundError):
        return sum(1 for _ in folder.iterdir())
    return 0


def maintain(history: History) -> None:
    """Pack what has gathered, if it is time; a change is never refused because this failed."""
    with suppress(GitProgramError, OSError, pygit2.GitError):
        if needs_maintenance(history):
            pack(history)


def pack(history: History) -> None:
    """Pack loose objects, join small packs, and write the commit-graph."""
    run_git(history, "maintenance", "run", "--quiet", *TASKS, seconds=600)
    tips = "\n".join(history.refs(BRANCHES).values()).encode()
    run_git(
        history,
        "commit-graph",
        "write",
        "--stdin-commits",
        "--split",
        "--changed-paths",
        stdin=tips,
        seconds=600,
    )
