"""Which change brought an entry or a correction, which one took it away, and whether it did only that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.history.git.git_program import run_git
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.reading.commit_batches import read_steps
from clawgit.history.reading.git_log import LOG_SECONDS, git_failed
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.history.undo.one_change import OneChange
from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.undo.unit_steps import Part, limited_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

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


def stands_in(tree: Tree, mark: str) -> bool:
    """Say whether an entry or a correction (`m:7k2x9d`, `x:4f1c`) is in a state; what only names it does not count."""
    if mark.startswith("x:"):
        return mark.removeprefix("x:") in standing_corrections(tree)
    return any(mark.removeprefix("m:") in marks_in(tree.read(path) or b"") for path in entry_files(tree))


def taken_out_by(history: History, mark: str) -> Commit | None:
    """Return the newest change after which an entry or a correction stood nowhere any more, None where none did that."""
    if not _ID.fullmatch(mark[2:]):
        return None
    named = map(history.objects.commit, _changing(history, rf"<!--[ \t]*{mark}[^0-9a-z]"))
    return next((commit for commit in named if _takes_out(history, commit, mark)), None)


def _takes_out(history: History, commit: Commit, mark: str) -> bool:
    stood = any(stands_in(history.tree_of(parent), mark) for parent in commit.parent_ids)
    return stood and not stands_in(history.tree_of(commit.commit_id), mark)


def did_only(history: History, commit: Commit, ids: frozenset[str]) -> bool:
    """Say whether a change did nothing but bring or reword what carries these ids."""
    if len(commit.parent_ids) != 1:
        return False
    change = OneChange.of(history, commit, read_steps(history, [commit])[commit.commit_id])
    steps = [change.text_step(path) for path in change.steps]
    return all(limited_to(step, Part(ids)).before == step.before for step in steps)


def _changing(history: History, pattern: str) -> list[str]:
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
    done = run_git(history, "log", *search, tip, "--", seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    return done.stdout.decode().split()
