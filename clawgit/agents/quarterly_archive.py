"""`memory compact`: old notes into the archive of their quarter, `memory/archive/2026-Q1.md`, each whole; then out of the folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.memory.compaction.old_notes import (
    DAILY,
    NOTES,
    OldNote,
    archive_path,
    grown_archive,
    is_archived,
    old_notes,
    quarter_of,
)
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


LEAST_DAYS = 1  # today's note is still written to


class Eligible(NamedTuple):
    """A note that is old enough, and whether the committed archive of its quarter holds it as it reads now."""

    note: OldNote
    archived: bool

    @property
    def quarter(self) -> str:
        """Return its quarter."""
        return quarter_of(self.note.day)


def plain_old_notes(
    tree: Tree, on: date, days: int, *, archived: bool = False
) -> Iterator[tuple[OldNote, TreeEntry]]:
    """Yield the notes that are more than ``days`` old, ``archived`` ones too; what is no plain file is none."""
    paths = [f"{NOTES}{name}" for name in tree.names(NOTES.rstrip("/"))]
    if archived:
        paths += [path for path, _ in tree.files(below=DAILY.rstrip("/"))]
    for note in old_notes(paths, on, days):
        entry = tree.entry(note.path)
        if entry is not None and entry.mode in (FILE, EXECUTABLE):
            yield note, entry


def eligible_notes(tree: Tree, on: date, days: int) -> list[Eligible]:
    """Return the dated notes of a state that are ``days`` old or older, the oldest first; today's never is."""
    archives: dict[str, bytes] = {}
    eligible = []
    for note, _ in plain_old_notes(tree, on, max(days, LEAST_DAYS) - 1, archived=True):
        path = archive_path(note)
        if path not in archives:
            archives[path] = tree.read(path) or b""
        eligible.append(Eligible(note, is_archived(note, tree.read(note.path) or b"", archives[path])))
    return eligible


def archive_quarters(history: History, days: int, intent: Intent) -> Recorded:
    """Copy the old notes into the archives of their quarters; they stay where they are."""

    def plan(tree: Tree) -> Plan:
        quarters: dict[str, list[OldNote]] = {}
        for each in eligible_notes(tree, intent.now.date(), days):
            if not each.archived:
                quarters.setdefault(archive_path(each.note), []).append(each.note)
        edits = []
        for path, notes in quarters.items():
            texts = [(note, tree.read(note.path) or b"") for note in notes]
            edits.append(Edit(path, grown_archive(tree.read(path) or b"", quarter_of(notes[0].day), texts)))
        count = sum(map(len, quarters.values()))
        summary = f"compact: {_notes_told(count)} copied into {', '.join(sorted(quarters))}"
        return Plan(summary, tuple(edits), verbatim=True) if edits else Plan("")

    return apply_plan(history, plan, intent)


def remove_archived(history: History, days: int, intent: Intent) -> Recorded:
    """Remove the old notes whose present text is in the committed archive of their quarter, and no other."""

    def plan(tree: Tree) -> Plan:
        archived = [each for each in eligible_notes(tree, intent.now.date(), days) if each.archived]
        quarters: dict[str, list[Eligible]] = {}
        for each in archived:
            quarters.setdefault(archive_path(each.note), []).append(each)
        losses = []
        for path, notes in quarters.items():
            removed = f"{notes[0].note.path}: {_notes_told(len(notes))} of {notes[0].quarter} removed"
            way_back = "`clawgit undo` of this change or `clawgit memory revive PATH` brings the files back"
            losses.append(("Clawgit-Loss", f"{removed}; {path} has their text, {way_back}"))
        edits = tuple(Edit(each.note.path, None) for each in archived)
        summary = f"compact: {_notes_told(len(archived))} removed, archived before"
        return Plan(summary, edits, trailers=tuple(losses))

    return apply_plan(history, plan, intent)


def _notes_told(count: int) -> str:
    return "1 note" if count == 1 else f"{count} notes"
