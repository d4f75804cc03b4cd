"""What the branch reaches, and what only pinned earlier tips (`refs/clawgit/past/`) still do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.refs import PAST
from clawgit.history.reading.git_log import WITH_FILES, LoggedChange, read_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.repository import History

# What makes a commit one for the views although it touches no file of the soul; a superset, found on any line.
MARKED = "clawgit-(loss|snapshot)|memory-compactor"
OLDEST_FIRST = ("--topo-order", "--reverse")


class Reached(NamedTuple):
    """Changes that the branch reaches, and those that only pinned earlier tips do; each oldest first."""

    branch: tuple[LoggedChange, ...]
    past: tuple[LoggedChange, ...]


def read_reached(history: History, *options: str, paths: Sequence[str] = ()) -> Reached:
    """Return the commits that `git log` lists with ``options``; with ``paths``, those that changed them.

    Raises:
        ClawgitError: git could not read the history.
    """
    branch, past = tips(history)
    asked = (*OLDEST_FIRST, *options, *((*WITH_FILES, "--full-history") if paths else ()))
    only_past = (*past, *(f"^{name}" for name in branch)) if past else ()
    return Reached(
        tuple(read_changes(history, *asked, *branch, paths=paths)),
        tuple(read_changes(history, *asked, *only_past, paths=paths)),
    )


def read_first_parents(history: History, path: str) -> tuple[LoggedChange, ...]:
    """Return the commits that changed ``path`` along the branch's first parents, oldest first."""
    options = (*OLDEST_FIRST, *WITH_FILES, "--first-parent", "--diff-merges=first-parent")
    return tuple(read_changes(history, *options, *tips(history)[0], paths=(path,)))


def tips(history: History) -> tuple[list[str], list[str]]:
    """Return the branch's tip (none before its first commit), and the pinned earlier ones in their order."""
    tip = history.tip().commit_id
    return [] if tip is None else [tip], sorted(history.refs(PAST).values())
