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
from clawgit.memory.corrections import ARCHIVE, LEDGER
from clawgit.memory.unitsteps import limited_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.objects import Commit
    from clawgit.history.repository import History

_ID = re.compile(r"[0-9a-z]+")


def commit_of_entry(history: History, entry_id: str, among: Sequence[Commit]) -> Commit | None:
    """Return the change of the branch that first carried an entry."""
    with open_fold(history.state) as store:
        renew_fold(history, store)
        seen = [each.commit_id for each in store.seen(entry_id) if each.kind == "words"]
    branch = {commit.commit_id: commit for commit in among}
    return next((branch[name] for name in seen if name in branch), None)


def commit_of_correction(history: History, correction_id: str) -> Commit | None:
    """Return the change of the branch that first carried a correction; None where history begins with it."""
    found = _changing(
        history, rf"x:{correction_id}[^0-9a-z]", "--reverse", paths=(LEDGER, ARCHIVE.rstrip("/"))
    )
    commit = history.objects.commit(found[0]) if found else None
    return commit if commit is not None and len(commit.parent_ids) == 1 else None


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


def _changing(history: History, pattern: str, *options: str, paths: Sequence[str] = ()) -> list[str]:
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
    done = run_git(history, "log", *search, *options, tip, "--", *paths, seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    return done.stdout.decode().split()
