"""One change as what it did to each file, and to the corrections."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.workfiles import is_file
from clawgit.memory.corrections import is_correction_file, read_corrections
from clawgit.memory.tiers import holds_entries
from clawgit.memory.unitsteps import TextStep, limited_to

if TYPE_CHECKING:
    from clawgit.history.objects import Commit, TreeEntry
    from clawgit.history.repository import History
    from clawgit.history.trees import Tree
    from clawgit.memory.corrections import Correction


@dataclass(frozen=True, slots=True)
class OneChange:
    """A commit as the way from its parent's state to its own; ``only`` limits it to one correction."""

    commit: Commit
    before: Tree
    made: Tree
    only: Correction | None = None

    @classmethod
    def of(cls, history: History, commit: Commit, only: Correction | None = None) -> OneChange:
        """Read a commit that is no merge."""
        parent = commit.parent_ids[0] if commit.parent_ids else None
        return cls(commit, history.tree_of(parent), history.tree_of(commit.commit_id), only)

    def steps(self) -> dict[str, tuple[TreeEntry | None, TreeEntry | None]]:
        """Return path → what stood there before and after."""
        found = self.made.changed(self.before)
        if self.only is None:
            return found
        return {path: pair for path, pair in found.items() if is_correction_file(path) or holds_entries(path)}

    def moves(self) -> dict[str, str]:
        """Return old → new path of the files that only went elsewhere."""
        if self.only is not None:
            return {}
        steps = self.steps().items()
        left = {
            old.object_id: path
            for path, (old, new) in steps
            if old is not None and new is None and is_file(old)
        }
        came = {
            new.object_id: path
            for path, (old, new) in steps
            if new is not None and old is None and is_file(new)
        }
        times = Counter(entry.object_id for _, pair in steps for entry in pair if entry is not None)
        return {path: came[blob] for blob, path in left.items() if blob in came and times[blob] == 2}

    def corrections(self) -> dict[str, Correction]:
        """Return the corrections that the change brought, by id."""
        paths = [path for path in self.steps() if is_correction_file(path)]
        old, new = (
            {
                each.correction_id: each
                for path in paths
                for each in read_corrections(tree.read(path) or b"", path)
            }
            for tree in (self.before, self.made)
        )
        return {
            key: each
            for key, each in new.items()
            if key not in old and (self.only is None or key == self.only.correction_id)
        }

    def text_step(self, path: str, yielding: frozenset[str] = frozenset()) -> TextStep:
        """Return what it did to one file's text."""
        step = TextStep(self.before.read(path) or b"", self.made.read(path) or b"", path, yielding=yielding)
        if self.only is None:
            return step
        return limited_to(
            step, {self.only.correction_id} if is_correction_file(path) else set(self.only.corrects)
        )
