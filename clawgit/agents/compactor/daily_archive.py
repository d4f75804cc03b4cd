"""Old daily notes: their month's chronicle tells of them first, then they move to the archive, byte for byte."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.agents.compactor.quarterly_plans import plain_old_notes
from clawgit.errors import ClawgitError
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.history.guards.check import check, stopping
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.evidence_cited import lowest_trust
from clawgit.history.reading.git_log import git_output
from clawgit.history.transaction.drafts import Draft, folders_above
from clawgit.memory.compaction.chronicle import (
    Told,
    Week,
    by_month,
    chronicle_path,
    grown_chronicle,
    name_of,
    told_in,
    week_of,
)
from clawgit.memory.compaction.extract import NoteText, extract
from clawgit.memory.compaction.old_notes import (
    DAILY,
    OldNote,
    archived_path,
    free_place,
)
from clawgit.memory.entries.tiers import is_derived
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.trust import HOST
from clawgit.plan import Edit, Plan
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction

NAME = "memory-compactor"


class Aged(NamedTuple):
    """An old note and the text that it has: another text is another input."""

    note: OldNote
    blob_id: str
    executable: bool = False


def aged_notes(history: History, now: datetime) -> list[Aged]:
    """Return the notes that are older than `compaction_age_days`.

    What is no plain file stays where it is, and so does a note that was archived and that somebody brought back.
    """
    tree = history.tip().tree
    aged = [
        Aged(_placed(tree, note), entry.object_id, entry.mode == EXECUTABLE)
        for note, entry in plain_old_notes(tree, now.date(), history.settings.compaction_age_days)
    ]
    left = _left_the_archive(history) if aged else frozenset()
    return [each for each in aged if archived_path(each.note) not in left]


def _placed(tree: Tree, note: OldNote) -> OldNote:
    """Return a note with its place: of a day that was archived before, the chronicle tells under another name."""
    if tree.entry(archived_path(note)) is None:
        return note
    return note._replace(
        place=free_place(note, tree.read(note.path) or b"", lambda path: _standing(tree, path))
    )


def _left_the_archive(history: History) -> frozenset[str]:
    """Return the notes of the archive that a later change took out of it again."""
    asked = ("log", "--no-renames", "--diff-filter=D", "--name-only", "--format=", "-z")
    names = git_output(history, *asked, history.tip().commit_id or "HEAD", "--", DAILY).split(b"\0")
    return frozenset(os.fsdecode(name.strip(b"\n")) for name in names if name)


def untold(tree: Tree, aged: Iterable[Aged]) -> tuple[Aged, ...]:
    """Return the notes of which their month's chronicle does not tell yet."""
    told: dict[str, frozenset[str]] = {}
    found = []
    for each in aged:
        path = chronicle_path(each.note.day)
        if path not in told:
            told[path] = told_in(tree.read(path) or b"")
        if name_of(each.note) not in told[path]:
            found.append(each)
    return tuple(found)


def in_batches(tree: Tree, aged: Sequence[Aged], most: int) -> list[tuple[Aged, ...]]:
    """Return notes in groups of at most ``most`` bytes, so that no change is refused for its size."""
    groups: list[list[Aged]] = []
    size = most + 1
    for each in aged:
        here = len(tree.read(each.note.path) or b"")
        if size + here > most:
            groups.append([])
            size = 0
        groups[-1].append(each)
        size += here
    return [tuple(group) for group in groups]


def _input_of(what: str, aged: Iterable[Aged]) -> str:
    said = "\0".join((what, *(f"{each.note.path}\0{each.blob_id}" for each in aged)))
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _unchanged(tree: Tree, aged: Iterable[Aged]) -> tuple[list[Aged], list[str]]:
    """Return the notes that still read as they did, and a sentence on each that does not."""
    same, left = [], []
    for each in aged:
        entry = tree.entry(each.note.path)
        if entry is not None and entry.object_id == each.blob_id:
            same.append(each)
        else:
            left.append(f"{each.note.path} was edited meanwhile; it is archived next time.")
    return same, left


@dataclass(frozen=True)
class Chronicler(NothingFollows):
    """The agent that tells of old notes in their months' chronicles; ``stories`` are what a model told of a week."""

    history: History
    aged: tuple[Aged, ...]
    now: datetime
    stories: Mapping[Week, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    tokens: int = 0
    name: str = NAME

    @property
    def trust(self) -> str:
        """Return what the chronicle rests on: its notes, and never more than the agent's own word."""
        paths = [each.note.path for each in self.aged]
        return lowest([HOST, lowest_trust(self.history, self.history.tip().tree, paths)])

    @property
    def input_id(self) -> str:
        """Return which notes it tells of."""
        return _input_of("chronicle", self.aged) if self.aged else ""

    def plan(self, tree: Tree) -> Planned:
        """Return the chronicles with what these notes tell; a month whose chronicle cannot be written waits."""
        aged, left = _unchanged(tree, self.aged)
        corrections = list(standing_corrections(tree).values())
        edits: list[Edit] = []
        for path, notes in by_month(each.note for each in aged).items():
            told = [self._told(tree, week, of_week, corrections) for week, of_week in _by_week(notes).items()]
            try:
                _refuse_place(tree, path)
                edits.append(Edit(path, grown_chronicle(tree.read(path) or b"", told)))
            except ClawgitError as error:
                left.append(f"{path}: {error.message} Its notes stay.")
        if not edits:
            return Planned(left_out=(*self.notes, *left), tokens=self.tokens)
        months = "1 month" if len(edits) == 1 else f"{len(edits)} months"
        plan = Plan(
            f"chronicle: {_count(aged)} of {months} told",
            tuple(edits),
            f"They are older than {self.history.settings.compaction_age_days} days and move to the archive next.",
        )
        return Planned(plan, (*self.notes, *left), self.tokens)

    def _told(
        self, tree: Tree, week: Week, notes: Sequence[OldNote], corrections: Sequence[Correction]
    ) -> Told:
        wrong = [each.said for each in corrections if each.holds]
        lines = self.stories.get(week)
        if lines is None:
            lines = extract([NoteText(note.day, tree.read(note.path) or b"") for note in notes], wrong)
        first, last = week.first.isoformat(), week.last.isoformat()
        set_right = tuple(
            f"{each.at[:10]}: Corrected: {each.correct} (x:{each.correction_id})"
            for each in corrections
            if each.holds and first <= each.at[:10] <= last
        )
        return Told(week, (*lines, *set_right), tuple(notes))


@dataclass(frozen=True)
class Archiver(NothingFollows):
    """The agent that moves old notes to the archive: those only of which a committed chronicle tells."""

    history: History
    aged: tuple[Aged, ...]
    now: datetime
    name: str = NAME
    trust: str = ""

    @property
    def input_id(self) -> str:
        """Return which notes it moves."""
        return _input_of("archive", self.aged) if self.aged else ""

    def plan(self, tree: Tree) -> Planned:
        """Return the moves; a note that a guard would not let move stays, and the others go on."""
        aged, left = _unchanged(tree, self.aged)
        waiting = {each.note.path for each in untold(tree, aged)}
        left += [f"{path} stays: no chronicle tells of it yet." for path in sorted(waiting)]
        moves = [move for each in aged if each.note.path not in waiting and (move := _move(tree, each, left))]
        refused = self._refused(tree, moves)
        left += [
            f"{move[0].path} stays: {refused[move[0].path]}" for move in moves if move[0].path in refused
        ]
        moves = [move for move in moves if move[0].path not in refused]
        if not moves:
            return Planned(left_out=tuple(left))
        plan = Plan(
            f"archive: {len(moves)} daily note{'s' * (len(moves) > 1)} moved to Archive/Daily",
            tuple(edit for move in moves for edit in move),
            f"Older than {self.history.settings.compaction_age_days} days. Searches find them there;"
            " `clawgit undo` of this run moves them back.",
            verbatim=True,
        )
        return Planned(plan, tuple(left))

    def _refused(self, tree: Tree, moves: Sequence[tuple[Edit, ...]]) -> dict[str, str]:
        """Return note → what a guard has against its move."""
        contents = {
            edit.path: None if edit.data is None else FileContent(edit.data, bool(edit.executable))
            for move in moves
            for edit in move
        }
        if not contents:
            return {}
        intent = Intent("", NAME, self.now)
        found = stopping(check(tree, Draft(tree, contents), intent, self.history.settings))
        source = {edit.path: move[0].path for move in moves for edit in move}
        return {source[each.where]: each.sentence for each in found if each.where in source}


def _move(tree: Tree, aged: Aged, left: list[str]) -> tuple[Edit, ...]:
    """Return the edits that move a note, none where something stands in the way."""
    data = tree.read(aged.note.path) or b""
    place = free_place(aged.note, data, lambda path: _standing(tree, path))
    try:
        _refuse_place(tree, place)
    except ClawgitError as error:
        left.append(f"{aged.note.path} stays: {error.message}")
        return ()
    gone = Edit(aged.note.path, None)
    return (gone,) if tree.entry(place) is not None else (gone, Edit(place, data, aged.executable))


def _standing(tree: Tree, path: str) -> bytes | None:
    """Return the text of a file; of a link or a folder, what no note has."""
    entry = tree.entry(path)
    data = tree.content(entry)
    return data if entry is None or data is not None else b"\0"


def _refuse_place(tree: Tree, path: str) -> None:
    """Refuse a place above which, or at which, stands what is neither a folder nor a plain file.

    Raises:
        ClawgitError: It is.
    """
    for above in folders_above(path):
        entry = tree.entry(above)
        if entry is not None and not entry.is_folder:
            raise ClawgitError(f"{above} is a file or a link, so nothing can be archived below it.")
    entry = tree.entry(path)
    if is_derived(path) or (entry is not None and entry.mode not in (FILE, EXECUTABLE)):
        raise ClawgitError(f"{path} is no plain file.")


def _by_week(notes: Iterable[OldNote]) -> dict[Week, list[OldNote]]:
    found: dict[Week, list[OldNote]] = {}
    for note in notes:
        found.setdefault(week_of(note.day), []).append(note)
    return found


def _count(aged: Sequence[Aged]) -> str:
    return "1 daily note" if len(aged) == 1 else f"{len(aged)} daily notes"
