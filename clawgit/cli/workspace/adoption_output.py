"""What `init` says about whose the adopted files count as, and how to change that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.history.adopt import Adopted

NAMED = 5


def unknown_commits(done: Adopted) -> tuple[str, ...]:
    """Return the commits of `init` that the operator can still claim."""
    own = () if done.trust == "operator" else done.found.own.commits
    return (*own, *done.found.notes.commits, *done.found.aside.commits)


def whose_lines(done: Adopted) -> list[str]:
    """Say whose the files that were there count as; nothing where there were none."""
    found = done.found
    lines = []
    if found.own.commits and done.trust == "operator":
        lines.append(f"{names_of(found.own.paths)} {_count(found.own.paths)} as your words, as you said.")
    elif found.own.commits:
        lines += [
            f"{names_of(found.own.paths)} {_count(found.own.paths)} as of unknown origin, not as your words.",
            _claim("If you wrote or read them", found.own.commits),
        ]
    if found.notes.commits:
        lines += [
            f"{names_of(found.notes.paths)} {_count(found.notes.paths)} as of unknown origin: nothing in notes is taken"
            " for your words.",
            _claim("If you wrote or read all of them", found.notes.commits),
        ]
    if found.had_commits:
        lines.append(
            "Commits that were there before count as yours, unless they name another actor: `git log` shows them."
        )
    return lines


def _claim(condition: str, commits: tuple[str, ...]) -> str:
    return f"  {condition}: clawgit keep --as operator {' '.join(commit[:12] for commit in commits)}"


def _count(paths: tuple[str, ...]) -> str:
    return "counts" if len(paths) == 1 else "count"


def names_of(paths: tuple[str, ...]) -> str:
    """Name a few of the files, those in the folder itself first, and count the others."""
    named = sorted(paths, key=lambda path: (path.count("/"), path))[:NAMED]
    if len(paths) > NAMED:
        return f"{', '.join(named)} and {len(paths) - NAMED} more"
    return " and ".join((", ".join(named[:-1]), named[-1])) if len(named) > 1 else named[0]
