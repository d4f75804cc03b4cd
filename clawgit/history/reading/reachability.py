"""What the branch reaches, and what only pinned earlier tips (`refs/clawgit/past/`) still do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.refs import PAST
from clawgit.history.reading.git_log import WITH_FILES, LoggedChange, git_output, read_changes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from clawgit.history.git.repository import History

# What makes a commit one for the views although it touches no file of the soul; a superset, found on any line.
MARKED = "clawgit-(loss|snapshot)|memory-compactor"
OLDEST_FIRST = ("--topo-order", "--reverse")


class Reached(NamedTuple):
    """Changes that the branch reaches, and those that only pinned earlier tips do; each oldest first."""

    branch: tuple[LoggedChange, ...]
    past: tuple[LoggedChange, ...]


def read_reached(history: History, *options: str, paths: Sequence[str] = ()) -> Reached:
    """Return the commits that `git log` lists with ``options``; with ``paths``, those that changed them."""
    branch, past = tips(history)
    asked = (*OLDEST_FIRST, *options, *((*WITH_FILES, "--full-history") if paths else ()))
    only_past = (*past, *(f"^{name}" for name in branch)) if past else ()
    return Reached(
        tuple(read_changes(history, *asked, *branch, paths=paths)),
        tuple(read_changes(history, *asked, *only_past, paths=paths)),
    )


def read_first_parents(history: History, *paths: str, since: str | None = None) -> tuple[LoggedChange, ...]:
    """Return the commits that changed ``paths`` along the branch's first parents, oldest first, after ``since``."""
    options = (*OLDEST_FIRST, *WITH_FILES, "--first-parent", "--diff-merges=first-parent")
    after = () if since is None else (f"^{since}",)
    return tuple(read_changes(history, *options, *tips(history)[0], *after, paths=paths))


def tips(history: History) -> tuple[list[str], list[str]]:
    """Return the branch's tip (none before its first commit), and the pinned earlier ones in their order."""
    tip = history.tip().commit_id
    return [] if tip is None else [tip], sorted(history.refs(PAST).values())


class Step(NamedTuple):
    """One commit as a way from its first parent's state to its own."""

    commit_id: str
    before: Hashable
    after: Hashable


def absorbed(branch: Iterable[Step], past: Sequence[Step]) -> dict[str, tuple[str, ...]]:
    """Return commit of the branch → the left-out commits (oldest first) whose way it goes in one step."""
    ending: dict[Hashable, list[int]] = {}
    for at, step in enumerate(past):
        ending.setdefault(step.after, []).append(at)
    ways = {step.commit_id: _way(step, past, ending) for step in branch if step.after in ending}
    return {commit_id: way for commit_id, way in ways.items() if way}


def _way(step: Step, past: Sequence[Step], ending: dict[Hashable, list[int]]) -> tuple[str, ...]:
    """Walk back from where ``step`` ends to where it begins, each time by the latest step before."""
    if step.before == step.after:
        return ()
    for last in reversed(ending[step.after]):
        way: list[int] = []
        at: int | None = last
        while at is not None:
            way.append(at)
            if past[at].before == step.before:
                return tuple(past[one].commit_id for one in reversed(way))
            at = max((one for one in ending.get(past[at].before, []) if one < at), default=None)
    return ()


def soul_steps(history: History, changes: Iterable[LoggedChange], paths: Sequence[str]) -> list[Step]:
    """Return the commits as steps between the states of ``paths``."""

    def state(commit_id: str | None) -> Hashable:
        tree = history.tree_of(commit_id)
        return tuple(tree.entry(path) for path in paths)

    def before(commit_id: str) -> Hashable:
        parents = history.objects.commit(commit_id).parent_ids
        return state(parents[0] if parents else None)

    return [Step(name, before(name), state(name)) for name in (change.commit_id for change in changes)]


def tree_steps(history: History) -> tuple[list[Step], list[Step]]:
    """Return all commits of the branch, and all left-out ones, as steps between whole trees."""
    branch, past = tips(history)
    asked = ("log", *OLDEST_FIRST, "--format=%H %T %P")
    lines = git_output(history, *asked, *branch) if branch else b""
    left = git_output(history, *asked, *past, *(f"^{name}" for name in branch)) if past else b""
    trees = {words[0]: words[1] for words in _words(lines + left)}
    ours, theirs = (
        [
            Step(name, trees.get(parents[0]) if parents else None, tree)
            for name, tree, *parents in _words(part)
        ]
        for part in (lines, left)
    )
    return ours, theirs


def _words(lines: bytes) -> Iterator[list[str]]:
    return (line.decode().split() for line in lines.split(b"\n") if line)
