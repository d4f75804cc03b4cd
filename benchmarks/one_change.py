"""One change of two files in a workspace of 10,000 files: clawgit against `git add` + `git commit`.

In process, with lock, guards and the three readings of the message; turn by turn with git, so that a machine
whose speed drifts slows both. git runs with `core.fsync=all` where clawgit syncs, and with its default where
it does not.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from clawgit.history.adopt import adopt
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import History, open_history
from clawgit.history.transaction.staging import hold_staging
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.history.git.trees import Tree

FOLDERS, FILES = 100, 100
ROUNDS = 30
CHANGED = ("d3/f3.md", "d4/f4.md")
TO_REACH = 2.5


def one_change() -> None:
    """Print both times and their ratio, with and without fsync."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "workspace"
        history = make_workspace(root)
        for fsync in (True, False):
            history.settings = history.settings._replace(fsync=fsync)
            pygit2.settings.enable_fsync_gitdir(fsync)
            ours, gits = _in_turns(lambda n: _clawgit(history, n), lambda n, s=fsync: _git(root, n, fsync=s))
            print(
                f"one change, {FOLDERS * FILES:,} files, fsync {'on' if fsync else 'off'}: "
                f"clawgit {ours[0]:.1f} ms ({ours[1]:.1f}-{ours[2]:.1f}), git {gits[0]:.1f} ms "
                f"({gits[1]:.1f}-{gits[2]:.1f}), {gits[0] / ours[0]:.2f} x faster (to reach: {TO_REACH})"
            )
        _staging(history)


def make_workspace(root: Path) -> History:
    """Make a packed workspace of 10,000 files in folders of 100."""
    for folder in range(FOLDERS):
        (root / f"d{folder}").mkdir(parents=True)
        for file in range(FILES):
            (root / f"d{folder}" / f"f{file}.md").write_text(f"hello {folder} {file}\n" * 5)
    adopt(root, datetime.now(UTC))
    subprocess.run(["git", "gc", "-q"], cwd=root, check=True)
    return open_history(root)


def _in_turns(
    one: Callable[[int], None], other: Callable[[int], None]
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(ROUNDS):
        for taken, run in zip(times, (one, other), strict=True):
            start = time.perf_counter()
            run(number)
            taken.append((time.perf_counter() - start) * 1000)
    return _summary(times[0][1:]), _summary(times[1][1:])


def _summary(times: list[float]) -> tuple[float, float, float]:
    return statistics.median(times), min(times), max(times)


def _clawgit(history: History, number: int) -> None:
    def plan(tree: Tree) -> Plan:
        edits = (Edit(path, (tree.read(path) or b"") + b"- clawgit %d\n" % number) for path in CHANGED)
        return Plan("bench: two files", tuple(edits))

    apply_plan(history, plan, Intent(new_op(), "memory-miner", datetime.now(UTC)))


def _git(root: Path, number: int, *, fsync: bool) -> None:
    for path in CHANGED:
        with (root / path).open("ab") as file:
            file.write(b"- git %d\n" % number)
    synced = ["-c", "core.fsync=all"] if fsync else []
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *synced, "add", *CHANGED], cwd=root, check=True)
    subprocess.run(["git", *synced, *who, "commit", "-qm", "bench"], cwd=root, check=True)


def _staging(history: History) -> None:
    """Print what refreshing the staging takes."""
    tip = history.tip()
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        held = hold_staging(history)
        held.fill(tip.tree, tip.tree, CHANGED)
        held.publish()
        held.release()
        taken.append((time.perf_counter() - start) * 1000)
    median, low, high = _summary(taken)
    print(
        f"staging refresh: {median:.1f} ms ({low:.1f}-{high:.1f}) for {FOLDERS * FILES:,} files (to reach: 1 ms per 1,000)"
    )
