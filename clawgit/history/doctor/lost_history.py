"""Going on without commits that are lost for good, once the operator says so.

git is told in `.git/shallow` that the history begins behind them, as in a shallow clone: git, libgit2 and clawgit's own
view all go by that. What is older stays reachable below `refs/clawgit/past/`, where the origin of words is read first.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING

from clawgit.history.doctor.object_checks import lost_objects
from clawgit.history.git.git_program import run_git
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.refs import BRANCHES, OURS, PAST, delete_ref, pin
from clawgit.history.provenance.fold_store import forget_fold
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Set
    from pathlib import Path

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

SHALLOW = "shallow"
SECONDS = 300
_SUBMODULE = 0o160000
_NOTED = re.compile(r"(?P<before>[0-9a-f]{40}) (?P<after>[0-9a-f]{40}) [^\t\n]*> (?P<at>\d{1,11}) [+-]\d{4}")


@dataclass(frozen=True, slots=True)
class Cut:
    """How to go on without lost commits.

    ``lost``: each with what is known of it; ``begins_at``: the commits whose parents are left out from now on; ``older``:
    what is reachable no more then; ``references``: clawgit's own that name a lost commit.
    """

    lost: dict[str, str]
    begins_at: tuple[str, ...]
    older: tuple[str, ...]
    references: tuple[str, ...]


def plan_cut(history: History) -> Cut | None:
    """Return how the history can go on without what is lost; None where nothing is, or the last commit itself."""
    look = _Look(history, lost_objects(history))
    head = history.target(history.branch())
    own = history.refs(OURS)
    look.walk(chain(history.refs(BRANCHES).values(), own.values()))
    if not look.lost or head in look.lost:
        return None
    noted = dict(_noted(history))
    begins_at = [each for each in look.whole.values() if not look.lost.keys().isdisjoint(each.parent_ids)]
    parents = {parent for each in begins_at for parent in each.parent_ids}
    for commit_id, commit in look.lost.items():
        if commit is not None:
            parents.update(commit.parent_ids)
        elif commit_id in noted:
            parents.add(noted[commit_id][0])
        else:
            parents.update(_dangling(history))
    look.walk(parents)  # what only a lost commit led to
    still = look.reached(
        [*history.refs(BRANCHES).values(), *own.values()], {each.commit_id for each in begins_at}
    )
    return Cut(
        {commit_id: _told(commit, noted.get(commit_id)) for commit_id, commit in look.lost.items()},
        tuple(each.commit_id for each in begins_at),
        tuple(sorted(parents & look.whole.keys() - still)),
        tuple(name for name, commit_id in own.items() if commit_id in look.lost),
    )


def go_on_without(history: History, cut: Cut) -> None:
    """Begin the history behind what is lost: first what is older is kept, then git is told."""
    with history.locked():
        for commit_id in cut.older:
            pin(history, PAST, commit_id)
        for name in cut.references:
            delete_ref(history, name)
        path = history.folder / SHALLOW
        known = path.read_text("ascii").split() if path.exists() else []
        lines = "".join(f"{commit_id}\n" for commit_id in sorted({*known, *cut.begins_at}))
        write_file(history.folder, SHALLOW, FileContent(lines.encode()))
        for path in _logs(history):
            _leave_out(path, cut.lost.keys())
        forget_fold(history.state)


class _Look:
    """Which commits can be read with all of their files, and which cannot."""

    def __init__(self, history: History, lost_objects: Collection[str]) -> None:
        self._objects, self._lost_objects = history.objects, lost_objects
        self._trees: dict[str, bool] = {}
        self.whole: dict[str, Commit] = {}
        self.lost: dict[str, Commit | None] = {}  # None: not even the commit itself can be read

    def walk(self, tips: Iterable[str]) -> None:
        """Look at what ``tips`` lead to."""
        waiting = deque(tips)
        while waiting:
            commit_id = waiting.popleft()
            if commit_id in self.whole or commit_id in self.lost:
                continue
            try:
                commit = self._objects.commit(commit_id)
            except DamagedObjectError:
                self.lost[commit_id] = None
                continue
            if self._is_whole(commit.tree_id):
                self.whole[commit_id] = commit
            else:
                self.lost[commit_id] = commit
            waiting.extend(commit.parent_ids)

    def reached(self, tips: Iterable[str], begins_at: Collection[str]) -> set[str]:
        """Return the whole commits that ``tips`` still lead to where the history begins there."""
        reached: set[str] = set()
        waiting = deque(tips)
        while waiting:
            commit_id = waiting.popleft()
            if commit_id in self.whole and commit_id not in reached:
                reached.add(commit_id)
                if commit_id not in begins_at:
                    waiting.extend(self.whole[commit_id].parent_ids)
        return reached

    def _is_whole(self, tree_id: str) -> bool:
        if tree_id not in self._trees:
            self._trees[tree_id] = tree_id not in self._lost_objects and self._has_all(tree_id)
        return self._trees[tree_id]

    def _has_all(self, tree_id: str) -> bool:
        try:
            entries = self._objects.tree(tree_id).values()
        except DamagedObjectError:
            return False
        for entry in entries:
            if entry.is_folder:
                if not self._is_whole(entry.object_id):
                    return False
            elif entry.mode != _SUBMODULE and entry.object_id in self._lost_objects:
                return False
        return True


def _noted(history: History) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each commit of git's own logs with the one before it, and when it was made."""
    for path in _logs(history):
        for line in path.read_text("utf-8", "replace").splitlines():
            noted = _NOTED.match(line)
            if noted is not None and noted["before"].strip("0"):
                made_at = datetime.fromtimestamp(int(noted["at"]), UTC)
                yield noted["after"], (noted["before"], f"of {made_at:%Y-%m-%d %H:%M} UTC")


def _logs(history: History) -> list[Path]:
    logs = history.folder / "logs"
    return [path for path in (logs / "HEAD", *sorted((logs / "refs").rglob("*"))) if path.is_file()]


def _leave_out(log: Path, lost: Set[str]) -> None:
    """Take what names a lost commit out of one of git's logs: `git fsck` and `git gc` follow them, too."""
    lines = log.read_bytes().splitlines(keepends=True)
    left = [line for line in lines if lost.isdisjoint(line[:81].decode("ascii", "replace").split())]
    if left != lines:
        write_file(log.parent, log.name, FileContent(b"".join(left)))


def _dangling(history: History) -> list[str]:
    """Return the commits that nothing leads to: where no log tells what a lost commit was made on."""
    done = run_git(history, "fsck", "--no-progress", "--connectivity-only", "--dangling", seconds=SECONDS)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return [line.split(" ")[2] for line in lines if line.startswith("dangling commit ")]


def _told(commit: Commit | None, noted: tuple[str, str] | None) -> str:
    if commit is not None:
        return commit.subject
    return noted[1] if noted is not None else ""
