"""The place of new entries: the file and its section; notes in that of their day, lessons in a standing file.

Of a file that gets too long, the oldest entries move unchanged to a file of their topic or quarter, and a line links it.
"""

from __future__ import annotations

from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import (
    Entry,
    EntryError,
    Tag,
    add_entry,
    add_items,
    append_entry,
    is_alone,
    marks_in,
    read_entries,
    said_lines,
)
from clawgit.memory.entries.tiers import CORE, LEARNED, LEARNED_BEFORE, MEMORY_FILES
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.block_structure import HEADINGS, ends_open, headings_of, is_called, parted_at
from clawgit.text.markdown.lines import gap_below, line_end, split_lines, without_end, without_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clawgit.text.markdown.block_structure import Block


TITLE = "Lessons"
TOOLS_TITLE = "Tools"  # of AGENTS.md, without a TOOLS.md
OWN_TITLE = "Remembered"


def add_below(data: bytes, title: str, line_text: str) -> bytes:
    """Append an item to a section, which is created at the end if missing."""
    end = line_end(data)
    head, body, rest = parted_at(data, title)
    section = head + body
    added = add_entry(section, line_text)
    return added + (end if rest and not added.endswith(2 * end) else b"") + rest


def core_file(exists: Callable[[str], object]) -> str:
    """Return the file of core memory: MEMORY.md, or memory.md if only that exists."""
    return next(filter(exists, MEMORY_FILES), CORE)


def add_remembered(data: bytes, line_text: str) -> bytes:
    """Append an item at the end, or in clawgit's section if the file has others."""
    headings = _sections(data)
    own = next((at for at, each in enumerate(headings) if is_called(each, OWN_TITLE)), -1)
    if own < 0 or own + 1 == len(headings):
        return add_entry(ending_in_own_section(data), line_text)
    end = line_end(data)
    lines = split_lines(data)
    last = headings[own + 1].first
    added = add_entry(b"".join(lines[:last]), line_text)
    return added + (b"" if added.endswith(2 * end) else end) + b"".join(lines[last:])


def append_remembered(data: bytes, line_text: str) -> bytes:
    """Append like `add_remembered`, but keep all of ``data`` before it: for notes that only grow."""
    return append_entry(ending_in_own_section(data), line_text)


def ending_in_own_section(data: bytes) -> bytes:
    """Return ``data``, with clawgit's heading below if it ends in another's section."""
    headings = _sections(data)
    if not headings or is_called(headings[-1], OWN_TITLE):
        return data
    end = line_end(data)
    marks = b"#" * (HEADINGS.index(min(map(attrgetter("kind"), headings))) + 1)
    return data + gap_below(data, end) + marks + b" " + OWN_TITLE.encode() + end


def _sections(data: bytes) -> list[Block]:
    """Return the headings of a file except its title."""
    heads = headings_of(data)
    title = HEADINGS[0]
    is_titled = bool(heads) and heads[0].kind == title and sum(block.kind == title for block in heads) == 1
    return heads[1:] if is_titled else heads


def grown_note(data: bytes, text: str) -> bytes:
    """Append ``text``'s lines; unchanged if they are empty or already there.

    Below another's section they get a heading of clawgit's, unless they bring one. A title equal to the note's is
    not repeated.

    Raises:
        EntryError: Either text ends inside open code or an open comment, which would swallow later lines.
    """
    lines = list(map(str.rstrip, text.strip("\r\n").splitlines()))
    there = [without_end(line).decode("utf-8", "replace").rstrip() for line in split_lines(data)]
    if lines and lines[0].startswith("# ") and lines[0] in there[:1]:
        lines = lines[1:]
    while lines and not lines[0]:
        lines = lines[1:]
    is_there = any(there[at : at + len(lines)] == lines for at in range(len(there)))
    if not any(lines) or is_there:
        return data
    if ends_open(data):
        raise EntryError("The note ends inside an open code block or comment.", hint="Close it first.")
    end = line_end(data)
    old = data if lines[0].startswith("#") else ending_in_own_section(data)
    is_apart = not old or (old == data and not there[-1])
    gap = b"" if is_apart else gap_below(old, end)
    new = old + gap + end.join(line.encode("utf-8", "replace") for line in lines) + end
    if ends_open(new):
        raise EntryError("The text ends inside an open code block or comment.", hint="Close it there.")
    return new


TOPICS = {
    Tag.EVENT: "memory/events.md",
    Tag.KNOWLEDGE: "memory/knowledge.md",
    Tag.DECISION: "memory/decisions.md",
    Tag.SKILL: "memory/skills.md",
}
LEAD = "More: "
_DATED = lazy_pattern(r"((\d{4})-(\d{2})-\d{2}): ")
_LINK = lazy_pattern(r"\]\(([^)]+)\)")


class Moved(NamedTuple):
    """The shortened file, the files that got its entries, and how many moved."""

    data: bytes
    others: Mapping[str, bytes]
    entries: int = 0


class Room(NamedTuple):
    """A file's limit, what is left once it is over (far less, or each night would move a line), who goes first, and where to."""

    most: int
    left: int
    turn: Callable[[Entry], tuple[bool, str]]
    place: Callable[[Entry], str]


def _day(entry: Entry) -> str:
    match = _DATED.match(entry.text)
    return match[1] if match else ""


def _of_its_quarter(entry: Entry) -> str:
    match = _DATED.match(entry.text)
    quarter = "undated"
    if match:
        quarter = f"{match[2]}-Q{(int(match[3]) + 2) // 3}"
    return f"{LEARNED_BEFORE}{quarter}.md"


ROOMS = {
    CORE: Room(
        200,
        150,
        lambda entry: (entry.tag is not Tag.EVENT, _day(entry)),
        lambda entry: TOPICS[entry.tag or Tag.KNOWLEDGE],
    ),
    LEARNED: Room(1000, 750, lambda entry: (True, _day(entry)), _of_its_quarter),
}


def room_of(path: str, most: int | None = None) -> Room:
    room = ROOMS[path]
    return room if most is None else room._replace(most=most, left=most * room.left // room.most)


def with_room(
    data: bytes,
    read: Callable[[str], bytes | None],
    path: str = CORE,
    *,
    untagged: bool = False,
    most: int | None = None,
) -> Moved:
    """Return a too long file with its oldest entries moved; ``untagged``: also those not written by an agent.

    What its new file has already only goes.
    If the fixed part alone exceeds the limit, only movable lines count: else a line just remembered would leave first.
    """
    lines = split_lines(data)
    room = room_of(path, most)
    left = len(lines)
    if left <= room.most:
        return Moved(data, {})
    going: list[Entry] = []
    own = 0
    for entry in sorted(read_entries(data), key=room.turn):
        may_go = entry.tag is not None or (untagged and "](" not in entry.text)
        if may_go and is_alone(entry, lines):
            going.append(entry)
            own += entry.last - entry.first
    if left - own > room.most:
        left = own
    leaving: list[Entry] = []
    if left > room.most:
        for entry in going:
            if left > room.left:
                leaving.append(entry)
                left -= entry.last - entry.first
    if not leaving:
        return Moved(data, {})
    items: dict[str, list[list[bytes]]] = {}
    for entry in sorted(leaving, key=lambda entry: entry.first):
        items.setdefault(room.place(entry), []).append(lines[entry.first : entry.last])
    end = line_end(data)
    texts = {}
    for place, moving in items.items():
        title = f"# {_stem(place).capitalize()}".encode() + 2 * end
        old = read(place) or title
        texts[place] = add_items(old, list(filterfalse(having(old), moving)))
    gone = {number for entry in leaving for number in range(entry.first, entry.last)}
    remaining = without_numbers(lines, gone)
    links = sorted(place.removeprefix(path.rpartition("/")[0] + "/") for place in texts)
    return Moved(with_links(remaining, links), texts, len(leaving))


def having(data: bytes) -> Callable[[Sequence[bytes]], bool]:
    """Return a test whether a text has an item, given by its lines, with its id."""
    there = said_lines(data).keys()
    ids = marks_in(data)
    return lambda item: said_lines(b"".join(item)).keys() <= there and marks_in(b"".join(item)) <= ids


def with_links(data: bytes, links: list[str]) -> bytes:
    """Return ``data`` with a line of links, above the first entry or the first section below the title."""
    lines = split_lines(data)
    end = line_end(data)
    at = next((at for at, line in enumerate(lines) if line.startswith(LEAD.encode())), None)
    before = [] if at is None else _LINK.findall(lines[at].decode("utf-8", "replace"))
    every = dict.fromkeys((*before, *links))
    line = (LEAD + " · ".join(f"[{_stem(link)}]({link})" for link in every)).encode() + end
    if at is not None:
        return b"".join([*lines[:at], line, *lines[at + 1 :]])
    titles = headings_of(data)
    below = next((block.first for block in titles if block.first and block.kind != HEADINGS[0]), len(lines))
    first = next(map(attrgetter("first"), read_entries(data)), below)
    gap = [end] if first and lines[first - 1].strip() else []
    return b"".join([*lines[:first], *gap, line, end, *lines[first:]])


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
