"""The parts of a dated note: its sections and loose blocks, which of them can be promoted, and how one gets into core memory. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import EntryError
from clawgit.memory.entries.entry_marks import without_notes
from clawgit.memory.entries.own_section import core_file
from clawgit.memory.entries.statements import without_time
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.promotion.trigger_scores import Scored, score_of
from clawgit.text.markdown.block_structure import trim_blank
from clawgit.text.markdown.blocks import HEADINGS, Block, blocks, ends_open
from clawgit.text.markdown.lines import line_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date


DEEPEST = 3  # a heading below that opens no part of its own
LEAST = 40  # hundredths
DAYS = 7
ROUTINE_DAYS = 5  # a line that is in so many notes is routine, and worth nothing by being repeated


class Part(NamedTuple):
    """A part of a note: its title (empty where it has none but a time of day), its lines (0-based, end exclusive), and its text.

    ``begins`` is its first line, the heading included; its words begin at ``first``.
    """

    title: str
    begins: int
    first: int
    last: int
    text: str

    @property
    def scored(self) -> str:
        """Return what is looked at: the title counts with the text."""
        return f"{self.title}\n{self.text}" if self.title else self.text


def parts_of(data: bytes) -> list[Part]:
    """Return the parts of a note in their order; one without words of its own is none."""
    lines = split_lines(data)
    found = blocks(data)
    opening = [block for block in found if block.kind in HEADINGS[:DEEPEST] and not block.inside]
    edges = [*(block.first for block in opening), len(lines)]
    parts = _loose(lines, found, 0, edges[0])
    for heading, end in zip(opening, edges[1:], strict=True):
        if heading.kind == HEADINGS[0]:
            parts += _loose(lines, found, heading.last, end)
        else:
            last = trim_blank(lines, heading.last, end)
            title = without_time(" ".join(heading.content.split()))
            parts.append(Part(title, heading.first, heading.last, last, _text(lines, heading.last, last)))
    return [part for part in parts if part.text.strip()]


def without_parts(data: bytes, parts: Iterable[Part]) -> bytes:
    """Return the note without these parts; all else stays, and no two blank lines are left where one went."""
    lines = split_lines(data)
    gone = {at for part in parts for at in range(part.begins, part.last)}
    kept: list[bytes] = []
    for at, line in enumerate(lines):
        follows_gone = at and at - 1 in gone and not line.strip()
        if at in gone or (follows_gone and (not kept or not kept[-1].strip())):
            if follows_gone and at not in gone:
                gone.add(at)
            continue
        kept.append(line)
    ended = trim_blank(lines, 0, len(lines)) - 1 in gone  # nothing stands any more where blank lines led to
    return b"".join(kept[: trim_blank(kept, 0, len(kept))] if ended else kept)


def _loose(lines: list[bytes], found: list[Block], first: int, last: int) -> list[Part]:
    """Return each block between two lines as a part: an item with what is below it, or a paragraph."""
    here = [
        block
        for block in found
        if first <= block.first < last and block.kind not in HEADINGS and _is_outermost(block)
    ]
    ends = [trim_blank(lines, block.first, block.last) for block in here]
    return [
        Part("", block.first, block.first, end, _text(lines, block.first, end))
        for block, end in zip(here, ends, strict=True)
    ]


def _is_outermost(block: Block) -> bool:
    return not block.inside or (
        block.kind == "list_item" and len(block.inside) == 1 and block.inside[0].endswith("list")
    )


def _text(lines: list[bytes], first: int, last: int) -> str:
    return b"".join(lines[first:last]).decode("utf-8", "replace")


class Promotable(NamedTuple):
    """A part of a note, and how sure it is that it is worth keeping; ``sessions`` is in how many it was needed."""

    path: str
    part: Part
    scored: Scored
    sessions: int = 0


def recent(paths: Iterable[str], on: date, days: int) -> list[str]:
    """Return the dated notes of the last days, the oldest first; those of days to come are none."""
    dated = ((date_of(path), path) for path in paths)
    return [
        path
        for day, path in sorted((day, path) for day, path in dated if day is not None)
        if 0 <= (on - day).days <= days
    ]


def promotable(
    notes: Mapping[str, bytes], wrong: Iterable[str] = (), *, least: int = LEAST
) -> list[Promotable]:
    """Return the parts of notes that score at least ``least``, the surest first.

    What says again what a correction found ``wrong`` is left out, and what only repeats the routine of other days.
    """
    routine = _routine(notes.values())
    refused = [each.casefold() for each in wrong if each]
    found = []
    for path, data in notes.items():
        for part in parts_of(data):
            scored = score_of(part.scored)
            text = part.text.casefold()
            if scored.score < least or any(each in text for each in refused) or _is_routine(part, routine):
                continue
            found.append(Promotable(path, part, scored))
    return sorted(found, key=lambda each: (-each.scored.score, each.path, each.part.begins))


def target_of(categories: Iterable[str], exists: Callable[[str], bool]) -> str:
    """Return the file of the strongest category that has one (`memory/legal.md`, `memory/decisions.md`), else MEMORY.md."""
    strongest = next(iter(categories), "")
    for name in (strongest, f"{strongest}s"):
        path = f"memory/{name}.md"
        if strongest and exists(path):
            return path
    return core_file(exists)


def _routine(texts: Iterable[bytes]) -> frozenset[bytes]:
    days = Counter(line for data in texts for line in {_bare(line) for line in split_lines(data)})
    return frozenset(line for line, number in days.items() if line and number >= ROUTINE_DAYS)


def _is_routine(part: Part, routine: frozenset[bytes]) -> bool:
    lines = [line for each in part.text.encode().splitlines() if (line := _bare(each))]
    return all(line in routine for line in lines)


def _bare(line: bytes) -> bytes:
    return b" ".join(without_notes(line).split())


def with_part(data: bytes, title: str, day: date, body: Sequence[bytes]) -> bytes:
    """Return ``data`` with the lines of a part at its end, or at the end of the section that has their heading already.

    The heading is `## TITLE (2026-03-19)`, or the day where there is no title.

    Raises:
        EntryError: The text, or what would be added, ends inside open code or an open comment.
    """
    end = line_end(data or b"".join(body))
    if ends_open(data) or ends_open(b"".join(body)):
        raise EntryError("It ends inside an open code block or comment.", hint="Close it first.")
    name = f"{title} ({day})" if title else day.isoformat()
    lines = split_lines(data)
    at = _end_of_section(data, name, len(lines))
    before = b"".join(lines[:at] if at else lines)
    after = b"".join(lines[at:] if at else [])
    text = b"".join(body).strip(b"\r\n") + end
    before = before.rstrip(b"\r\n")
    if not at:
        heading = f"## {name}".encode("utf-8", "surrogateescape")
        before = before + 2 * end + heading if before else heading
        return before + 2 * end + text
    goes_on = split_lines(before)[-1].lstrip().startswith((b"-", b"*", b"+")) and text.startswith(
        (b"-", b"*", b"+")
    )
    return (
        before
        + (end if goes_on else 2 * end)
        + text
        + (end + after.lstrip(b"\r\n") if after.strip() else b"")
    )


def _end_of_section(data: bytes, name: str, last: int) -> int:
    """Return the line at which the section of that name ends, 0 where there is none."""
    headings = [block for block in blocks(data) if block.kind in HEADINGS and not block.inside]
    for number, block in enumerate(headings):
        if " ".join(block.content.split()) == name:
            level = HEADINGS.index(block.kind)
            below = (each.first for each in headings[number + 1 :] if HEADINGS.index(each.kind) <= level)
            return next(below, last)
    return 0
