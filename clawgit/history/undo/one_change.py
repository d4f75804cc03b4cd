"""One change as what it did to each file, and to the corrections."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.history.transaction.files_in_memory import is_file
from clawgit.memory.corrections.correction_log import is_correction_file, read_corrections
from clawgit.memory.entries.tiers import holds_entries
from clawgit.memory.undo.text_step import TextStep
from clawgit.memory.undo.unit_steps import Part, keeping_ids, limited_to, without_part

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit, TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Pair, Tree
    from clawgit.memory.corrections.correction_log import Correction


@dataclass(frozen=True)
class OneChange:
    """A commit as the way from its parent's state to its own.

    ``only`` limits it to one correction, ``part`` to what rests on one source; what it did to ``spared`` entries is no
    part of it, nor are the ids that it gave to ``held`` ones.
    """

    commit: Commit
    before: Tree
    made: Tree
    all_steps: dict[str, Pair]
    only: Correction | None = None
    part: Part | None = None
    spared: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    _texts: dict[str, TextStep] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls,
        history: History,
        commit: Commit,
        steps: dict[str, Pair],
        only: Correction | None = None,
        part: Part | None = None,
    ) -> OneChange:
        """Read a commit that is no merge and not the first; ``steps`` is what it did to each path."""
        before, made = (history.tree_of(name) for name in (commit.parent_ids[0], commit.commit_id))
        return cls(commit, before, made, steps, only, part)

    @cached_property
    def steps(self) -> dict[str, Pair]:
        """Return path → what was there before and after.

        For a part of it only the files of which that changed the text, as if none had moved or got another mode. Of a
        change in which an open correction was answered, the entries only: that goes with the one that brought it.
        """
        if self.only is None and self.part is None:
            return self.all_steps
        moved = {path for pair in _moves(self.all_steps).items() for path in pair}
        paths = (path for path in self.all_steps if path not in moved and self._may_hold_part(path))
        steps = ((path, self.text_step(path)) for path in paths)
        return {path: _in_one_mode(self.all_steps[path]) for path, step in steps if step.before != step.made}

    def _may_hold_part(self, path: str) -> bool:
        if self.only is None:
            return path.endswith(".md")
        return holds_entries(path) or (is_correction_file(path) and not self._is_answer)

    @cached_property
    def _is_answer(self) -> bool:
        """Whether the one correction that it is limited to was there before."""
        files = [path for path in self.all_steps if is_correction_file(path)]
        before = (each for path in files for each in read_corrections(self.before.read(path) or b"", path))
        return self.only is not None and self.only.correction_id in {each.correction_id for each in before}

    def moves(self) -> dict[str, str]:
        """Return old → new path of the files that only went elsewhere."""
        return _moves(self.steps)

    @cached_property
    def corrections(self) -> dict[str, Correction]:
        """Return the corrections that the change brought, by id."""
        paths = [path for path in self.all_steps if is_correction_file(path)]
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

    @cached_property
    def corrected_entries(self) -> frozenset[str]:
        """Return the ids of the entries that it corrected."""
        made = [*self.corrections.values(), *([] if self.only is None else [self.only])]
        return frozenset(entry_id for each in made for entry_id in each.corrects)

    def text_step(self, path: str) -> TextStep:
        """Return what it did to one file's text."""
        if path not in self._texts:
            self._texts[path] = self._text_step(path)
        return self._texts[path]

    def whole_steps(self) -> list[TextStep]:
        """Return what the commit did to each file's text, also where only one correction is to be taken back."""
        if self.part is not None:
            return [self.text_step(path) for path in self.steps]
        return [self.whole_step(path) for path in self.all_steps]

    def whole_step(self, path: str) -> TextStep:
        """Return what the commit did to a file's text, all of it."""
        old, new = self.all_steps[path]
        return TextStep(self._text(old), self._text(new), path)

    def _text(self, entry: TreeEntry | None) -> bytes:
        return self.made.objects.blob(entry.object_id) if entry is not None and is_file(entry) else b""

    def _text_step(self, path: str) -> TextStep:
        yielding = self.corrected_entries
        before, made = (self._text(entry) for entry in self.all_steps.get(path, (None, None)))
        step = keeping_ids(TextStep(before, made, path, yielding=yielding), self.held & yielding)
        if self.only is None:
            step = step if self.part is None else limited_to(step, self.part)
            return without_part(step, self.spared) if self.spared else step
        ids = {self.only.correction_id} if is_correction_file(path) else self.only.corrects
        return limited_to(step, Part(frozenset(ids)))


def _in_one_mode(pair: Pair) -> Pair:
    old, new = pair
    return (old, new) if old is None or new is None else (old._replace(mode=new.mode), new)


def _moves(all_steps: dict[str, Pair]) -> dict[str, str]:
    steps = all_steps.items()
    left = {
        old.object_id: path for path, (old, new) in steps if old is not None and new is None and is_file(old)
    }
    came = {
        new.object_id: path for path, (old, new) in steps if new is not None and old is None and is_file(new)
    }
    times = Counter(entry.object_id for _, pair in steps for entry in pair if entry is not None)
    return {path: came[blob] for blob, path in left.items() if blob in came and times[blob] == 2}
