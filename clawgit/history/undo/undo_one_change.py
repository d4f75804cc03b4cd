"""One change taken out of the files: file by file, and entry by entry where those went to other files since."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.history.git.trees import EXECUTABLE
from clawgit.history.transaction.drafts import is_file, kind_of
from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.entries.tiers import holds_entries, is_correction_file, is_derived, is_export
from clawgit.memory.undo.unit_steps import (
    Part,
    TextStep,
    keeping_ids,
    limited_to,
    with_earlier_words,
    without_step,
)
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.merge_lines import Conflict
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit, TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Pair, Tree
    from clawgit.history.reading.git_log import Renames
    from clawgit.history.transaction.drafts import WorkFiles
    from clawgit.memory.corrections.correction_log import Correction

_SHOWN_LINES = 3


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
        steps = {}
        for path, (old, new) in self.all_steps.items():
            if path in moved or not self._may_hold_part(path):
                continue
            step = self.text_step(path)
            if step.before != step.made:
                in_one_mode = old if old is None or new is None else old._replace(mode=new.mode)
                steps[path] = (in_one_mode, new)
        return steps

    def _may_hold_part(self, path: str) -> bool:
        if self.only is None:
            return path.endswith(".md")
        if is_correction_file(path):
            return self.only.correction_id not in self._corrections_in(self.before)
        return holds_entries(path)

    def _corrections_in(self, tree: Tree) -> dict[str, Correction]:
        """Return by id the corrections that the changed ledgers have in a state."""
        found: dict[str, Correction] = {}
        for path in filter(is_correction_file, self.all_steps):
            found |= {each.correction_id: each for each in read_corrections(tree.read(path) or b"", path)}
        return found

    @cached_property
    def corrections(self) -> dict[str, Correction]:
        """Return the corrections that the change brought, by id."""
        new = self._corrections_in(self.made)
        for key in self._corrections_in(self.before):
            new.pop(key, None)
        return {key: each for key, each in new.items() if self.only is None or key == self.only.correction_id}

    @cached_property
    def corrected_entries(self) -> frozenset[str]:
        """Return the ids of the entries that it corrected."""
        made = [*self.corrections.values(), *([] if self.only is None else [self.only])]
        return frozenset(entry_id for each in made for entry_id in each.corrects)

    def text_step(self, path: str) -> TextStep:
        """Return what it did to one file's text."""
        if path in self._texts:
            return self._texts[path]
        yielding = self.corrected_entries
        before, made = (self._text(entry) for entry in self.all_steps.get(path, (None, None)))
        step = keeping_ids(TextStep(before, made, path, yielding=yielding), self.held & yielding)
        if self.only is not None:
            ids = {self.only.correction_id} if is_correction_file(path) else self.only.corrects
            step = limited_to(step, Part(frozenset(ids)))
        else:
            if self.part is not None:
                step = limited_to(step, self.part)
            if self.spared:
                step = limited_to(step, Part(self.spared, is_rest=True))
        self._texts[path] = step
        return step

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


def _moves(all_steps: dict[str, Pair]) -> dict[str, str]:
    """Return old → new path of the files that only went elsewhere."""
    steps = all_steps.items()
    left = {
        old.object_id: path for path, (old, new) in steps if old is not None and new is None and is_file(old)
    }
    came = {
        new.object_id: path for path, (old, new) in steps if new is not None and old is None and is_file(new)
    }
    times = Counter(entry.object_id for _, pair in steps for entry in pair if entry is not None)
    return {path: came[blob] for blob, path in left.items() if blob in came and times[blob] == 2}


@dataclass(slots=True)
class TakingOut:
    """Takes one change out of ``files``; what cannot be is noted there."""

    files: WorkFiles
    change: OneChange
    renames: Renames
    strays: frozenset[str] = frozenset()

    def run(self) -> None:
        """Take the change out of every file that it touched, and of those to which its entries went."""
        steps = self.change.steps
        moves = {}
        for old_path, new_path in _moves(steps).items():
            if self.files.content(old_path) is None and self.files.content(self._place(new_path)) is not None:
                moves[old_path] = new_path
        self._take_out_strays([path for path in steps if holds_entries(path)])
        for path, (old, new) in steps.items():
            if is_derived(path):
                self.files.notes[f"{path} is rendered from the history, so it is left alone."] = None
            elif not (is_file(old) and is_file(new)):
                self._refuse_other_kind(path, old, new)
            elif path in moves:
                self._move_back(path, moves[path])
            elif path not in moves.values():
                self._take_out(path, old, new)

    def _place(self, path: str) -> str:
        if self.files.content(path) is not None:
            return path
        went = self.renames.follow(path, self.change.commit.commit_id)
        return path if went is None or self.files.content(went) is None else went

    def _move_back(self, old: str, new: str) -> None:
        place = self._place(new)
        here = self.files.content(place)
        if here is not None:
            was, became = self.change.steps[old][0], self.change.steps[new][1]
            self.files.put(old, here._replace(executable=_mode_without(was, became, here)))
            self.files.put(place, None)

    def _refuse_other_kind(self, path: str, old: TreeEntry | None, new: TreeEntry | None) -> None:
        """Refuse what is no plain file, unless it reads as before already."""
        if path not in self.files.contents and self.files.tree.entry(path) == old:
            return
        kind = kind_of(old if is_file(new) else new)
        if old is None:
            did = "made"
        elif new is None:
            did = "removed"
        else:
            did = "changed"
        self.files.refusals[
            f"{self.change.commit.commit_id[:12]} {did} {path}, {kind}; clawgit writes plain files only."
        ] = None

    def _take_out(self, path: str, old: TreeEntry | None, new: TreeEntry | None) -> None:
        place = path if new is None else self._place(path)
        here = self.files.content(place)
        if here is None:
            self._take_out_of_nothing(place, old, new)
        elif new is None:
            self._refuse_second(place, here)
        else:
            text = self._without(place, self.change.text_step(path), here)
            gone = old is None and not text.strip()
            self.files.put(place, None if gone else FileContent(text, _mode_without(old, new, here)))

    def _take_out_of_nothing(self, place: str, old: TreeEntry | None, new: TreeEntry | None) -> None:
        """Bring a file back that the change removed; one that is gone since stays away."""
        entry = self.files.tree.entry(place)
        if entry is not None and place not in self.files.contents:
            self.files.refusals[f"{place} is {kind_of(entry)} now; clawgit writes plain files only."] = None
        elif new is None and old is not None:
            data = self._without(place, self.change.text_step(place), FileContent(b""))
            self.files.put(place, FileContent(data, old.mode == EXECUTABLE))
        else:
            self.files.notes[f"{place} is gone since, so there is nothing to take back in it."] = None
            self.files.miss(self.change.text_step(place), b"")

    def _refuse_second(self, path: str, here: FileContent) -> None:
        """Refuse to mix a file that the change removed with one that was made again at its place."""
        old = self.change.before.read(path) or b""
        if here.data != old:
            now, then = (tuple(split_lines(data)[:_SHOWN_LINES]) for data in (here.data, old))
            self.files.conflicts[path] = (Conflict(1, (), now, then),)

    def _without(self, place: str, step: TextStep, here: FileContent) -> bytes:
        step = replace(step, path=place, elsewhere=self._elsewhere(place, step))
        found = without_step(step, here.data)
        if found.conflicts and is_export(place, here.data):
            self.files.notes[f"{place} is a listing that the organizer renews, so it is left alone."] = None
            return here.data
        if found.conflicts:
            self.files.conflicts[place] = found.conflicts
        self.files.miss(step, here.data)
        return found.data

    def _elsewhere(self, place: str, step: TextStep) -> frozenset[str]:
        """Return the entries that the change took out of a file, or wrote there, and that are in another by now.

        What is there by the change's own doing does not count.
        """
        holders = self.files.holders(step.gone_ids(), besides={place})
        return self.strays | {
            entry_id for entry_id, path in holders.items() if not self._has_put(path, entry_id)
        }

    def _has_put(self, path: str, entry_id: str) -> bool:
        texts = (self.change.made.read(path), self.change.before.read(path))
        made, before = (marks_in(data or b"") for data in texts)
        return entry_id in made - before

    def _take_out_strays(self, paths: list[str]) -> None:
        """Take the change out of entries that it wrote and that are in other files by now."""
        steps = [self.change.text_step(path) for path in paths]
        for path, step in zip(paths, steps, strict=True):
            missing = step.written_ids() - self.files.ids(self._place(path))
            for entry_id, holder in self.files.holders(missing).items():
                if not self._has_put(holder, entry_id):
                    stood = (each.before for each in steps if entry_id in marks_in(each.before))
                    before = next(stood, step.before)
                    self._take_out_stray(holder, entry_id, replace(step, before=before))

    def _take_out_stray(self, holder: str, entry_id: str, step: TextStep) -> None:
        self.strays |= {entry_id}
        here = self.files.content(holder)
        found = with_earlier_words(self.files.data(holder), entry_id, step.before, step.made)
        if not found.conflicts and here is not None:
            self.files.put(holder, here._replace(data=found.data))
        elif entry_id not in step.yielding:
            self.files.conflicts[holder] = found.conflicts


def _mode_without(old: TreeEntry | None, new: TreeEntry | None, here: FileContent) -> bool:
    was, made = (here.executable if entry is None else entry.mode == EXECUTABLE for entry in (old, new))
    return was if here.executable == made else here.executable
