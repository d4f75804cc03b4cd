"""A month's chronicle, `Archive/Chronicles/2026-March.md`: what its notes tell, week by week, with the names of these. Pure."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import EntryError
from clawgit.memory.entries.own_section import parted_at
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.blocks import ends_open
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.memory.old_notes import OldNote

CHRONICLES = "Archive/Chronicles/"
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NOTES = lazy_pattern(r"(?m)^<!-- notes: (.*) -->\r?$")
_PLAIN = lazy_pattern(r"\w+(?:[.-]\w+)*")


class Week(NamedTuple):
    """The days of one week that lie in one month."""

    first: date
    last: date

    @property
    def title(self) -> str:
        """Return the heading of its section."""
        return f"{self.first} to {self.last}"


class Told(NamedTuple):
    """What a chronicle tells of a week: lines, and the notes that they were taken from."""

    week: Week
    lines: tuple[str, ...]
    notes: tuple[OldNote, ...]


def week_of(day: date) -> Week:
    """Return the week of a day, cut off where its month begins and ends."""
    monday = day - timedelta(days=day.weekday())
    begins = day.replace(day=1)
    ends = (begins + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    return Week(max(monday, begins), min(monday + timedelta(days=6), ends))


def chronicle_path(day: date) -> str:
    """Return the chronicle of a day's month."""
    return f"{CHRONICLES}{day.year:04}-{_MONTHS[day.month - 1]}.md"


def told_in(chronicle: bytes) -> frozenset[str]:
    """Return the names of the notes of which a chronicle tells."""
    return frozenset(
        name for names in _NOTES.findall(chronicle.decode("utf-8", "replace")) for name in names.split(", ")
    )


def name_of(note: OldNote) -> str:
    """Return the name by which a chronicle says that it tells of a note."""
    return note.stem if _PLAIN.fullmatch(note.stem) else note.stem.encode("utf-8", "surrogatepass").hex()


def grown_chronicle(data: bytes, told: Sequence[Told]) -> bytes:
    """Return a month's chronicle with what is told of its weeks, each below its heading; what is there stays.

    A line that a week has already is not repeated.

    Raises:
        EntryError: The text ends inside open code or an open comment.
    """
    if ends_open(data):
        raise EntryError("It ends inside an open code block or comment.", hint="Close it first.")
    if not data:
        day = told[0].week.first
        where = f"Archive/Daily/{day:%Y/%m}/"
        title = f"# {_MONTHS[day.month - 1]} {day.year}"
        says = f"What was noted in this month, by week. The notes themselves are in {where}, word for word."
        data = f"{title}\n\n{says}\n".encode()
    for each in told:
        data = _with_week(data, each)
    return data


def _with_week(data: bytes, told: Told) -> bytes:
    end = line_end(data)
    head, body, rest = parted_at(data, told.week.title)
    there = {without_end(line) for line in split_lines(body)}
    items = [item for line in told.lines if (item := f"- {line}".encode()) not in there]
    known = told_in(body)
    names = [name for note in told.notes if (name := name_of(note)) not in known]
    new = [end.join(items)] if items else []
    new += [f"<!-- notes: {', '.join(names)} -->".encode()] if names else []
    if not new:
        return data
    before = head.rstrip(b"\r\n") + 2 * end + (body.strip(b"\r\n") + 2 * end if body.strip() else b"")
    return before + (2 * end).join(new) + end + (end if rest else b"") + rest
