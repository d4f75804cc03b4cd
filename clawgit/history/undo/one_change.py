"""One commit as the step from its parent's state to its own: all of it, one correction, or the part that rests on a source."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import filterfalse
from typing import TYPE_CHECKING

from clawgit.history.transaction.working_tree import is_file
from clawgit.memory.corrections.correction_log import Correction, read_corrections
from clawgit.memory.corrections.write_correction import shortened
from clawgit.memory.entries.tiers import holds_entries, is_correction_file
from clawgit.memory.undo.text_units import reworded
from clawgit.memory.undo.unit_steps import StepPart, TextStep, keeping_ids, limited_to

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit, TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Pair, Tree


def steps_of(history: History, commit: Commit) -> dict[str, Pair]:
    """Return path → entries before and after a commit; empty for a merge and a first commit."""
    if len(commit.parent_ids) != 1:
        return {}
    before, made = history.around(commit)
    return made.changed(before)


@dataclass(frozen=True)
class OneChange:
    """A commit as a step from its parent's state, or only one correction or ``part`` of it.

    Without changes of ``spared`` entries, and without ids that it gave to ``held`` ones.
    """

    commit: Commit
    before: Tree
    made: Tree
    all_steps: dict[str, Pair]
    only: Correction | None = None
    part: StepPart | None = None
    spared: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    _texts: dict[str, TextStep] = field(default_factory=dict, compare=False)

    @cached_property
    def steps(self) -> dict[str, Pair]:
        """Return path → entries before and after.

        For a part, only files in which it changed text, as if none had moved or changed mode. For a change that answered an open
        correction, only files of entries, and the one with the line that it set right: the answer goes with the change that
        brought the question.
        """
        if self.only is None and self.part is None:
            return self.all_steps
        moved = {path for pair in moves_among(self.all_steps).items() for path in pair}
        steps = {}
        for path, (old, new) in self.all_steps.items():
            may_hold = path.endswith(".md")
            # the answer goes with the change that brought the question
            if self.only is not None and is_correction_file(path):
                may_hold = self.only.correction_id not in self._corrections_in(self.before)
            elif self.only is not None:
                may_hold = holds_entries(path) or self.only_corrects_line(path, self.only)
            if path in moved or not may_hold:
                continue
            step = self.text_step(path)
            if step.before != step.made:
                in_one_mode = old if old is None or new is None else old._replace(mode=new.mode)
                steps[path] = (in_one_mode, new)
        return steps

    def _corrections_in(self, tree: Tree) -> dict[str, Correction]:
        here: dict[str, Correction] = {}
        for path in filter(is_correction_file, self.all_steps):
            here |= {each.correction_id: each for each in read_corrections(tree.read(path) or b"", path)}
        return here

    @cached_property
    def corrections(self) -> dict[str, Correction]:
        new = self._corrections_in(self.made)
        for key in self._corrections_in(self.before):
            new.pop(key, None)
        if self.part is not None:
            for key in new.keys() - self.part.ids:
                new.pop(key)
        return {key: each for key, each in new.items() if self.only is None or key == self.only.correction_id}

    @cached_property
    def corrected_entries(self) -> frozenset[str]:
        made = [*self.corrections.values(), *([] if self.only is None else [self.only])]
        return frozenset(entry_id for each in made for entry_id in each.corrects)

    def text_step(self, path: str) -> TextStep:
        if path in self._texts:
            return self._texts[path]
        yielding = self.corrected_entries
        before, made = map(self._text, self.all_steps.get(path, (None, None)))
        step = keeping_ids(TextStep(before, made, path, yielding=yielding), self.held & yielding)
        if self.only is not None and self.only_corrects_line(path, self.only):
            pass  # the line has no id, and the change did nothing else
        elif self.only is not None:
            ids = {self.only.correction_id} if is_correction_file(path) else self.only.corrects
            step = limited_to(step, StepPart(frozenset(ids)))
        else:
            if self.part is not None:
                step = limited_to(step, self.part)
            if self.spared:
                step = limited_to(step, StepPart(self.spared, is_rest=True))
        self._texts[path] = step
        return step

    def only_corrects_line(self, path: str, correction: Correction) -> bool:
        """Say whether, beside the ledgers, it changed one line of ``path``, that this corrects and that is not an entry."""
        if holds_entries(path) or self._beside_ledgers != [path]:
            return False
        before, made = map(self._text, self.all_steps[path])
        changed = reworded(before, made, path)
        if len(changed) != 1:
            return False
        return tuple(map(shortened, changed[0])) == (correction.said, correction.correct)

    @cached_property
    def _beside_ledgers(self) -> list[str]:
        return list(filterfalse(is_correction_file, self.all_steps))

    def whole_step(self, path: str) -> TextStep:
        old, new = self.all_steps[path]
        return TextStep(self._text(old), self._text(new), path)

    def _text(self, entry: TreeEntry | None) -> bytes:
        if entry is None or not is_file(entry):
            return b""
        return self.made.objects.blob(entry.object_id)


def moves_among(all_steps: dict[str, Pair]) -> dict[str, str]:
    left, came = {}, {}
    times: Counter[str] = Counter()
    for path, (old, new) in all_steps.items():
        times.update(entry.object_id for entry in (old, new) if entry is not None)
        if new is None and old is not None and is_file(old):
            left[old.object_id] = path
        elif old is None and new is not None and is_file(new):
            came[new.object_id] = path
    return {path: came[blob] for blob, path in left.items() if blob in came and times[blob] == 2}
