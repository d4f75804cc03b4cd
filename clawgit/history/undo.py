"""`undo`: what a word means (an entry, a commit, a run, a source), what rests on it, and taking it all back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from clawgit.errors import ClawgitError
from clawgit.history.entry_ids import entry_files
from clawgit.history.git_program import run_git
from clawgit.history.log import LOG_SECONDS, git_failed
from clawgit.history.revert import Taken, Taking, revert_changes, take_back
from clawgit.memory.marks import marks_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.commit import Recorded
    from clawgit.history.intent import Intent
    from clawgit.history.objects import Commit
    from clawgit.history.repository import History

RESTS_ON = "Clawgit-Derived-From"
SHORT = 7


class UndoError(ClawgitError):
    """There is nothing of that name to undo."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """What would be taken back, what of it only rests on the rest, and how the files would read then."""

    taking: Taking
    along: tuple[Commit, ...]
    taken: Taken
    name: str


def find_undoing(history: History, word: str = "", *, source: str = "") -> Undoing:
    """Return what `undo` would take back: an entry, a commit or a run, or all that came from a source.

    Raises:
        UndoError: Nothing is called so.
    """
    tree = history.tip().tree
    order = _in_order(history)
    entry_id = word.removeprefix("m:")
    if not source and any(entry_id in marks_in(tree.read(path) or b"") for path in entry_files(tree)):
        along = _resting_on(order, set(), {entry_id, f"m:{entry_id}"})
        return _undoing(history, Taking(along, entry_id), along, f"the entry m:{entry_id}")
    named = [commit for commit in order if (_is_from(commit, source) if source else _is_called(commit, word))]
    if not named and not source:
        meant = _meant(history, word)
        named = [commit for commit in order if commit.commit_id == meant]
    if not named:
        what = f"comes from {source}" if source else f"is called {word}"
        raise UndoError(
            f"Nothing on this branch {what}.", hint="`clawgit soul log` and `git log` list the changes."
        )
    chosen = {commit.commit_id for commit in named}
    along = _resting_on(order, chosen, {name for commit in named for name in _names(commit)})
    commits = tuple(commit for commit in order if commit.commit_id in chosen or commit in along)
    return _undoing(history, Taking(commits), along, f"all from {source}" if source else named[-1].subject)


def undo(history: History, undoing: Undoing, reason: str, intent: Intent) -> Recorded:
    """Take everything back in one change; what came after stays.

    Raises:
        RevertConflictError: Something was changed again since; nothing was written.
    """
    return revert_changes(history, undoing.taking, f"undo: {undoing.name}", reason, intent)


def _undoing(history: History, taking: Taking, along: tuple[Commit, ...], name: str) -> Undoing:
    return Undoing(taking, along, take_back(history, history.tip().tree, taking), name)


def _in_order(history: History) -> list[Commit]:
    """Return every commit of the branch, children before parents."""
    tip = history.tip().commit_id
    if tip is None:
        return []
    done = run_git(history, "rev-list", "--topo-order", "--no-merges", tip, seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    return [history.objects.commit(name) for name in done.stdout.decode().split()]


def _meant(history: History, word: str) -> str | None:
    """Return the commit that git takes ``word`` for, such as HEAD~1."""
    try:
        return str(history.repo.revparse_single(word).peel(pygit2.Commit).id)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def _is_called(commit: Commit, word: str) -> bool:
    return word in _names(commit) or (len(word) >= SHORT and commit.commit_id.startswith(word))


def _is_from(commit: Commit, source: str) -> bool:
    """Say whether a change was made by, or rests on evidence from, ``source``."""
    trailers = commit.trailers
    evidence = (item.partition(" ")[0] for item in trailers.all("Clawgit-Evidence"))
    return trailers.first("Clawgit-Actor") == source or any(
        item == source or item.startswith((source + ":", source + "/")) for item in evidence
    )


def _resting_on(order: Iterable[Commit], chosen: set[str], names: set[str]) -> tuple[Commit, ...]:
    """Return the other changes, newest first, that say that they are derived from these, or from one of those."""
    along: list[Commit] = []
    for commit in reversed(list(order)):
        rests = any(_is_named(item, names) for item in commit.trailers.all(RESTS_ON))
        if rests and commit.commit_id not in chosen:
            along.append(commit)
            names = names | _names(commit)
    return tuple(along[::-1])


def _names(commit: Commit) -> set[str]:
    op, run = commit.trailers.first("Clawgit-Op"), commit.trailers.first("Clawgit-Run")
    return {commit.commit_id, *(name for name in (op, run) if name)}


def _is_named(item: str, names: set[str]) -> bool:
    word = item.partition(" ")[0]
    return word in names or (len(word) >= SHORT and any(name.startswith(word) for name in names))
