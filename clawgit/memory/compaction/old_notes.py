"""Daily notes that are past their age, and the place in the archive to which each moves. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.tiers import date_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

NOTES = "memory/"
DAILY = "Archive/Daily/"


class OldNote(NamedTuple):
    """A dated note that is past its age; notes of ended sessions are dated too.

    ``place``: where it is archived, where another text is at the usual place.
    """

    path: str
    day: date
    place: str = ""

    @property
    def name(self) -> str:
        """Return its file's name."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """Return its file's name in the archive without the ending."""
        return (self.place or self.path).rpartition("/")[2].removesuffix(".md")


def old_notes(paths: Iterable[str], on: date, days: int) -> list[OldNote]:
    """Return the dated ones among ``paths`` that are more than ``days`` old, the oldest first.

    A name with a day that no calendar has is not dated.
    """
    dated = ((path, date_of(path)) for path in paths)
    found = [OldNote(path, day) for path, day in dated if day is not None and (on - day).days > days]
    return sorted(found, key=lambda note: (note.day, note.path))


def archived_path(note: OldNote) -> str:
    """Return where a note is archived: `Archive/Daily/2026/03/2026-03-19.md`."""
    return f"{DAILY}{note.day:%Y/%m}/{note.name}"


def free_place(note: OldNote, data: bytes, read: Callable[[str], bytes | None]) -> str:
    """Return where a note can be archived without writing over another text: `….md`, else `…-2.md`, and so on.

    A file that has the note's own bytes is its place.
    """
    place, number = archived_path(note), 1
    while (there := read(place)) is not None and there != data:
        number += 1
        place = f"{archived_path(note).removesuffix('.md')}-{number}.md"
    return place
