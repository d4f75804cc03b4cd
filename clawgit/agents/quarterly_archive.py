"""`memory compact`: old notes into the archive of their quarter, `memory/archive/2026-Q1.md`, each whole; then out of the folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.memory.compaction.old_notes import DAILY, NOTES, OldNote, old_notes
from clawgit.memory.entries.entries import EntryError
from clawgit.plan import Edit, Plan
from clawgit.text.markdown.blocks import ends_open
from clawgit.text.markdown.lines import line_end

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


ARCHIVES = "memory/archive/"
LEAST_DAYS = 1  # today's note is still written to
_CLOSING = (b"```", b"~~~", b"````", b"-->")


def quarter_of(day: date) -> str:
    """Return the calendar quarter of a day: `2026-Q1`."""
    return f"{day.year:04}-Q{(day.month + 2) // 3}"


def archive_path(note: OldNote) -> str:
    """Return the archive to which a note belongs."""
    return f"{ARCHIVES}{quarter_of(note.day)}.md"


def section_of(note: OldNote, data: bytes) -> bytes:
    """Return a note as its archive holds it: below a heading with its name, its own bytes, and a line end."""
    end = line_end(data)
    title = f"# {note.stem}".encode("utf-8", "surrogateescape")
    first = data.removeprefix(b"\xef\xbb\xbf").split(end, 1)[0].rstrip()
    head = b"" if first == title else title + 2 * end
    return head + data + (b"" if data.endswith((b"\n", b"\r")) else end)


def is_archived(note: OldNote, data: bytes, archive: bytes) -> bool:
    """Say whether an archive holds the note as it reads now: what is in it counts, and no mark beside it."""
    section = section_of(note, data)
    at = archive.find(section)
    while at > 0 and archive[at - 1 : at] not in (b"\n", b"\r"):
        at = archive.find(section, at + 1)
    return at >= 0


def grown_archive(data: bytes, quarter: str, notes: Sequence[tuple[OldNote, bytes]]) -> bytes:
    """Return a quarter's archive with these notes at its end; those that it holds as they read now are left out.

    A note that ends inside open code is closed below its text, so that it takes no other in.

    Raises:
        EntryError: The archive, or a note whatever is put below it, ends inside open code or an open comment.
    """
    missing = [(note, text) for note, text in notes if not is_archived(note, text, data)]
    if not missing:
        return data
    if ends_open(data):
        raise EntryError("It ends inside an open code block or comment.", hint="Close it first.")
    data = data or f"# Archive of {quarter}\n\nOld notes, word for word, the oldest first.\n".encode()
    for note, text in missing:
        end = line_end(data)
        if not data.endswith((b"\n", b"\r")):
            data += 2 * end
        elif not data.endswith(2 * end):
            data += end
        data += _closed(note, section_of(note, text))
    return data


def _closed(note: OldNote, section: bytes) -> bytes:
    if not ends_open(section):
        return section
    end = line_end(section)
    tried = (section + closing + end for closing in _CLOSING)
    found = next((text for text in tried if not ends_open(text)), None)
    if found is None:
        raise EntryError(f"{note.path} ends inside an open code block or comment.", hint="Close it there.")
    return found


class Eligible(NamedTuple):
    """A note that is old enough, and whether the committed archive of its quarter holds it as it reads now."""

    note: OldNote
    archived: bool

    @property
    def quarter(self) -> str:
        """Return its quarter."""
        return quarter_of(self.note.day)


def eligible_notes(tree: Tree, on: date, days: int) -> list[Eligible]:
    """Return the dated notes of a state that are ``days`` old or older, the oldest first; today's never is."""
    archives: dict[str, bytes] = {}
    found = []
    for note in _notes(tree, on, days):
        path = archive_path(note)
        if path not in archives:
            archives[path] = tree.read(path) or b""
        found.append(Eligible(note, is_archived(note, tree.read(note.path) or b"", archives[path])))
    return found


def archive_quarters(history: History, days: int, intent: Intent) -> Recorded:
    """Copy the old notes into the archives of their quarters; they stay where they are.

    Raises:
        EntryError: An archive or a note ends inside open code; nothing was written.
    """

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


def _notes(tree: Tree, on: date, days: int) -> list[OldNote]:
    """Return the old notes of the folder of notes and of the daily archive; what is no plain file is none."""
    paths = [f"{NOTES}{name}" for name in tree.names(NOTES.rstrip("/"))]
    paths += [path for path, _ in tree.files(below=DAILY.rstrip("/"))]
    found = old_notes(paths, on, max(days, LEAST_DAYS) - 1)
    modes = ((note, tree.entry(note.path)) for note in found)
    return [note for note, entry in modes if entry is not None and entry.mode in (FILE, EXECUTABLE)]


def _notes_told(count: int) -> str:
    return "1 note" if count == 1 else f"{count} notes"
