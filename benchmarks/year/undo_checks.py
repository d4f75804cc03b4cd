"""Undo after a year: the last runs newest first give the earlier bytes, any one leaves its entries as if it had not run."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

from benchmarks.year.memory_checks import Check, commits_of
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.entries.entries import read_entries
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.year.memory_checks import Lived
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.records.records import RunNote

RUNS = 20
WITHDRAWN = "Archive/Corrections/"  # a correction that is taken back is archived as withdrawn


def undo_checks(lived: Lived, seed: int, runs: int = RUNS) -> Iterator[Check]:
    """Yield what is checked by taking back; the workspace is as it was afterwards."""
    kept = lived.life.home / "kept"
    shutil.copytree(lived.life.root, kept, symlinks=True)
    yield last_runs(lived, runs)
    _bring_back(lived, kept)
    yield random_runs(lived, random.Random(f"undo of {seed}"), runs)
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


def random_runs(lived: Lived, chance: random.Random, most: int) -> Check:
    """Take back runs of the whole year, each by itself, one after the other."""
    runs = _runs(lived)
    failed: list[str] = []
    refused = touched = 0
    for run in chance.sample(runs, min(most, len(runs))):
        history, tip, before = lived.history, lived.history.tip().commit_id, lived.history.tip().tree
        answer = lived.life.command("undo", run.run_id, now=lived.now)
        if answer.code:
            refused += 1
            if (
                before.changed(lived.history.tip().tree)
                or "Take the later change back first" not in answer.err
            ):
                failed.append(f"{run.run_id}: {answer.err.strip()[:300]}")
            continue
        if lived.history.tip().commit_id == tip:
            continue  # nothing of it is left, or it only counted a mention
        wanted = _wanted(history, run.commit_id, before)
        after = _places(lived.history.tip().tree)
        touched += len(wanted)
        failed += [
            f"{run.run_id} m:{name}: {after.get(name)} instead of {place}"
            for name, place in wanted.items()
            if after.get(name) != place
        ]
        lived.life.command("undo", lived.history.tip().commit_id or "", now=lived.now)
        again = _places(lived.history.tip().tree)
        if again != _places(before):
            failed.append(f"{run.run_id}: undoing the undo left something")
    told = f"{min(most, len(runs))} runs, {touched} entries that nobody touched since, {refused} refused for a later change"
    return Check("random runs undone, each by itself", told, not failed, tuple(failed))


def _wanted(history: History, commit_id: str, now: Tree) -> dict[str, tuple[str, str] | None]:
    """Return where the entries that a run touched should stand without it: those that stand as the run left them."""
    parent = str(history.repo[commit_id].parent_ids[0])
    before, after, at_tip = (
        _places(each) for each in (history.tree_of(parent), history.tree_of(commit_id), now)
    )
    touched = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    return {name: before.get(name) for name in touched if at_tip.get(name) == after.get(name)}


def _places(tree: Tree) -> dict[str, tuple[str, str]]:
    """Return the entries by their ids, each with its file and words."""
    return {
        entry.entry_id: (path, entry.text)
        for path in entry_files(tree)
        for entry in read_entries(tree.read(path) or b"")
        if entry.entry_id
    }
