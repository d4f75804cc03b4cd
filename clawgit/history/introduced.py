"""Which change brought an entry or a correction, which one took it away, and whether it did only that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.history.commits import read_steps
from clawgit.history.fold_history import renew_fold
from clawgit.history.fold_store import open_fold
from clawgit.history.git_program import run_git
from clawgit.history.log import LOG_SECONDS, git_failed
from clawgit.history.one_change import OneChange
from clawgit.memory.units.unitsteps import limited_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.history.objects import Commit
    from clawgit.history.repository import History

_ID = re.compile(r"[0-9a-z]+")
_CARRY = ("words", "correction")


def commits_of(history: History, marks: Iterable[str], among: Sequence[Commit]) -> dict[str, Commit]:
    """Return entry or correction (`m:7k2x9d`, `x:4f1c`) → the one of these changes that first carried it."""
    return {mark: commits[0] for mark, commits in changes_of(history, marks, among).items() if commits}


def changes_of(history: History, marks: Iterable[str], among: Sequence[Commit]) -> dict[str, list[Commit]]:
    """Return entry or correction → those of these changes that brought it or gave it other words, the oldest first."""
    wanted = {mark: mark.removeprefix("m:") for mark in marks if mark.startswith(("m:", "x:"))}
    if not wanted:
        return {}
    with open_fold(history.state) as store:
        renew_fold(history, store)
        seen = {mark: store.seen(name) for mark, name in wanted.items()}
    branch = {commit.commit_id: commit for commit in among}
    carried = {
        mark: dict.fromkeys(row.commit_id for row in rows if row.kind in _CARRY)
        for mark, rows in seen.items()
    }
    return {mark: [branch[name] for name in names if name in branch] for mark, names in carried.items()}


def last_change_of(history: History, word: str) -> Commit | None:
    """Return the newest change that took an id such as m:7k2x9d out of a file, or brought it there."""
    if not _ID.fullmatch(word[2:]):
        return None
    found = _changing(history, rf"<!--[ \t]*{word}[^0-9a-z]", "--max-count=1")
    return history.objects.commit(found[0]) if found else None


def did_only(history: History, commit: Commit, ids: frozenset[str]) -> bool:
    """Say whether a change did nothing but bring or reword what carries these ids."""
    if len(commit.parent_ids) != 1:
        return False
    change = OneChange.of(history, commit, read_steps(history, [commit])[commit.commit_id])
    steps = [change.text_step(path) for path in change.steps]
    return all(limited_to(step, ids).before == step.before for step in steps)


def _changing(history: History, pattern: str, *options: str) -> list[str]:
    """Return the commits in which the number of places changes that a pattern is found at."""
    tip = history.tip().commit_id or ""
    search = (
        "--topo-order",
        "--format=%H",
        "--pickaxe-regex",
        f"-S{pattern}",
        "--no-ext-diff",
        "--no-textconv",
    )
    done = run_git(history, "log", *search, *options, tip, "--", seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    return done.stdout.decode().split()
