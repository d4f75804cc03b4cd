"""`soul revert` and `undo`: changes taken back while what came after them stays, in one new commit.

Each file is merged in memory: from the text that the change made, to the present one on one side and to the
text before the change on the other. Only lines that were changed again since conflict; then nothing is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.commit import Recorded, apply_plan
from clawgit.history.entry_ids import entry_files
from clawgit.history.locked import opened
from clawgit.memory.entries import read_entries
from clawgit.plan import Edit, Plan
from clawgit.text.lines import split_lines
from clawgit.text.weave import Conflict, weave

if TYPE_CHECKING:
    from clawgit.history.intent import Intent
    from clawgit.history.objects import Commit
    from clawgit.history.repository import History
    from clawgit.history.trees import Tree


class RevertError(ClawgitError):
    """A change cannot be taken back."""


class RevertConflictError(RevertError):
    """What the change brought was changed again since; ``conflicts`` says where, and nothing was written."""

    def __init__(self, conflicts: dict[str, tuple[Conflict, ...]]) -> None:
        places = ", ".join(f"{path} near line {found[0].line}" for path, found in conflicts.items())
        super().__init__(
            f"Later changes touch the same lines: {places}. Nothing was written.",
            hint="Take the later change back first, or edit the file and commit that yourself.",
        )
        self.conflicts = conflicts


@dataclass(frozen=True, slots=True)
class Taking:
    """What is to be taken back: changes, newest first, and maybe one entry out of its file."""

    commits: tuple[Commit, ...]
    entry_id: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """The texts without it, and where that conflicts; None is a file that goes."""

    texts: dict[str, bytes | None]
    conflicts: dict[str, tuple[Conflict, ...]]


def revert_changes(history: History, taking: Taking, say: str, reason: str, intent: Intent) -> Recorded:
    """Take back what ``taking`` names, in one change that ``say`` sums up.

    Raises:
        RevertConflictError: Something was changed again since; nothing was written.
        RevertError: One of the commits is a merge, or not part of this branch.
    """
    for commit in taking.commits:
        _check(history, commit)

    def plan(tree: Tree) -> Plan:
        taken = take_back(history, tree, taking)
        if taken.conflicts:
            raise RevertConflictError(taken.conflicts)
        edits = tuple(Edit(path, text) for path, text in taken.texts.items())
        names = " ".join(commit.commit_id for commit in taking.commits)
        reverts = (("Clawgit-Reverts", names),) if edits and names else ()
        return Plan(say, edits, reason, trailers=reverts, verbatim=True)

    return apply_plan(history, plan, opened(history, intent, reason))


def take_back(history: History, tree: Tree, taking: Taking) -> Taken:
    """Return what the files of ``tree`` would read without it; nothing is written."""
    texts = _without_entry(tree, taking.entry_id) if taking.entry_id else {}
    conflicts: dict[str, tuple[Conflict, ...]] = {}
    for commit in taking.commits:
        made = history.tree_of(commit.commit_id)
        before = history.tree_of(commit.parent_ids[0] if commit.parent_ids else None)
        for path in made.changed(before):
            present = texts[path] if path in texts else tree.read(path)
            texts[path], found = _without(before.read(path), made.read(path), present)
            if found:
                conflicts[path] = found
    changed = {path: text for path, text in texts.items() if text != tree.read(path)}
    return Taken(changed, conflicts)


def _without_entry(tree: Tree, entry_id: str) -> dict[str, bytes | None]:
    """Return the files that hold the entry, without its lines."""
    texts: dict[str, bytes | None] = {}
    for path in entry_files(tree):
        data = tree.read(path) or b""
        lines = split_lines(data)
        for entry in reversed(read_entries(data)):
            if entry.entry_id == entry_id:
                del lines[entry.first : entry.last]
                texts[path] = b"".join(lines)
    return texts


def _without(
    before: bytes | None, made: bytes | None, present: bytes | None
) -> tuple[bytes | None, tuple[Conflict, ...]]:
    """Return ``present`` without the step from ``before`` to ``made``."""
    if present == made:
        return before, ()
    if present == before or present is None:
        return present, ()
    if before is None:
        left = weave(made, present, b"")
        return (left.data or None), left.conflicts
    found = weave(made, present, before)
    return found.data, found.conflicts


def _check(history: History, commit: Commit) -> None:
    if len(commit.parent_ids) > 1:
        raise RevertError(
            f"{commit.commit_id[:12]} is a merge, so it is not one change.",
            hint="Take back the changes that it brought, one by one.",
        )
    if not history.objects.contains(history.tip().commit_id, commit.commit_id):
        raise RevertError(f"{commit.commit_id[:12]} is not part of this branch.")
