"""Edits that were made from an old copy of a file: kept, and what they dropped unread is offered back."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.op_lookup import KEEP_OP
from clawgit.history.authorship.vouching import authorship
from clawgit.history.guards.finding import Finding, Severity, told
from clawgit.history.review.unchecked_arrivals import STALE_REWRITE
from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.entries.stale_rewrite import missing_entries, unseen_entries
from clawgit.memory.entries.tiers import (
    WRITTEN_BY_OTHERS,
    is_identity,
    is_standing,
    may_hold_corrections,
    tier_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.entries.entries import Entry

LOOKED_AT = 500  # commits before the edit: an older copy counts as a text of the writer's own


class Dropped(NamedTuple):
    """Entries that an edit dropped without having read them, and the text of the file that had them."""

    path: str
    text: bytes
    entries: tuple[Entry, ...]

    def missing_in(self, tree: Tree) -> list[Entry]:
        """Return those of them that the file does not have in ``tree``, nor by their id any other one."""
        absent = missing_entries(self.text, tree.read(self.path) or b"")
        absent = [entry for entry in self.entries if entry in absent]
        paths = [path for path, _ in tree.files() if _is_remembered(path)] if absent else []
        ids = {entry_id for path in paths for entry_id in marks_in(tree.read(path) or b"")}
        return [entry for entry in absent if entry.entry_id not in ids]


def find_stale_rewrites(history: History, commit: Commit) -> tuple[Finding, ...]:
    """Return a remark for each file that ``commit``, an edit by somebody, wrote from an older copy."""
    return tuple(_finding(commit, dropped) for dropped in dropped_unseen(history, commit))


def dropped_unseen(history: History, commit: Commit) -> list[Dropped]:
    """Return what ``commit`` dropped so; a change that clawgit made itself, or a merge, drops nothing unread."""
    if len(commit.parent_ids) != 1 or not _is_edit(commit):
        return []
    base = history.tree_of(commit.parent_ids[0])
    new = history.tree_of(commit.commit_id)
    found = []
    for path in filter(_is_remembered, new.changed(base, only_there=True)):
        old = base.read(path) or b""
        lost = unseen_entries(old, new.read(path) or b"", _steps(history, commit, path))
        for moved_to in filter(_is_remembered, new.changed(base)) if lost else ():
            absent = missing_entries(old, new.read(moved_to) or b"")
            lost = [entry for entry in lost if entry in absent]
        if lost:
            found.append(Dropped(path, old, tuple(lost)))
    return found


def _steps(history: History, commit: Commit, path: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield how the file came to read as it did before ``commit``, the newest step first, to its author's last edit."""
    authors = authorship(history)
    actor = authors.actor(commit)
    for step in islice(history.objects.first_parents(commit.parent_ids[0]), LOOKED_AT):
        after = history.tree_of(step.commit_id)
        before = history.tree_of(next(iter(step.parent_ids), None))
        if before.entry(path) == after.entry(path):
            continue
        text = after.read(path) or b""
        if _is_edit(step) and authors.actor(step) == actor:
            yield b"", text  # the author has read all that it wrote
            return
        yield before.read(path) or b"", text


def _is_remembered(path: str) -> bool:
    """Say whether statements are added to ``path``; corrections have a guard of their own, and so has the soul."""
    is_guarded = is_identity(path) or may_hold_corrections(path) or path.startswith(WRITTEN_BY_OTHERS)
    return not is_guarded and (tier_of(path) is not None or is_standing(path))


def _is_edit(commit: Commit) -> bool:
    return (commit.trailers.first("Clawgit-Op") or KEEP_OP).startswith(KEEP_OP)


def _finding(commit: Commit, dropped: Dropped) -> Finding:
    count = len(dropped.entries)
    what, them = f"{count:,} entries that were added since are gone", "them"
    if count == 1:
        what, them = "1 entry that was added since is gone", "it"
    said = f"{told(dropped.path)} was written from an older copy: {what}."
    way_out = f"`clawgit memory revive {commit.commit_id[:12]}` brings {them} back."
    return Finding(STALE_REWRITE, dropped.path, said, way_out, severity=Severity.REMARK)
