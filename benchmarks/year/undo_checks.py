"""Undo after a year: the last runs newest first give the earlier bytes, any one leaves its entries as if it had not run."""

from __future__ import annotations

import shutil
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from benchmarks.year.memory_checks import Check, commits_of
from clawgit.history.git.trees import entry_files
from clawgit.memory.entries.entries import read_entries
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.year.memory_checks import Lived
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.records.records import RunNote

RUNS = 20
TRIED = 4  # times as many runs are tried
COUNTED = (
    "runs",
    "runs with such entries",
    "entries that nobody reworded since",
    "refused for a later change",
)
Places = dict[str, tuple[str, str]]  # of entries by id: file and words
WITHDRAWN = "Archive/Corrections/"  # a correction that is taken back is archived as withdrawn


def undo_checks(lived: Lived, seed: int, runs: int = RUNS) -> Iterator[Check]:
    """Yield what is checked by taking back; the workspace is as it was afterwards."""
    kept = lived.life.home / "kept"
    shutil.copytree(lived.life.root, kept, symlinks=True)
    yield last_runs(lived, runs)
    _bring_back(lived, kept)
    yield random_runs(lived, Random(f"undo of {seed}"), runs)
    _bring_back(lived, kept)


def _bring_back(lived: Lived, kept: object) -> None:
    shutil.rmtree(lived.life.root)
    shutil.copytree(str(kept), lived.life.root, symlinks=True)


def _runs(lived: Lived) -> list[RunNote]:
    """Return the runs that changed something, the newest first."""
    with open_records(lived.history.state / RECORDS, lived.now) as records:
        return [run for run in records.runs(limit=100_000) if run.commit_id]


def last_runs(lived: Lived, most: int) -> Check:
    """Take back the last runs, and what others changed between them, newest first."""
    runs = {run.commit_id: run for run in _runs(lived)[:most]}
    commits = commits_of(lived.history)
    oldest = max(commits.index(name) for name in runs)
    failed: list[str] = []
    for at, name in enumerate(commits[: oldest + 1]):
        word = runs[name].run_id if name in runs else name
        answer = lived.life.command("undo", word, now=lived.now)
        wanted, tree = lived.history.tree_of(commits[at + 1]), lived.history.tip().tree
        differing = [path for path in tree.changed(wanted) if not path.startswith(WITHDRAWN)]
        if answer.code or differing:
            failed.append(f"{word}: {answer.err.strip()[:300] if answer.code else ''} {', '.join(differing)}")
            break
    done = f"{oldest + 1} changes, {len(runs)} runs among them, {'all bytes as before' if not failed else 'stopped'}"
    return Check("the last runs undone, newest first", done, not failed, tuple(failed))


def random_runs(lived: Lived, chance: Random, most: int) -> Check:
    """Take back runs of the whole year, each by itself, until so many were of entries that still stand as they left them."""
    runs = _runs(lived)
    failed, counts = list[str](), Counter[str]()
    for run in chance.sample(runs, min(TRIED * most, len(runs))):
        if counts["runs with such entries"] == most:
            break
        compared = _taken_back(lived, run, failed)
        counts["runs"] += 1
        counts["refused for a later change"] += compared is None
        counts["entries that nobody reworded since"] += compared or 0
        counts["runs with such entries"] += bool(compared)
    told = ", ".join(f"{counts[name]} {name}" for name in COUNTED)
    return Check("random runs undone, each by itself", told, not failed, tuple(failed))


def _taken_back(lived: Lived, run: RunNote, failed: list[str]) -> int | None:
    """Take a run back and that again; return how many entries were compared, None where it was refused."""
    history, tip = lived.history, lived.history.tip()
    answer = lived.life.command("undo", run.run_id, now=lived.now)
    after = lived.history.tip()
    if answer.code:
        if tip.tree.changed(after.tree) or "Take the later change back first" not in answer.err:
            failed.append(f"{run.run_id}: {answer.err.strip()[:300]}")
        return None
    if after.commit_id == tip.commit_id:
        return 0  # nothing of it is left, or it only counted a mention
    places = _places(after.tree)
    wanted = list(_wanted(history, run.commit_id, _places(tip.tree)))
    for name, words, path in wanted:
        place = places.get(name)
        if (place and place[1]) != words or (path and place and place[0] != path):
            failed.append(f"{run.run_id} m:{name}: {place} instead of {words!r} in {path or 'any file'}")
    lived.life.command("undo", after.commit_id or "", now=lived.now)
    if lived.history.tip().tree.changed(tip.tree):
        failed.append(f"{run.run_id}: undoing the undo left {lived.history.tip().tree.changed(tip.tree)}")
    return len(wanted)


def _wanted(history: History, commit_id: str, now: Places) -> Iterator[tuple[str, str | None, str]]:
    """Yield the entries that a run touched and whose words are still its own, with their words without it.

    And with their file, where they stand in the file that it put them in.
    """
    parent = str(history.repo[commit_id].parent_ids[0])
    before, after = _places(history.tree_of(parent)), _places(history.tree_of(commit_id))
    for name in sorted(before.keys() | after.keys()):
        was, left, present = before.get(name), after.get(name), now.get(name)
        if was == left or (left and left[1]) != (present and present[1]):
            continue
        is_in_place = left == present and was is not None
        yield name, was and was[1], was[0] if was and is_in_place else ""


def _places(tree: Tree) -> Places:
    """Return the entries by their ids, each with its file and words."""
    return {
        entry.entry_id: (path, entry.text)
        for path in entry_files(tree)
        for entry in read_entries(tree.read(path) or b"")
        if entry.entry_id
    }
