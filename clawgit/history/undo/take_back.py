"""The files without certain changes or without one entry, file by file and entry by entry; nothing is written here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.trees import EXECUTABLE, Tree, correction_files, entry_files
from clawgit.history.provenance.correction_files import keep_in_ledgers, standing_corrections
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.reading.git_log import renamed_since
from clawgit.history.transaction.working_tree import WorkFiles, content_of, is_file, kind_of
from clawgit.history.undo.undo_targets import WHOLE_CHANGES, OneChange, Shares, moves_among, steps_of
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status, standing, with_correction
from clawgit.memory.entries.entries import line_name, lines_saying, marks_in
from clawgit.memory.entries.own_section import LEAD
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import holds_entries, is_correction_file, is_derived, is_export
from clawgit.memory.provenance.pieces import PLAIN
from clawgit.memory.undo.text_units import (
    HEADING,
    TextUnits,
    line_statements,
    with_lines_instead,
    without_entry,
    without_statement,
    words_of,
)
from clawgit.memory.undo.unit_steps import (
    StepPart,
    TextStep,
    homeless_lines,
    limited_to,
    lost_lines,
    without_step,
    without_units,
)
from clawgit.text.markdown.block_structure import rejoined
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.merge_lines import Conflict
from clawgit.text.safety.control_characters import few
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from clawgit.history.git.objects import Commit, TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.memory.undo.text_units import Statement

MOST_NAMED = 5
_SHOWN = 60
_SAID = {"Clawgit-Claims": "the claims", "Clawgit-Mention": "the mentions"}


def _find_undo_losses(
    files: WorkFiles, earlier: Mapping[str, FileContent | None], change: OneChange, *, alone: bool
) -> Iterator[str]:
    """Yield sentences on what taking one change out of ``files`` lost; ``alone``: no other is taken back."""
    present, result = [], []
    for path in files.contents:
        if not path.endswith(".md") or is_correction_file(path):
            continue
        before = earlier[path] if path in earlier else content_of(files.tree, path)
        old = b"" if before is None else before.data
        new = files.data(path)
        if files.content(path) != before and not (is_export(path, old) or is_export(path, new)):
            present.append(old)
            result.append(new)
    texts = (step for step in map(change.text_step, change.steps) if step.path.endswith(".md"))
    steps = [step for step in texts if not is_export(step.path, step.made or step.before)]
    lost = lost_lines(steps, present, result)
    if alone:
        lost += [line for line in homeless_lines(steps, present, result) if line not in lost]
    if not lost:
        return
    paths = dict.fromkeys([*(path for path, _ in files.tree.files()), *files.contents])
    there = lines_saying(files.data(path) for path in paths if path.endswith(".md"))
    marked: dict[bytes, frozenset[str]] = {}
    for step in steps:
        for line in split_lines(step.before):
            marked |= dict.fromkeys(lines_saying([line]), marks_in(line))
    for words in lost:
        if words not in there and not files.holders(marked.get(words, frozenset())):
            shown = words.decode("utf-8", "replace")[:_SHOWN]
            yield f"Without {change.commit.commit_id[:12]}, no file would say any more “{shown}”."


def _drop_emptied_headings(history: History, files: WorkFiles, commits: Collection[str]) -> None:
    """Take out headings that these commits or an agent wrote and the undo emptied; a file with nothing else is removed."""
    for path, content in list(files.contents.items()):
        before = files.tree.read(path)
        if content is None or before is None or not path.endswith(".md"):
            continue
        was = TextUnits(before, path)
        now = TextUnits(content.data, path)
        filled = {unit.words for at, unit in enumerate(was.units) if unit.kind == HEADING and was.holding(at)}
        for at in reversed(range(len(now.units))):
            unit = now.units[at]
            is_emptied = unit.kind == HEADING and unit.words in filled and not now.holding(at)
            if is_emptied and _is_own(history, unit.words, commits):
                now.instead[at] = []
        if now.instead:
            text = now.text()
            files.put(path, content._replace(data=text) if text.strip() else None)


def _is_own(history: History, heading: bytes, commits: Collection[str]) -> bool:
    words = heading.lstrip(b"#").strip().decode("utf-8", "replace")
    with present_fold(history) as store:
        origin = store.origin(PLAIN + words)
    return origin is not None and (origin.actor in AGENT_NAMES or origin.commit_id in commits)


UNDO = "undo"


class Taking(NamedTuple):
    """What is to be taken back: whole changes, newest first; an entry, wherever it is; a line of a file; or a correction.

    Of the changes behind a correction (and behind those before it), newest first, only that correction and the entries that
    it corrects are taken back; the words that it was made of (``linked``) are beside the line again.
    ``instead`` are the lines that come back in the place of the line. ``shares``: which changes are taken back in part;
    ``reworded`` are entries to which none is, since they were changed again. ``paths``: only what they did to these files is
    taken back, where any is named. ``verb`` and ``name`` make the first line of the commit that does it.
    """

    commits: tuple[Commit, ...]
    name: str
    verb: str = UNDO
    entry_id: str = ""
    line: tuple[str, Statement] | None = None
    instead: bytes = b""
    correction: Correction | None = None
    corrected_by: tuple[tuple[Commit, Correction], ...] = ()
    linked: tuple[bytes, Correction] | None = None
    shares: Shares = WHOLE_CHANGES
    reworded: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()

    @property
    def marks(self) -> list[str]:
        marks = []
        if self.entry_id:
            marks.append(f"m:{self.entry_id}")
        if self.correction is not None:
            marks.append(f"x:{self.correction.correction_id}")
        return marks


class Taken(NamedTuple):
    """The changed files (None: removed), and what is in the way.

    ``tree_id`` is the state that this was made from. ``refusals`` name what clawgit cannot write, ``notes`` what is left as
    it is; ``withdrawn`` corrections would go to the archive, ``restored`` ones would be in force again.
    """

    tree_id: str | None
    contents: dict[str, FileContent | None]
    conflicts: dict[str, tuple[Conflict, ...]]
    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    withdrawn: tuple[Correction, ...] = ()
    restored: tuple[Correction, ...] = ()


def take_back(history: History, tree: Tree, taking: Taking) -> Taken:
    files = WorkFiles(tree)
    removed: list[tuple[str, bytes, Iterable[str]]] = []
    if taking.entry_id:
        for path in entry_files(tree):
            if taking.entry_id in files.ids(path):
                removed.append((path, *without_entry(files.data(path), taking.entry_id, path)))
    if taking.line is not None:
        path, line = taking.line
        if taking.instead:
            removed.append((path, with_lines_instead(files.data(path), path, line, taking.instead), ()))
            for back in line_statements(taking.instead, path)[:1]:
                files.notes[f"What it replaced comes back: {parted(back.words).statement}"] = None
        else:
            removed.append((path, *without_statement(files.data(path), path, line)))
    for path, data, inner in removed:
        here = files.content(path)
        if here is not None:
            files.put(path, here._replace(data=data))
            for words in inner:
                files.notes[f"Also removed, since it is part of it: {words}"] = None
    brought, correcting = _take_out_changes(history, files, taking)
    brought |= _corrected_in(tree, taking)
    if taking.linked is not None:
        files.put(LEDGER, FileContent(with_correction(files.data(LEDGER), *taking.linked)))
    if taking.shares is not WHOLE_CHANGES:
        _drop_emptied_headings(history, files, {commit.commit_id for commit in taking.commits})
    withdrawn, again = keep_in_ledgers(files, brought)
    files.notes |= dict.fromkeys(_changed_again(files, correcting))

    contents = files.changed()
    notes = (*files.notes, *_spared(files, taking))
    return Taken(tree.tree_id, contents, files.conflicts, tuple(files.refusals), notes, withdrawn, again)


def _corrected_in(tree: Tree, taking: Taking) -> dict[str, Correction]:
    """Return the corrections that say only the removed entry or line: if kept, they would still be believed."""
    gone = {}
    for key, each in standing_corrections(tree).items():
        is_its_own = bool(taking.entry_id) and set(each.corrects) == {taking.entry_id}
        if taking.line is not None:
            is_its_own = each.correct == parted(taking.line[1].words).statement
        if each.holds and is_its_own:
            gone[key] = each
    return gone


def _take_out_changes(
    history: History, files: WorkFiles, taking: Taking
) -> tuple[dict[str, Correction], list[OneChange]]:
    changes: list[tuple[Commit, Correction | None]] = [(commit, None) for commit in taking.commits]
    changes += taking.corrected_by
    brought: dict[str, Correction] = {}
    if taking.correction is not None and taking.linked is None:
        brought[taking.correction.correction_id] = taking.correction
    corrections = standing_corrections(files.tree)
    correcting = []
    for commit, only in changes:  # one at a time: a change holds the texts that it touched
        done = steps_of(history, commit)
        left = [path for path in done if taking.paths and path not in taking.paths]
        if left:
            whole = f"`clawgit undo {commit.commit_id[:12]}` takes that back, too"
            files.notes[f"What it did to {few(left, MOST_NAMED)} stays; {whole}."] = None
        done = {path: step for path, step in done.items() if path not in left}
        part = taking.shares.parts.get(commit.commit_id)
        change = OneChange(commit, *history.around(commit), done, only, part)
        answered = _answered_since(files, change, brought)
        brought = change.corrections | brought  # as the tip has it, if one was named
        for key in answered:
            brought.pop(key)
            files.notes[f"x:{key} stays, since you said it: {answered[key].correct}"] = None
        corrected_ids: set[str] = set()
        for key, each in corrections.items():
            if key not in brought and each.status is not Status.WITHDRAWN:
                corrected_ids.update(each.corrects)
        change = replace(change, held=frozenset(corrected_ids), spared=taking.reworded.union(answered))
        earlier = dict(files.contents)
        TakingOut(files, change, history).run()
        if not files.conflicts:
            is_alone = len(changes) == 1
            files.refusals |= dict.fromkeys(_find_undo_losses(files, earlier, change, alone=is_alone))
        files.notes |= dict.fromkeys(_unnamed_notes(change))
        if change.corrected_entries:
            correcting.append(change)
    return brought, correcting


def _answered_since(files: WorkFiles, change: OneChange, named: Collection[str]) -> dict[str, Correction]:
    """Return corrections that a change brought as a link or a question, and that hold the operator's answer by now."""
    if not change.corrections:
        return {}
    paths = dict.fromkeys([*correction_files(files.tree), *filter(is_correction_file, files.contents)])
    now = standing(dict(zip(paths, map(files.data, paths), strict=True)))
    answered = {}
    for key, each in change.corrections.items():
        is_his = key in now and now[key].holds and now[key].status is not Status.UNDERSTOOD
        if is_his and not each.correct and key not in named:
            answered[key] = now[key]
    return answered


def _unnamed_notes(change: OneChange) -> Iterator[str]:
    """Yield sentences on lines without an id and thus without a source, of a change that is taken back in part."""
    if change.part is None:
        return
    evidence = [item.partition(" ")[0] for item in change.commit.evidence]
    wrote = Counter[bytes]()
    had = Counter[bytes]()
    for path in change.all_steps:
        if _is_text(path):  # a correction's lines go with its id
            made = split_lines(change.made.read(path) or b"")
            wrote.update(lines_saying(filterfalse(marks_in, made)))
            had.update(lines_saying([change.before.read(path) or b""]))
    for words in wrote - had:
        if words.startswith(LEAD.encode()):
            continue  # a pointer to entries that moved and stay there
        line = words.decode("utf-8", "replace")
        if not any(line_name(line, each) in change.part.lines for each in evidence):
            yield f"Without an id, it stays: “{line[:_SHOWN]}” ({change.commit.commit_id[:12]})."


def _spared(files: WorkFiles, taking: Taking) -> Iterator[str]:
    for commit in taking.commits:
        records = [what for key, what in _SAID.items() if commit.trailers.all(key)]
        if records:
            yield f"{' and '.join(records).capitalize()} of {commit.commit_id[:12]} stay: only files are taken back."
    for entry_id in sorted(files.holders(taking.shares.again)):
        yield f"m:{entry_id} stays: another message says the same; `clawgit undo m:{entry_id}` takes it out."
    count = len(files.holders(taking.shares.others))
    if count:
        what = "An entry that the same changes brought stays: it has"
        if count > 1:
            what = f"{count} entries that the same changes brought stay: they have"
        yield f"{what} another source."
    standing = [each for each in standing_corrections(files.tree).values() if each.holds]
    for entry_id in sorted(taking.reworded):
        correcting = (each for each in standing if entry_id in each.corrects)
        latest = max(correcting, key=lambda each: each.at, default=None)
        if latest is None:
            yield f"m:{entry_id} stays, since it was changed again; `clawgit undo m:{entry_id}` takes it out."
        else:
            undo = f"`clawgit undo x:{latest.correction_id}`"
            yield f"m:{entry_id} stays, since x:{latest.correction_id} set it right; {undo} comes before taking it back."


def _changed_again(files: WorkFiles, changes: list[OneChange]) -> Iterator[str]:
    """Yield sentences on entries that were changed again after their corrections (newest first): they stay as they are."""
    stays: dict[str, bool] = {}  # the oldest correction is last, and has the words from before
    for change in changes:
        ids = change.corrected_entries
        for path in [path for path in change.steps if ids and holds_entries(path)]:
            step = change.text_step(path)
            for entry_id, holder in files.holders(ids).items():
                before, made = (words_of(text, entry_id) for text in (step.before, step.made))
                if before != made:
                    stays[entry_id] = before != words_of(files.data(holder), entry_id)
    for entry_id, is_staying in stays.items():
        if is_staying:
            yield f"m:{entry_id} was changed again since, so it stays as it is now."


_SHOWN_LINES = 3


@dataclass(slots=True)
class TakingOut:
    """Takes one change out of ``files``, and notes there what it cannot."""

    files: WorkFiles
    change: OneChange
    history: History
    strays: frozenset[str] = frozenset()
    renames: dict[str, str] | None = None

    def run(self) -> None:
        """Take the change out of each file that it touched, and of those that its entries moved to."""
        steps = self.change.steps
        moves = {}
        for old_path, new_path in moves_among(steps).items():
            if self.files.content(old_path) is None and self.files.content(self._place(new_path)) is not None:
                moves[old_path] = new_path
        paths = list(filter(holds_entries, steps))
        gone = self.change.carry(
            {path: self.files.data(self._place(path)) for path in filter(_is_text, steps)}
        )
        if gone:
            note = f"Removed or moved again since, and left so: {gone:,} of the lines that it moved."
            self.files.notes[note] = None
        self._take_out_strays(paths)
        self._take_out_moved(paths)
        for path, (old, new) in steps.items():
            if is_derived(path):
                self.files.notes[f"{path} is rendered from the history, so it is left alone."] = None
            elif not (is_file(old) and is_file(new)):
                self._refuse_other_kind(path, old, new)
            elif path in moves:
                renamed = moves[path]
                place = self._place(renamed)
                here = self.files.content(place)
                if here is not None:
                    was, became = self.change.steps[path][0], self.change.steps[renamed][1]
                    self.files.put(path, here._replace(executable=_mode_without(was, became, here)))
                    self.files.put(place, None)
            elif path not in moves.values():
                self._take_out(path, old, new)

    def _place(self, path: str) -> str:
        if self.files.content(path) is not None:
            return path
        if self.renames is None:
            self.renames = renamed_since(self.history, self.change.commit.commit_id, self.files.tree.tree_id)
        renamed = self.renames.get(path, path)
        if self.files.content(renamed) is None:
            return path
        return renamed

    def _refuse_other_kind(self, path: str, old: TreeEntry | None, new: TreeEntry | None) -> None:
        if path not in self.files.contents and self.files.tree.entry(path) == old:
            return
        kind = kind_of(old if is_file(new) else new)
        text = f"{self.change.commit.commit_id[:12]} changed {path}, {kind}; clawgit writes plain files only."
        self.files.refusals[text] = None

    def _take_out(self, path: str, old: TreeEntry | None, new: TreeEntry | None) -> None:
        place = path if new is None else self._place(path)
        here = self.files.content(place)
        if here is None:
            self._take_out_of_nothing(place, old, new)
        elif new is None:
            before = self.change.before.read(place) or b""
            # a file remade in place of a removed one is not merged with it
            if here.data != before:
                now, then = (tuple(split_lines(data)[:_SHOWN_LINES]) for data in (here.data, before))
                self.files.conflicts[place] = (Conflict(1, (), now, then),)
        else:
            text = self._without(place, self.change.text_step(path), here)
            if old is None and not text.strip():
                self.files.put(place, None)
            else:
                self.files.put(place, FileContent(text, _mode_without(old, new, here)))

    def _take_out_of_nothing(self, place: str, old: TreeEntry | None, new: TreeEntry | None) -> None:
        """Restore a file that the change removed; one that was deleted later stays away."""
        entry = self.files.tree.entry(place)
        if entry is not None and place not in self.files.contents:
            self.files.refusals[f"{place} is {kind_of(entry)} now; clawgit writes plain files only."] = None
        elif new is None and old is not None:
            data = self._without(place, self.change.text_step(place), FileContent(b""))
            self.files.put(place, FileContent(data, old.mode == EXECUTABLE))
        else:
            self.files.notes[f"{place} is gone since, so there is nothing to take back in it."] = None

    def _without(self, place: str, step: TextStep, here: FileContent) -> bytes:
        # entries that the change removed from or wrote into a file, and that other changes moved to another one
        holders = self.files.holders(step.gone_ids(), besides={place}).items()
        gone = {entry_id for entry_id, path in holders if not self._has_put(path, entry_id)}
        step = step._replace(path=place, elsewhere=self.strays | gone)
        woven = without_step(step, here.data)
        if is_export(place, here.data) and not step.before:
            return b""  # the change made this listing, which may have been renewed since
        if woven.conflicts and is_export(place, here.data):
            return here.data  # the organizer renews it
        if woven.conflicts:
            self.files.conflicts[place] = woven.conflicts
        return woven.data

    def _has_put(self, path: str, entry_id: str) -> bool:
        step = self.change.text_step(path)
        return entry_id in marks_in(step.made) - marks_in(step.before)

    def _take_out_strays(self, paths: list[str]) -> None:
        steps = list(map(self.change.text_step, paths))
        for path, step in zip(paths, steps, strict=True):
            missing = step.written_ids() - self.files.ids(self._place(path))
            for entry_id, holder in self.files.holders(missing).items():
                if self._has_put(holder, entry_id):
                    continue
                self.strays |= {entry_id}
                stood = (each.before for each in steps if entry_id in marks_in(each.before))
                whole = step._replace(before=next(stood, step.before))
                here = self.files.content(holder)
                own = limited_to(whole, StepPart(frozenset({entry_id})))
                result = without_units(own, self.files.data(holder))
                if not result.conflicts and here is not None:
                    self.files.put(holder, here._replace(data=result.data))
                elif entry_id not in whole.yielding:
                    self.files.conflicts[holder] = result.conflicts

    def _take_out_moved(self, paths: list[str]) -> None:
        """Take lines without ids out of the files of memory that got them since."""
        steps = list(map(self.change.text_step, paths))
        brought = lines_saying(map(attrgetter("made"), steps)) - lines_saying(
            map(attrgetter("before"), steps)
        )
        brought -= lines_saying(map(self.files.data, paths))
        for holder in entry_files(self.files.tree) if brought else ():
            data = self.files.data(holder)
            moved = brought & (lines_saying([data]) - lines_saying([self.change.made.read(holder) or b""]))
            here = self.files.content(holder)
            if moved and here is not None:
                left = [line for line in split_lines(data) if not lines_saying([line]) & moved]
                here = here._replace(data=rejoined(left, data))
                self.files.put(holder, here if lines_saying(left) else None)


def _is_text(path: str) -> bool:
    return path.endswith(".md") and not (is_derived(path) or is_correction_file(path))


def _mode_without(old: TreeEntry | None, new: TreeEntry | None, here: FileContent) -> bool:
    is_changed_since = new is not None and here.executable != (new.mode == EXECUTABLE)
    if old is None or is_changed_since:
        return here.executable
    return old.mode == EXECUTABLE
