"""Named states of the soul: making one, finding one by its name, and restoring a whole earlier text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import APPLIED, REPEATED, Recorded, apply_plan
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.op_lookup import find_op
from clawgit.history.authorship.vouching import authorship
from clawgit.history.git.git_program import run_git
from clawgit.history.git.refs import PAST
from clawgit.history.guards.check import opened
from clawgit.history.provenance.correction_files import (
    keep_in_ledgers,
    refuse_withdrawal,
    withdrawal_trailers,
)
from clawgit.history.reading.git_log import LOG_SECONDS, SOUL_FILES, git_failed
from clawgit.history.review.keep import Kept, after_changes, keep_as_one, keep_op
from clawgit.history.review.working_tree_edits import edits_of, refuse_in_use
from clawgit.history.transaction.drafts import WorkFiles, changed_files, kind_of
from clawgit.history.transaction.recovery import recover
from clawgit.history.transaction.transaction import until_settled
from clawgit.history.transaction.working_tree import SettledFiles, content_of
from clawgit.plan import Plan
from clawgit.text.safety.control_characters import folded
from clawgit.workspace.safe_files import check_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.safe_files import FileContent

SNAPSHOT = "Clawgit-Snapshot"
_GITS_OWN = re.compile(r"HEAD(?:[~^@].*)?|[0-9a-f]{40}")


class SnapshotError(ClawgitError):
    """A state cannot be named so."""


def take_snapshot(history: History, name: str, intent: Intent) -> Recorded:
    """Commit the operator's edits of the soul under ``name``; without edits, name the state that stands."""
    if not folded(name):
        raise SnapshotError("A snapshot needs a name.", hint='Such as -m "before the holidays".')
    if is_gits_own(folded(name)):
        raise SnapshotError(f"{name} is what git calls commits by.", hint="Choose another name.")
    plan = Plan(f"soul: {folded(name)}", trailers=((SNAPSHOT, folded(name)),))
    intent = opened(history, intent, name)
    with history.locked():
        recovered = Kept(recovered=tuple(recover(history)))
        done = _made_before(history, intent) if intent.given else None
        commit_id = done or until_settled(history, lambda: _commit_edits(history, plan, intent))
        if commit_id is not None:
            recovered |= after_changes(history, intent.now)
    if commit_id is None:
        return apply_plan(history, lambda _: plan, intent)
    return Recorded(REPEATED if done else APPLIED, intent.op, commit_id, recovered)


def _commit_edits(history: History, plan: Plan, intent: Intent) -> str | None:
    tip = history.tip()
    found = edits_of(history, tip, SOUL_FILES, SettledFiles(history))
    refuse_in_use(found)
    if not found.edits and not found.problems:
        return None
    return keep_as_one(history, tip, found, intent, plan)


def _made_before(history: History, intent: Intent) -> str | None:
    return find_op(history, intent.op) or find_op(history, keep_op(intent.op))


def is_gits_own(word: str) -> bool:
    """Say whether a word is never a snapshot's name: commands and scripts name commits by it."""
    return _GITS_OWN.fullmatch(word) is not None


def find_snapshot(history: History, name: str) -> Commit | None:
    """Return the newest commit that the operator named so: on this branch, else on an earlier tip of it."""
    return next(
        (commit for commit in _snapshots(history) if commit.trailers.first(SNAPSHOT) == folded(name)), None
    )


def newest_snapshot(history: History) -> Commit | None:
    """Return the newest commit that the operator named: on this branch, else on an earlier tip of it."""
    return next(_snapshots(history), None)


def _snapshots(history: History) -> Iterator[Commit]:
    """Yield the operator's snapshots: those of the branch, then those of earlier tips, the newest first."""
    tip = history.tip().commit_id
    branch, authors = [] if tip is None else [tip], authorship(history)
    for tips in (branch, sorted(history.refs(PAST).values())):
        for commit in _named_commits(history, tips):
            named = commit.trailers.first(SNAPSHOT) is not None
            if named and authors.actor(commit) == OPERATOR:
                yield commit


def _named_commits(history: History, tips: list[str]) -> Iterator[Commit]:
    """Yield the commits whose message looks like a snapshot's, newest first; git reads the others."""
    if not tips:
        return
    search = ("log", "--format=%H", "--regexp-ignore-case", f"--grep=^{SNAPSHOT}:")
    done = run_git(history, *search, *tips, "--", seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    for name in done.stdout.decode().split():
        yield history.objects.commit(name)


class RestoreError(ClawgitError):
    """There is no such text to put back."""


def restore_soul(
    history: History, earlier: Commit, paths: Sequence[str], reason: str, intent: Intent
) -> Recorded:
    """Make ``paths`` read as in ``earlier``; what came in between stays in the history."""
    then = history.tree_of(earlier.commit_id)
    found = {path: _text_then(then, earlier, path) for path in paths}

    def plan(tree: Tree) -> Plan:
        files = WorkFiles(tree)
        for path, text in found.items():
            files.put(path, text)
        withdrawn, _ = keep_in_ledgers(files, ())
        refuse_withdrawal(withdrawn, intent)
        summary = f"soul: restore {', '.join(paths)} as of {earlier.commit_id[:12]}"
        trailers = tuple(withdrawal_trailers(withdrawn))
        return Plan(summary, changed_files(files.contents), reason, trailers=trailers, verbatim=True)

    return apply_plan(history, plan, opened(history, intent, reason))


def _text_then(tree: Tree, earlier: Commit, path: str) -> FileContent:
    entry = tree.entry(check_path(path))
    text = content_of(tree, path)
    if text is not None:
        return text
    if entry is None:
        raise RestoreError(f"There was no {path} in {earlier.commit_id[:12]}.", hint="Name a later state.")
    raise RestoreError(
        f"{path} was {kind_of(entry)} in {earlier.commit_id[:12]}; clawgit writes plain files only.",
        hint=f"`git restore --source {earlier.commit_id[:12]} {path}` puts it back, then commit it yourself.",
    )
